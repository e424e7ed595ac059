// expect: safe
// expect[bmc, ic3cfa, icp, icp-bmc, icp-ic3, ic3, ic3ia, euf, tree-ic3, tree-ic3-itp, tree-ic3-itp-mono, tree-itp, pred-abs, itp, k-ind, states, classes, run]: unknown
//
// Euclid's algorithm by subtraction: the result of positive numbers is positive.
#include <assert.h>
#include <nilas.h>

int gcd(int a, int b) {
  if (a == b) return a;
  if (a > b) return gcd(a - b, b);
  return gcd(a, b - a);
}

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (a <= 0 || b <= 0) return 0;
  assert(gcd(a, b) > 0);
  return 0;
}
