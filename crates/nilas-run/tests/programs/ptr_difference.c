#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    double d[10];
    printf("%d\n",(int)(&d[7]-&d[2]));
    struct {
        char c[3];
    } t[5];
    printf("%d\n",(int)(&t[4]-&t[0]));
    return (int)((char*)&d[1]-(char*)d);
}
