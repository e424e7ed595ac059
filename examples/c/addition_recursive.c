// expect: safe
// expect[bmc, ic3cfa, icp, icp-bmc, icp-ic3, ic3, ic3ia, euf, tree-ic3, tree-ic3-itp, tree-ic3-itp-mono, tree-itp, pred-abs, itp, k-ind, states, classes, run]: unknown
//
// Addition by counting: without the bounds on m, m + n would overflow.
#include <assert.h>
#include <nilas.h>

int add(int m, int n) {
  if (n == 0) return m;
  return n > 0 ? add(m + 1, n - 1) : add(m - 1, n + 1);
}

int main(void) {
  int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
  if (m < 0 || m > 1000000 || n < 0 || n > 1000000) return 0;
  int sum = add(m, n);
  assert(sum >= m && sum >= n);
  return 0;
}
