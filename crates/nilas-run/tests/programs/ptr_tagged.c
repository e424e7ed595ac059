#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
int main(void) {
    int *x=malloc(sizeof*x);
    *x=11;
    uintptr_t t=(uintptr_t)x|1;
    printf("%d\n",(int)(t&1));
    int*y=(int*)(t&~(uintptr_t)1);
    printf("%d\n",*y);
    free(y);
    return 0;
}
