// good: 1
// bad: 0
// kind: uninitialised-read
// options: uninitialised
// differs: sanitisers silent: the address and undefined-behaviour sanitisers do not follow initialisation
#include <stdio.h>

int main(void) {
    long sum;
    if (N) sum = 0;
    for (int i = 0; i < 4; i++) sum += i;
    printf("%d\n", sum == sum);
    return 0;
}
