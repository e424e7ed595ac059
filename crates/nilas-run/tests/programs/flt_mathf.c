#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
int main(void) {
    printf("%.7f %.7f %.7f\n",sqrtf(3),sinf(0.5f),expf(0.5f));
    printf("%.7f %g %g\n",powf(1.5f,2.5f),floorf(2.7f),fabsf(-1.25f));
    printf("%.15Lf %Lg\n",sqrtl(2.0L),fabsl(-2.5L));
    return 0;
}
