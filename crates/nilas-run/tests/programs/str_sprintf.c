#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char b[100];
    int n=sprintf(b,"%d-%s-%c",12,"ab",'z');
    printf("%s %d\n",b,n);
    n=snprintf(b,5,"%s","longer text");
    printf("%s %d\n",b,n);
    n=snprintf(0,0,"%d",12345);
    printf("%d\n",n);
    return 0;
}
