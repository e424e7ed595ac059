#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <alloca.h>
int f(int n) {
    int*p=alloca(n*sizeof*p);
    for(int i=0;i<n;i++)p[i]=i;
    int s=0;
    for(int i=0;i<n;i++)s+=p[i];
    return s;
}
int main(void) {
    printf("%d %d\n",f(5),f(100));
    return 0;
}
