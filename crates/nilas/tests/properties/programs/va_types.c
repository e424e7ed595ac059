// property: assert
// good: 1
// bad: 2
#include <assert.h>
#include <stdarg.h>
struct pair { int a, b; };
static double mixed(const char *kinds, ...) {
    va_list list;
    double total = 0;
    va_start(list, kinds);
    for (; *kinds; kinds++) {
        switch (*kinds) {
        case 'i': total += va_arg(list, int); break;
        case 'd': total += va_arg(list, double); break;
        case 'p': total += *va_arg(list, int *); break;
        case 's': total += va_arg(list, struct pair).b; break;
        }
    }
    va_end(list);
    return total;
}
int main(void) {
    int x = 4;
    struct pair p = { 7, 8 };
    assert(mixed("idps", (char)1, 2.5f, &x, p) == 14.5 + N);
    return 0;
}
