// expect: safe
// expect[bmc, tree-itp, pred-abs]: unknown
//
// Two counters that run together stay together, however long the loop runs: needs an invariant.
#include <assert.h>
#include <nilas.h>

int main(void) {
  unsigned sent = 0, received = 0;
  while (__VERIFIER_nondet_int()) {
    sent++;
    received++;
  }
  assert(sent == received);
  return 0;
}
