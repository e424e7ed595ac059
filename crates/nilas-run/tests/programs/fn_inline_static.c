#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static inline int sq(int x) {
    return x*x;
}
static int k(void);
int main(void) {
    printf("%d %d\n",sq(7),k());
    return 0;
}
static int k(void) {
    static int c;
    return c++;
}
