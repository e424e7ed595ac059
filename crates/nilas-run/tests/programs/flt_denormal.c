#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <float.h>
int main(void) {
    double d=DBL_MIN;
    d/=2;
    printf("%g %d\n",d,d>0);
    float f=FLT_MIN;
    for(int i=0;i<23;i++)f/=2;
    printf("%g\n",f);
    f/=2;
    printf("%g\n",f);
    printf("%.17g %g %d\n",DBL_MAX,FLT_EPSILON,DBL_DIG);
    return 0;
}
