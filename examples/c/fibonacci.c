// expect: safe
// expect[bmc]: unknown
// expect[ic3cfa]: unknown
// expect[pred-abs]: unknown
// expect[tree-ic3]: unknown
// expect[tree-ic3-itp]: unknown
// expect[tree-ic3-itp-mono]: unknown
// expect[tree-itp]: unknown
//
// No inputs, so it is simply run.
#include <assert.h>

int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

int main(void) {
  assert(fibonacci(15) == 610);
  return 0;
}
