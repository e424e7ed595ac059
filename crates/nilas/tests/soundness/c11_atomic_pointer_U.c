// never: safe
#include <stdatomic.h>
extern void reach_error(void);
int a, b; _Atomic(int *) p;
int main(void) { atomic_init(&p, &a); int *old = atomic_exchange(&p, &b); *old = 1; *atomic_load(&p) = 2; if (a == 1 && b == 2) reach_error(); return 0; }
