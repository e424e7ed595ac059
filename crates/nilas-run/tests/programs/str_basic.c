#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char b[50];
    strcpy(b,"Hello");
    strcat(b,", ");
    strncat(b,"World!!!",5);
    printf("%s %d\n",b,(int)strlen(b));
    printf("%d %d %d\n",strcmp("a","b")<0,strcmp("abc","abc"),strncmp("abcd","abxx",2));
    printf("%s %s %s\n",strchr(b,'W'),strrchr(b,'o'),strstr(b,"lo"));
    return 0;
}
