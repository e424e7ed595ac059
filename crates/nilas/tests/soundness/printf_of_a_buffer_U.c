// never: safe
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#include <stdio.h>
int main() { char b[4] = "ab"; int x = __VERIFIER_nondet_int(); printf("%s %d\n", b, x); if (x == 5) reach_error(); return 0; }
