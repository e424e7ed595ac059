#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int x=10;
    x+=5;
    x-=3;
    x*=4;
    x/=3;
    x%=7;
    x<<=3;
    x>>=1;
    x|=64;
    x&=~4;
    x^=3;
    printf("%d\n",x);
    char c=100;
    c*=3;
    printf("%d\n",c);
    unsigned char u=7;
    u<<=6;
    printf("%d\n",u);
    return 0;
}
