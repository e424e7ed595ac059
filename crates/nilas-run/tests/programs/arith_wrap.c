#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int x=2147483647;
    x++;
    printf("%d\n",x);
    long long y=9223372036854775807LL;
    y+=2;
    printf("%lld\n",y);
    short s=32767;
    s++;
    printf("%d\n",s);
    return 0;
}
