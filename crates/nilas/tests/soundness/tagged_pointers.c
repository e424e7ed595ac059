// expect: safe
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct node { int v; uintptr_t next; };
struct node a, b;
static struct node *next(struct node *n) { return (struct node *)(n->next & ~(uintptr_t)1); }
int main(void) {
  a.v = 1; b.v = 2;
  a.next = (uintptr_t)&b | 1;
  if (__VERIFIER_nondet_int()) a.next &= ~(uintptr_t)1;
  if (((uintptr_t)&a & 3) != 0) reach_error();
  if ((a.next & 1) && next(&a)->v != 2) reach_error();
  if (next(&a) != &b) reach_error();
  return 0;
}
