#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct A {
    char c;
    int i;
};
struct B {
    double d[3];
};
int f(struct A a,int x,struct B b,struct A*p) {
    p->i+=x;
    a.i=0;
    return a.c+b.d[2];
}
int main(void) {
    struct A a={5,6};
    struct B b={{1,2,3}};
    int r=f(a,10,b,&a);
    printf("%d %d\n",r,a.i);
    return 0;
}
