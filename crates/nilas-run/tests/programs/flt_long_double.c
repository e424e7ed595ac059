#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    long double x=1.0L;
    for(int i=0;i<10;i++)x/=3;
    printf("%.25Lf %Lg\n",x,x);
    x=1e4000L;
    printf("%Lg %d\n",x*10,(int)(x>1e308));
    double d=(double)(0.1L+0.2L);
    printf("%.17g\n",d);
    printf("%La\n",1.5L);
    return 0;
}
