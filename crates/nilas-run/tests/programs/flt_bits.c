#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    float f=-0.15625f;
    unsigned u;
    memcpy(&u,&f,4);
    printf("%08x\n",u);
    double d=1.0/3;
    unsigned long long v;
    memcpy(&v,&d,8);
    printf("%016llx\n",v);
    u=0x40490fdb;
    memcpy(&f,&u,4);
    printf("%f\n",f);
    return 0;
}
