#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int x=5;
int*px=&x;
struct S {
    int*p;
    const char*s;
    int(*f)(void);
};
int g(void) {
    return 9;
}
struct S t[2]={{&x,"ab",g},{0,"cd",0}};
char c[]="xyz";
const char*q=&c[1];
int main(void) {
    *px=6;
    printf("%d %s %d %s %s\n",*t[0].p,t[1].s,t[0].f(),q,t[0].s+1);
    return 0;
}
