#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <limits.h>
int main(void) {
    errno=0;
    long l=strtol("99999999999999999999999",0,10);
    printf("%d %d\n",l==LONG_MAX,errno==ERANGE);
    errno=0;
    strtol("5",0,10);
    printf("%d\n",errno);
    return 0;
}
