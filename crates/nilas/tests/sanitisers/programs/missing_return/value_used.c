// good: 1
// bad: 0
// kind: missing-return-value
// options: strict
// differs: sanitisers silent: gcc looks for missing return values in C++ only
#include <stdio.h>

static int f(int n) { if (n) return 4; }
int main(void) {
    int n = N;
    printf("%d\n", f(n) != 5);
    return 0;
}
