#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct R {
    int b[4],h,n;
};
int put(struct R*r,int v) {
    if(r->n==4)return 0;
    r->b[(r->h+r->n++)%4]=v;
    return 1;
}
int get(struct R*r) {
    int v=r->b[r->h];
    r->h=(r->h+1)%4;
    r->n--;
    return v;
}
int main(void) {
    struct R r={{0}};
    for(int i=0;i<6;i++)printf("%d",put(&r,i));
    printf(" %d%d",get(&r),get(&r));
    put(&r,9);
    put(&r,8);
    while(r.n)printf(" %d",get(&r));
    puts("");
    return 0;
}
