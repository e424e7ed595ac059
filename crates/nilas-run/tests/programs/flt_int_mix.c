#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int i=7;
    float f=i/2;
    double d=i/2.0;
    i+=0.9;
    printf("%f %f %d\n",f,d,i);
    i*=1.5;
    printf("%d\n",i);
    unsigned char c=200;
    c=c*1.2;
    printf("%d\n",c);
    long long l=1LL<<53;
    printf("%d\n",(double)l==(double)(l+1));
    return 0;
}
