// never: safe
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#include <stdlib.h>
int cmp(const void *a, const void *b) { if (*(int *)a == 1 && *(int *)b == 3) reach_error(); return *(int *)a - *(int *)b; }
int main() { int a[4] = { 1, 2, 3, 4 }; qsort(a, 4, sizeof *a, cmp); return 0; }
