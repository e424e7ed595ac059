// never: safe
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) { union { unsigned u; float f; } x; x.u = __VERIFIER_nondet_uint(); if (x.f != x.f && x.u == 0x7fc12345u) reach_error(); return 0; }
