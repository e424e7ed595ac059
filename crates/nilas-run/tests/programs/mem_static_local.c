#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int next(void) {
    static int n=10;
    static int*p=&n;
    return ++*p;
}
int main(void) {
    next();
    next();
    printf("%d\n",next());
    return 0;
}
