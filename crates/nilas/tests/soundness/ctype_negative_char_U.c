// never: safe
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#include <ctype.h>
int main() { int c = __VERIFIER_nondet_int(); if (c != -30) return 0; if (tolower(c) == 226) reach_error(); return 0; }
