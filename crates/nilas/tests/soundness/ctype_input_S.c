// never: unsafe
#include <ctype.h>
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) { int c = __VERIFIER_nondet_uchar(); if (c < 128 && isdigit(c) && !isalnum(c)) reach_error(); return 0; }
