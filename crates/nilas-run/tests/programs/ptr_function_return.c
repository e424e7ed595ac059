#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int one(void) {
    return 1;
}
int two(void) {
    return 2;
}
int(*pick(int n))(void) {
    return n?two:one;
}
int main(void) {
    printf("%d%d\n",pick(0)(),pick(1)());
    return 0;
}
