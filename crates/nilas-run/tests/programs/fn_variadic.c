#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdarg.h>
double avg(int n,...) {
    va_list l;
    va_start(l,n);
    double s=0;
    for(int i=0;i<n;i++)s+=va_arg(l,double);
    va_end(l);
    return s/n;
}
int mixed(const char*f,...) {
    va_list l,m;
    va_start(l,f);
    va_copy(m,l);
    int r=0;
    for(;*f;f++) {
        if(*f=='i')r+=va_arg(l,int);
        else if(*f=='l')r+=va_arg(l,long long);
        else if(*f=='s')r+=strlen(va_arg(l,char*));
        else r+=va_arg(l,double);
    }
    r+=va_arg(m,int)*1000;
    va_end(l);
    va_end(m);
    return r;
}
int main(void) {
    printf("%g\n",avg(3,1.0,2.0,6.0));
    printf("%d\n",mixed("ilsd",3,4LL,"hello",2.5));
    return 0;
}
