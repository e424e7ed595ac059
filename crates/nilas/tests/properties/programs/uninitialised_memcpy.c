// property: uninitialised
// good: 2
// bad: 1
#include <string.h>
int main(void) {
    int a[2], b[2];
    a[0] = 1;
    if (N == 2) a[1] = 2;
    memcpy(b, a, sizeof a);
    return b[0] + b[1];
}
