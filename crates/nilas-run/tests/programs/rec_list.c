#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct N {
    int v;
    struct N*n;
};
int main(void) {
    struct N*h=0;
    for(int i=0;i<5;i++) {
        struct N*x=malloc(sizeof*x);
        x->v=i;
        x->n=h;
        h=x;
    }
    int s=0;
    for(struct N*p=h;p;p=p->n) s=s*10+p->v;
    printf("%d\n",s);
    struct N*r=0;
    while(h) {
        struct N*t=h->n;
        h->n=r;
        r=h;
        h=t;
    }
    s=0;
    for(struct N*p=r;p;p=p->n) s=s*10+p->v;
    printf("%d\n",s);
    while(r) {
        struct N*t=r->n;
        free(r);
        r=t;
    }
    return 0;
}
