// property: division
// good: 1
// bad: 0
// options: --function rate --globals any
#include <stddef.h>
static int total = 7, parts = 1;
int rate(void) {
    if (N && parts == 0) return 0;
    if (total == -2147483647 - 1) return 0;
    return total / parts;
}
