#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct Ctx {
    int n,s;
};
void each(int*a,int n,void(*f)(int,void*),void*u) {
    for(int i=0;i<n;i++)f(a[i],u);
}
void add(int v,void*u) {
    struct Ctx*c=u;
    c->n++;
    c->s+=v;
}
int main(void) {
    int a[]={3,5,7};
    struct Ctx c={0};
    each(a,3,add,&c);
    printf("%d %d\n",c.n,c.s);
    return 0;
}
