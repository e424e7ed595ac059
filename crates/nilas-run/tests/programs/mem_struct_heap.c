#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct V {
    int n,cap;
    int*d;
};
void push(struct V*v,int x) {
    if(v->n==v->cap) {
        v->cap=v->cap?2*v->cap:1;
        v->d=realloc(v->d,v->cap*sizeof(int));
    }
    v->d[v->n++]=x;
}
int main(void) {
    struct V v={0};
    for(int i=0;i<20;i++)push(&v,i*i);
    printf("%d %d %d\n",v.n,v.cap,v.d[19]);
    free(v.d);
    return 0;
}
