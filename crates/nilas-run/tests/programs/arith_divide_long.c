#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    long long a=-123456789012345LL;
    printf("%lld %lld\n",a/1000,a%1000);
    unsigned long long u=18446744073709551615ULL;
    printf("%llu %llu\n",u/10,u%10);
    return 0;
}
