#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int a=17,b=-5;
    printf("%d %d %d %d %d\n",a+b,a-b,a*b,a/b,a%b);
    printf("%d %d\n",-17/5,-17%5);
    return 0;
}
