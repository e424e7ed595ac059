#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char*e;
    printf("%g ",strtod("  12.5e2xyz",&e));
    printf("%s ",e);
    printf("%g %g %g ",atof("-.5"),strtod("0x1.8p3",0),strtod("inf",0));
    printf("%.17g %g\n",strtod("0.1",0),strtof("3.4028236e38",0));
    return 0;
}
