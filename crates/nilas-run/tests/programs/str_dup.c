#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char*s=strdup("copy");
    s[0]='C';
    puts(s);
    char*t=strndup(s,2);
    puts(t);
    free(s);
    free(t);
    return 0;
}
