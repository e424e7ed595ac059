// property: uninitialised
// good: 1
// bad: 0
#include <stddef.h>
static void set(int *p) {
    if (N) *p = 3;
}
int main(void) {
    int x;
    set(&x);
    return x;
}
