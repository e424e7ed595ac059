#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
int main(void) {
    printf("%.10f %.10f %.10f %.10f\n",sqrt(2),sin(1),cos(1),exp(1));
    printf("%.10f %.10f %.10f\n",log(10),pow(2,0.5),atan2(1,-1));
    printf("%g %g %g %g %g\n",floor(-1.5),ceil(-1.5),trunc(-1.5),round(-1.5),rint(2.5));
    printf("%g %g %g\n",fmod(7.5,2),fabs(-3),hypot(3,4));
    return 0;
}
