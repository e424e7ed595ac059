// never: unsafe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
typedef unsigned long word; int x; struct { int k; } s;
static int *way(int *q) { unsigned lo = (word)q, hi = (word)q >> 16 >> 16; return (int *)((word)hi << 16 << 16 | lo); }
int main(void) {
  int i = __VERIFIER_nondet_int(), *p = way(i ? &s.k : &x);
  if (i && p != &s.k) reach_error();
  return 0;
}
