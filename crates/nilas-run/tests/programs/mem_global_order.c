#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int a[5]={1};
extern int b;
int*p=&b;
int b=7;
int t;
int t=4;
int main(void) {
    printf("%d %d %d %d\n",a[0],a[4],*p,t);
    return 0;
}
