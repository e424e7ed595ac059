#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    double a=1.5,b=-2.25;
    printf("%f %f %f %f\n",a+b,a-b,a*b,a/b);
    float f=0.1f;
    printf("%.10f %d\n",f,f==0.1);
    return (int)(a*4);
}
