#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    unsigned a=0xF0F0,b=0x0FF0;
    printf("%x %x %x %x\n",a&b,a|b,a^b,~a);
    return (a&b)>>8;
}
