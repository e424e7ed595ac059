// good: 3
// bad: -3
// kind: array-length
#include <stdio.h>

static int size(int n) {
    char a[n];
    return (int)sizeof a;
}
int main(void) {
    printf("%d\n", size(N));
    return 0;
}
