// good: 0
// bad: 1
// kind: call-of-no-function
#include <stdio.h>

static int one(void) { return 1; }
int main(void) {
    int (*f)(void) = N ? 0 : one;
    printf("%d\n", f());
    return 0;
}
