// property: bounds
// good: 4
// bad: 5
// options: --function clear --pointer-size 4 --pointer-null no
#include <stddef.h>
/* From the pointer on there are one to four bytes. */
void clear(void *p, unsigned n) {
    char *bytes = p;
    if (n > N) return;
    if (n > 4 || N == 5) bytes[n ? n - 1 : 0] = 0;
}
