#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int x=1;
int f(void) {
    x=10;
    return 2;
}
int main(void) {
    x+=f();
    printf("%d\n",x);
    int a[3]={1,2,3},i=0;
    a[i]+=f();
    printf("%d\n",a[0]);
    return 0;
}
