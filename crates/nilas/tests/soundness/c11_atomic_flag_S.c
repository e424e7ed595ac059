// never: unsafe
#include <stdatomic.h>
extern void reach_error(void);
atomic_flag f = ATOMIC_FLAG_INIT;
int main(void) { if (atomic_flag_test_and_set(&f)) reach_error(); if (!atomic_flag_test_and_set(&f)) reach_error(); atomic_flag_clear(&f); if (atomic_flag_test_and_set(&f)) reach_error(); return 0; }
