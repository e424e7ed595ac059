#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int i=-1;
    unsigned u=1;
    printf("%d %d\n",i<(int)u,i<u);
    long l=-1;
    printf("%d\n",l<u);
    char c=-1;
    unsigned char d=255;
    printf("%d %d\n",c==d,(unsigned char)c==d);
    return 0;
}
