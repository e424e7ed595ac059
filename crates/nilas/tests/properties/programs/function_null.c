// property: null
// good: 1
// bad: 0
// options: --function length
#include <stddef.h>
struct list { struct list *next; };
int length(const struct list *l) {
    int n = 0;
    if (N && !l) return 0;
    n += l->next != 0;
    return n;
}
