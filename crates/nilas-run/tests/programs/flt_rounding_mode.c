#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fenv.h>
int main(void) {
    volatile double a=1,b=3;
    fesetround(FE_UPWARD);
    double u=a/b;
    fesetround(FE_DOWNWARD);
    double d=a/b;
    fesetround(FE_TONEAREST);
    printf("%d %.20f %.20f\n",u>d,u,d);
    return fegetround()!=FE_TONEAREST;
}
