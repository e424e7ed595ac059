#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    printf("%d %d %u %lld\n",(int)3.99,(int)-3.99,(unsigned)3e9,(long long)1e15);
    double d=123456789;
    float f=d;
    printf("%.1f\n",f);
    printf("%f\n",(double)18446744073709551615ULL);
    printf("%d\n",(char)65.7);
    return 0;
}
