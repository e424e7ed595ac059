// never: safe
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);
extern long __VERIFIER_nondet_long(void);
#include <stdlib.h>
struct node { int v; struct node *next; }; struct text { int length; char data[]; };
static void *get(size_t n) { return malloc(n); } static void put(void *p) { free(p); }
long long o0;
int main(void) {
  long i0 = __VERIFIER_nondet_long();
  char i1 = __VERIFIER_nondet_char();
  long i2 = __VERIFIER_nondet_long();
  int r = 0;
  int k = 0; {
  struct text *b0 = get(sizeof(struct text) + 5); if (!b0) return 0;
  b0->data[1] = 12 + k + (i0);
  struct text *b1 = get(sizeof(struct text) + 6); if (!b1) return 0;
  b1->data[5] = 33 + k + (i1);
  double *b2 = get(4 * sizeof(double)); if (!b2) return 0;
  b2[1] = 2 + k + (1);
  r += b1->data[5];
  struct node *b3 = get(sizeof(struct node)); if (!b3) return 0;
  b3->v = 20 + k + (i2);
  b3->next = b3;
  r = r * 3 + (int)b0->data[1];
  put(b0);
  r = r * 3 + (int)b1->data[5];
  r = r * 3 + (int)b2[1];
  r = r * 3 + (int)b3->v;
  if (b3->next == b3) r++;
  }
  o0 = (long long)(r);
  if (o0 == 3594LL) reach_error();
  return 0;
}
