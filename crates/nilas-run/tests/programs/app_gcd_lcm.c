#include <stdio.h>
#include <stdlib.h>
#include <string.h>
long long gcd(long long a,long long b) {
    return b?gcd(b,a%b):a;
}
int main(void) {
    long long l=1;
    for(int i=1;i<=20;i++)l=l/gcd(l,i)*i;
    printf("%lld\n",l);
    return 0;
}
