#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct B {
    unsigned a:3;
    int b:5;
    unsigned c:24;
    unsigned long long d:40;
    _Bool e:1;
};
int main(void) {
    struct B x={9,-17,0xABCDEF,1ULL<<39,2};
    printf("%u %d %x %llx %d %d\n",x.a,x.b,x.c,(unsigned long long)x.d,x.e,(int)sizeof x);
    x.a+=7;
    x.b--;
    x.c<<=4;
    printf("%u %d %x\n",x.a,x.b,x.c);
    int r=(x.a=12);
    printf("%d\n",r);
    return 0;
}
