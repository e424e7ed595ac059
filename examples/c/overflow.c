// expect: unsafe
//
// The average of two numbers, as nearly every textbook had it.
#include <assert.h>
#include <nilas.h>

int average(int low, int high) { return (low + high) / 2; }

int main(void) {
  int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
  if (0 <= low && low <= high) {
    int middle = average(low, high);
    assert(low <= middle && middle <= high);
  }
  return 0;
}
