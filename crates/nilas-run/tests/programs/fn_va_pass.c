#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdarg.h>
int sum(int n,va_list l) {
    int s=0;
    while(n--)s+=va_arg(l,int);
    return s;
}
struct P {
    int x,y;
};
int f(int n,...) {
    va_list l;
    va_start(l,n);
    int s=sum(n,l);
    va_end(l);
    va_start(l,n);
    struct P p;
    for(int i=0;i<n;i++)va_arg(l,int);
    p=va_arg(l,struct P);
    va_end(l);
    return s*100+p.x*10+p.y;
}
int main(void) {
    struct P p={3,4};
    printf("%d\n",f(3,1,2,3,p));
    return 0;
}
