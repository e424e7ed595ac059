#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int a[5];
    int*p=a,*q=a+4;
    printf("%d%d%d%d\n",p<q,p<=p,q>p,p!=q);
    struct {
        int x,y;
    } s;
    printf("%d\n",&s.x<&s.y);
    return 0;
}
