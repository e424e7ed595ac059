#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct __attribute__((aligned(32))) A {
    char c;
};
struct B {
    char a;
    struct A b;
};
int main(void) {
    printf("%d %d %d\n",(int)sizeof(struct A),(int)sizeof(struct B),(int)_Alignof(struct B));
    static struct A s;
    printf("%d\n",(int)((unsigned long)&s%32));
    _Alignas(64) char c;
    printf("%d\n",(int)((unsigned long)&c%64));
    return 0;
}
