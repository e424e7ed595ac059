#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int a,b;
    char w[10];
    float f;
    double d;
    printf("%d ",sscanf("12 -7 word 2.5 1e3","%d %d %s %f %lf",&a,&b,w,&f,&d));
    printf("%d %d %s %g %g\n",a,b,w,f,d);
    unsigned x;
    printf("%d ",sscanf("ff,08","%x,%d",&x,&a));
    printf("%u %d\n",x,a);
    char c,set[10];
    printf("%d ",sscanf("k=abc123","%c=%[a-z]%d",&c,set,&a));
    printf("%c %s %d\n",c,set,a);
    printf("%d %d\n",sscanf("","%d",&a),sscanf("x","%d",&a));
    return 0;
}
