// good: 0
// bad: 1
// kind: dead-object
#include <stdio.h>

int main(void) {
    int other = 0, sum = 0;
    int *last = &other;
    for (int i = 0; i < 3; i++) {
        sum += *last;
        int here = i;
        if (N) last = &here;
    }
    printf("%d\n", sum);
    return 0;
}
