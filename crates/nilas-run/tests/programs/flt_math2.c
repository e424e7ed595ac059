#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
int main(void) {
    int e;
    double m=frexp(48.0,&e);
    printf("%g %d %g\n",m,e,ldexp(0.75,4));
    double ip;
    printf("%g",modf(-3.75,&ip));
    printf(" %g\n",ip);
    printf("%ld %ld %g %g\n",lround(2.5),lrint(3.5),copysign(2,-1),nextafter(1,2)-1);
    printf("%g %g %g %d\n",fmin(1,2),fmax(1,2),fma(2,3,4),ilogb(1000));
    printf("%g %g\n",remainder(5,3),fdim(5,3));
    return 0;
}
