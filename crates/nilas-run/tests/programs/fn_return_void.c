#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void f(int*x) {
    if(*x>3) return;
    (*x)++;
    f(x);
}
void g(void) {
    return;
}
int main(void) {
    int a=0;
    f(&a);
    g();
    printf("%d\n",a);
    return 0;
}
