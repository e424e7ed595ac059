#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    unsigned char a=200,b=100;
    printf("%d %d\n",a+b,(unsigned char)(a+b));
    short s=-1;
    printf("%u\n",(unsigned)s);
    printf("%d\n",(int)sizeof(a+b));
    return 0;
}
