#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stddef.h>
struct L {
    struct L*n;
};
struct S {
    int a;
    struct L l;
    int b;
};
int main(void) {
    struct S s={1,{0},2};
    struct L*p=&s.l;
    struct S*q=(struct S*)((char*)p-offsetof(struct S,l));
    printf("%d %d\n",q->a,q->b);
    return 0;
}
