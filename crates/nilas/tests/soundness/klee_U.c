// expect: unsafe
#include <stddef.h>
#include <stdint.h>
extern void reach_error(void);
void klee_make_symbolic(void *, size_t, const char *);
void klee_assume(uintptr_t);
int klee_range(int, int, const char *);
int klee_int(const char *);
int main(void) {
    short x;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_assume(x > 3);
    if (x == 4 && klee_range(-2, 5, "y") == 4 && klee_int("z") == -7) reach_error();
    return 0;
}
