// expect: safe
// expect[bmc, ic3cfa, icp, icp-bmc, icp-ic3, ic3, ic3ia, euf, tree-ic3, tree-ic3-itp, tree-ic3-itp-mono, tree-itp, pred-abs, itp, k-ind, states, classes, run]: unknown
//
// Multiplication by repeated addition is commutative.
#include <assert.h>
#include <nilas.h>

unsigned multiply(unsigned a, unsigned b) {
  if (b == 0) return 0;
  return a + multiply(a, b - 1);
}

int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  assert(multiply(a, b) == multiply(b, a));
  return 0;
}
