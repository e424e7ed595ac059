// good: 5
// bad: 6
// kind: out-of-bounds-write
#include <stdio.h>

static int last(int n) {
    int a[n];
    for (int i = 0; i < N; i++)
        a[i] = i;
    return a[n - 1];
}
int main(void) {
    printf("%d\n", last(5));
    return 0;
}
