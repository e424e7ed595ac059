// expect: safe
#include <stddef.h>
#include <stdint.h>
extern void reach_error(void);
void klee_make_symbolic(void *, size_t, const char *);
void klee_assume(uintptr_t);
int klee_range(int, int, const char *);
int main(void) {
    short x;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_assume(x > 3);
    int y = klee_range(-2, 5, "y");
    if (x <= 3 || y < -2 || y >= 5) reach_error();
    return 0;
}
