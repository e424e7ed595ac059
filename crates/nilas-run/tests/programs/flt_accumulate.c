#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    double s=0;
    for(int i=0;i<1000;i++)s+=0.1;
    printf("%.17g\n",s);
    float t=0;
    for(int i=0;i<1000;i++)t+=0.1f;
    printf("%.9g\n",t);
    return 0;
}
