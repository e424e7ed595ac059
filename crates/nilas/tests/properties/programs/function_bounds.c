// property: bounds
// good: 1
// bad: 2
// options: --function first --pointer-null no
#include <stddef.h>
/* Whatever the pointer points to, there is one element, and perhaps no other. */
int first(const int *p) {
    return p[N - 1];
}
