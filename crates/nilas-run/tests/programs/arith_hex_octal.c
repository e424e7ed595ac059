#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    printf("%d %d %d %u\n",0x1F,017,0b101,0xFFFFFFFF);
    printf("%lld %llu\n",0x7fffffffffffffffLL,0xffffffffffffffffULL);
    return 0;
}
