#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
struct N {
    int v;
    uintptr_t l;
};
int main(void) {
    struct N n[3]={{1},{2},{3}};
    n[0].l=(uintptr_t)&n[1];
    n[1].l=(uintptr_t)&n[0]^(uintptr_t)&n[2];
    n[2].l=(uintptr_t)&n[1];
    struct N*prev=0,*c=&n[0];
    while(c) {
        printf("%d ",c->v);
        struct N*next=(struct N*)(c->l^(uintptr_t)prev);
        prev=c;
        c=next;
    }
    puts("");
    return 0;
}
