// lp64
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    unsigned __int128 a=1;
    a<<=100;
    a+=12345;
    printf("%llx %llx\n",(unsigned long long)(a>>64),(unsigned long long)a);
    __int128 b=-7;
    b=b*1000000007*1000000007;
    printf("%lld\n",(long long)(b%1000003));
    return 0;
}
