#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    union {
        double d;
        unsigned long long u;
    } x;
    x.u=0x7ff8000000000123ULL;
    double y=x.d;
    union {
        double d;
        unsigned long long u;
    } z;
    z.d=y;
    printf("%016llx\n",z.u);
    z.d=-y;
    printf("%016llx\n",z.u);
    z.d=y+1;
    printf("%016llx\n",z.u);
    return 0;
}
