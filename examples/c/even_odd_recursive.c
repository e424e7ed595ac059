// expect: safe
// expect[bmc, ic3cfa, icp, icp-bmc, icp-ic3, ic3, ic3ia, euf, tree-ic3, tree-ic3-itp, tree-ic3-itp-mono, tree-itp, pred-abs, itp, k-ind, states, classes, run]: unknown
//
// Two functions that call each other.
#include <assert.h>
#include <nilas.h>

int odd(unsigned n);

int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }

int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  assert(even(n) == (n % 2 == 0));
  return 0;
}
