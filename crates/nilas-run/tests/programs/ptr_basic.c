#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int x=5,*p=&x,**q=&p;
    **q=7;
    printf("%d %d %d\n",x,*p==x,p==*q);
    int y=9;
    *q=&y;
    printf("%d\n",*p);
    return 0;
}
