#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#pragma pack(push,1)
struct A {
    char c;
    int i;
    short s;
};
#pragma pack(pop)
struct __attribute__((packed)) B {
    char c;
    double d;
};
int main(void) {
    struct A a={1,0x11223344,5};
    unsigned char*p=(unsigned char*)&a;
    printf("%d %d %x %x\n",(int)sizeof(struct A),(int)sizeof(struct B),p[1],p[4]);
    struct B b={1,2.5};
    printf("%.1f\n",b.d);
    return 0;
}
