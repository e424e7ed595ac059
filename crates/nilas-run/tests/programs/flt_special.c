#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
int main(void) {
    double z=0.0,i=1/z,n=z/z;
    printf("%d %d %d %d\n",i>1e308,isinf(i)!=0,isnan(n)!=0,n==n);
    printf("%f %f\n",i,-i);
    printf("%d %d\n",-0.0==0.0,signbit(-0.0)!=0);
    return n!=n;
}
