// good: 0
// bad: 1
// kind: unsequenced-conflict
// differs: sanitisers silent: gcc has settled on an order before
#include <stdio.h>

int main(void) {
    int i = 1;
    if (N) i = i++ + 1;
    printf("%d\n", i > 0);
    return 0;
}
