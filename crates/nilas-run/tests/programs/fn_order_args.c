#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int n;
int f(void) {
    return ++n;
}
int main(void) {
    printf("%d %d %d\n",f(),f(),f());
    int a[10]={0};
    a[f()]=f();
    printf("%d %d\n",a[4],n);
    int x=f()*100+f();
    printf("%d\n",x);
    return 0;
}
