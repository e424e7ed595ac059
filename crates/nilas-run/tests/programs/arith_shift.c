#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int a=-16;
    printf("%d %d %d\n",a>>2,1<<5,a<<1);
    unsigned u=0x80000000u;
    printf("%u %x\n",u>>31,u>>4);
    long long l=1LL<<40;
    printf("%lld\n",l);
    return 0;
}
