// good: 2
// bad: 3
// kind: pointer-arithmetic
// differs: both silent: a pointer into the first row reaches the next one; the contract and the address sanitiser take a matrix for one object
#include <stdio.h>

int main(void) {
    int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int *row = m[0];
    printf("%d\n", *(row + N));
    return 0;
}
