#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
int main(void) {
    int x=3;
    uintptr_t u=(uintptr_t)&x;
    int*p=(int*)u;
    *p=8;
    printf("%d\n",x);
    u|=0;
    int*q=(int*)(u+0);
    printf("%d\n",q==&x);
    int a[4]={1,2,3,4};
    uintptr_t b=(uintptr_t)a;
    printf("%d\n",*(int*)(b+2*sizeof(int)));
    return 0;
}
