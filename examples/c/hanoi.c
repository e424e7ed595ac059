// expect: safe
// expect[bmc, ic3cfa, icp, icp-bmc, icp-ic3, ic3, ic3ia, euf, tree-ic3, tree-ic3-itp, tree-ic3-itp-mono, tree-itp, pred-abs, itp, k-ind, states, classes, run]: unknown
//
// The towers of Hanoi: n discs take 2^n - 1 moves.
#include <assert.h>
#include <nilas.h>

unsigned moves;

void move(unsigned n, int from, int to, int over) {
  if (n == 0) return;
  move(n - 1, from, over, to);
  moves++;
  move(n - 1, over, to, from);
}

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 31) return 0;
  move(n, 1, 3, 2);
  assert(moves == (1u << n) - 1);
  return 0;
}
