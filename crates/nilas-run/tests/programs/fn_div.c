#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    div_t d=div(-17,5);
    printf("%d %d\n",d.quot,d.rem);
    ldiv_t l=ldiv(100,7);
    printf("%ld %ld\n",l.quot,l.rem);
    printf("%d %ld\n",abs(-5),labs(-6L));
    return 0;
}
