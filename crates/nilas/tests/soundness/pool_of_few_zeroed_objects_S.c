// never: unsafe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
#include <stdlib.h>
struct node { int v; struct node *next; }; struct text { int length; char data[]; };
static void *get(unsigned n) { void *p = calloc(n, 1); if (!p) exit(1); return p; } static void put(void *p) { free(p); }
long long o0; static __typeof__(get) *via_get = get;
static __typeof__(put) *via_put = put;
int main(void) {
  if (!__VERIFIER_nondet_int()) return 0;
  _Bool i0 = __VERIFIER_nondet_bool(); if (i0 != 0) return 0;
  int r = 0;
  for (int k = 0; k < 3; k++) {
  int *b0 = (*via_get)(1 * sizeof(int)); if (!b0) return 0;
  b0[0] = 3 + k + (0);
  char *b1 = (*via_get)(6); if (!b1) return 0;
  b1[5] = 0 + k + (i0);
  int *b2 = (*via_get)(3 * sizeof(int)); if (!b2) return 0;
  b2[0] = 31 + k + (1);
  r = r * 3 + (int)b0[0];
  r = r * 3 + (int)b1[5];
  r = r * 3 + (int)b2[0];
  (*via_put)(b2);
  }
  o0 = (long long)(r);
  if (o0 != 45040LL) reach_error();
  return 0;
}
