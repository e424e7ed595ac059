// good: 1
// bad: 0
// kind: signed-overflow
#include <stdio.h>

#include <limits.h>
int main(void) {
    int x = INT_MIN + N;
    printf("%d\n", -x);
    return 0;
}
