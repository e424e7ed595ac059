#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int r;
    printf("%d ",__builtin_add_overflow(2147483647,1,&r));
    printf("%d ",r);
    printf("%d ",__builtin_mul_overflow(1000,1000,&r));
    printf("%d ",r);
    unsigned char c;
    printf("%d ",__builtin_sub_overflow(3,5,&c));
    printf("%d ",c);
    long l;
    printf("%d\n",__builtin_smull_overflow(4,5,&l));
    return 0;
}
