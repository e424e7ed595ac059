#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int f(a,b) int a;
char b;
{
    return a+b;
}
int g();
int main(void) {
    printf("%d %d\n",f(1,'a'),g(5));
    return 0;
}
int g(int x) {
    return x*2;
}
