#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    unsigned x=0x3f800000;
    float f=*(float*)&x;
    printf("%f\n",f);
    long long l=0x0102030405060708LL;
    printf("%d %d\n",*(char*)&l,*(short*)&l);
    int a[2]={1,2};
    long long m=*(long long*)a;
    printf("%llx\n",m);
    return 0;
}
