// never: unsafe
#include <stdatomic.h>
extern void reach_error(void);
int main(void) { atomic_uint x = 5; if (atomic_fetch_sub(&x, 7) != 5) reach_error(); if (x != 4294967294u) reach_error(); if (atomic_fetch_xor(&x, 1) != 4294967294u || x != 4294967295u) reach_error(); return 0; }
