#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdarg.h>
int log_(const char*f,...) {
    va_list l;
    va_start(l,f);
    int n=vprintf(f,l);
    va_end(l);
    return n;
}
void fmt(char*b,int n,const char*f,...) {
    va_list l;
    va_start(l,f);
    vsnprintf(b,n,f,l);
    va_end(l);
}
int main(void) {
    printf("%d\n",log_("%d %s %.1f\n",5,"x",2.5));
    char b[20];
    fmt(b,20,"<%c%03d>",'q',7);
    puts(b);
    return 0;
}
