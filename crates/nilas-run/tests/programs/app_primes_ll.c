#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    unsigned long long x=600851475143ULL;
    for(unsigned long long f=2;f*f<=x;)if(x%f==0) {
        printf("%llu ",f);
        x/=f;
    } else f++;
    printf("%llu\n",x);
    return 0;
}
