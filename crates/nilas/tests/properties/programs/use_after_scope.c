// property: use-after-free
// good: 0
// bad: 1
#include <stddef.h>
int main(void) {
    int g = 0, *p = &g;
    { int x = 1; if (N) p = &x; *p = 2; }
    return *p;
}
