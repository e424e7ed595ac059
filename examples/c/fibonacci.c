// expect: safe
// expect[bmc, ic3cfa, ic3, tree-ic3, tree-ic3-itp, tree-ic3-itp-mono, tree-itp, pred-abs]: unknown
//
// No inputs, so it is simply run.
#include <assert.h>

int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

int main(void) {
  assert(fibonacci(15) == 610);
  return 0;
}
