#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    static void*t[]={&&a,&&b,&&c};
    int i=0;
    goto *t[i];
    a: puts("a");
    i=2;
    goto *t[i];
    b: puts("b");
    return 3;
    c: puts("c");
    goto *t[1];
}
