// property: division
// good: 1
// bad: 0
// options: --function rate
#include <stddef.h>
static int parts = N;
int rate(int total) {
    return (total & 255) / parts;
}
