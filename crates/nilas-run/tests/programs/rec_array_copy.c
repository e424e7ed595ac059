#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct A {
    int a[4];
};
struct A f(struct A x) {
    x.a[0]=100;
    return x;
}
int main(void) {
    struct A a={{1,2,3,4}},b=f(a);
    printf("%d %d %d\n",a.a[0],b.a[0],f(b).a[3]);
    struct A arr[3]={a,b,{{0}}};
    arr[2]=arr[0];
    printf("%d\n",arr[2].a[2]);
    return 0;
}
