// good: 1
// bad: 0
// kind: uninitialised-read
// options: uninitialised
// differs: sanitisers silent: the address and undefined-behaviour sanitisers do not follow initialisation
#include <stdio.h>

int main(void) {
    int x;
    if (N) x = 3;
    printf("%d\n", x != x + 1);
    return 0;
}
