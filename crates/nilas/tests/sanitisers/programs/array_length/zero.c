// good: 1
// bad: 0
// kind: array-length
#include <stdio.h>

int main(void) {
    int n = N;
    int a[n];
    printf("%d\n", (int)(sizeof a / sizeof *a) > -1);
    return 0;
}
