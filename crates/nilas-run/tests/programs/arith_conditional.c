#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int f(int x) {
    return x>0?1:x<0?-1:0;
}
int main(void) {
    printf("%d %d %d\n",f(5),f(-3),f(0));
    int a=0;
    int b=a?:7;
    printf("%d\n",b);
    printf("%d\n",(int)sizeof(1?(char)1:(short)2));
    return 0;
}
