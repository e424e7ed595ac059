#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int maybe(void) __attribute__((weak));
int main(void) {
    printf("%d\n",maybe?1:0);
    return 0;
}
