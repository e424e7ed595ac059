// never: safe
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#include <stdlib.h>
struct S { const int n; };
int main() { struct S *s = malloc(sizeof *s); *(int *)&s->n = __VERIFIER_nondet_int(); if (s->n == 5) reach_error(); return 0; }
