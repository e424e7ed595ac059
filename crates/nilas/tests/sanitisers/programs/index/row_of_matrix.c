// good: 2
// bad: 3
// kind: index-out-of-array
#include <stdio.h>

int main(void) {
    int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int i = N;
    printf("%d\n", m[0][i]);
    return 0;
}
