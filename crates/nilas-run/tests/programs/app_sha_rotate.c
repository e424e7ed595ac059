#include <stdio.h>
#include <stdlib.h>
#include <string.h>
unsigned rol(unsigned x,int n) {
    return x<<n|x>>(32-n);
}
int main(void) {
    unsigned a=0x67452301,b=0xefcdab89;
    for(int i=1;i<31;i++) {
        unsigned t=rol(a,i)+(b^i);
        b=a;
        a=t;
    }
    printf("%08x %08x\n",a,b);
    return 0;
}
