#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    _Bool b=5;
    printf("%d\n",b);
    b=0.5;
    printf("%d ",b);
    b=0.0;
    printf("%d ",b);
    int x=3;
    b=&x;
    printf("%d ",b);
    b++;
    printf("%d ",b);
    b--;
    printf("%d\n",b);
    return !b;
}
