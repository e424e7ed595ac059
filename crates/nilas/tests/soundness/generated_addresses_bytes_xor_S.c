// never: unsafe
// options: --32
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int x; struct { int k; } s;
static int *way(int *q) { int *r; unsigned char b[sizeof q]; for (unsigned k = 0; k < sizeof q; k++) b[k] = ((unsigned char *)&q)[k] ^ 0x5a; for (unsigned k = 0; k < sizeof q; k++) ((unsigned char *)&r)[k] = b[k] ^ 0x5a; return r; }
int main(void) {
  int i0 = __VERIFIER_nondet_int(); if (i0 != 4) return 0;
  int *p = way(i0 ? &s.k : &x); *p += 8;
  if (x != 0) reach_error();
  return 0;
}
