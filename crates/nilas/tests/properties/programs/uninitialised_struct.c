// property: uninitialised
// good: 1
// bad: 0
#include <stddef.h>
struct s { int a, b; };
int main(void) {
    struct s x, y;
    x.a = 1;
    if (N) x.b = 2;
    y = x;
    return y.a + y.b;
}
