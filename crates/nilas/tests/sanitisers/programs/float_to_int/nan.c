// good: 1.0
// bad: __builtin_nan("")
// kind: float-to-int-overflow
#include <stdio.h>

int main(void) {
    double d = N;
    int i = d;
    printf("%d\n", i);
    return 0;
}
