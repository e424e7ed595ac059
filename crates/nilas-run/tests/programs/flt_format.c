#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    printf("%e %E %g %G\n",12345.678,0.00012,1e-5,1e20);
    printf("%.0f %.1f %.3f %10.2f|%-10.2f|%+f\n",2.5,0.25,1.0005,3.14159,3.14159,1.0);
    printf("%g %g %g %#g\n",100000.0,1000000.0,0.0001,1.0);
    printf("%a %a %.2a\n",1.0,0.1,3.999);
    return 0;
}
