// property: unreachable
// good: 3
// bad: 2
#include <stddef.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int() & 3;
    switch (x) {
        case 0: case 1: return 1;
        case 2: return 2;
        default: if (N < 3) __builtin_unreachable(); return 3;
    }
}
