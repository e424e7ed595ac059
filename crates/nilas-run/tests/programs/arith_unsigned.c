#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    unsigned a=3,b=5;
    printf("%u %u %u\n",a-b,a*b,b/a);
    unsigned char c=250;
    c+=10;
    printf("%d\n",c);
    return c;
}
