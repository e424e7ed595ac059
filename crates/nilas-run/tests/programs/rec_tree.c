#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct T {
    int k;
    struct T*l,*r;
};
struct T*ins(struct T*t,int k) {
    if(!t) {
        t=calloc(1,sizeof*t);
        t->k=k;
        return t;
    }
    if(k<t->k)t->l=ins(t->l,k);
    else t->r=ins(t->r,k);
    return t;
}
void walk(struct T*t) {
    if(!t)return;
    walk(t->l);
    printf("%d ",t->k);
    walk(t->r);
    free(t);
}
int main(void) {
    int a[]={5,2,8,1,9,3};
    struct T*t=0;
    for(int i=0;i<6;i++)t=ins(t,a[i]);
    walk(t);
    puts("");
    return 0;
}
