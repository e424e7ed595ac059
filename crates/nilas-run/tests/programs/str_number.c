#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char*e;
    printf("%d %ld %lld\n",atoi(" -42abc"),strtol("0x1fz",&e,0),strtoll("-777",0,8));
    printf("%s %lu\n",e,strtoul("ffff",0,16));
    printf("%ld %ld\n",strtol("077",0,0),strtol("zz",0,36));
    printf("%d\n",(int)strtol("nope",&e,10));
    return *e=='n';
}
