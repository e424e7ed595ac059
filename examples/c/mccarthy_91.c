// expect: safe
// expect[bmc, ic3cfa, icp, icp-bmc, icp-ic3, ic3, ic3ia, euf, tree-ic3, tree-ic3-itp, tree-ic3-itp-mono, tree-itp, pred-abs, itp, k-ind, states, classes, run]: unknown
//
// McCarthy's function: 91 for all arguments up to 101, and n - 10 above.
#include <assert.h>
#include <nilas.h>

int f(int n) {
  if (n > 100) return n - 10;
  return f(f(n + 11));
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 1000000) return 0;
  int result = f(n);
  assert(n > 101 ? result == n - 10 : result == 91);
  return 0;
}
