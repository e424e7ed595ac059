// expect: safe
// expect[pred-abs]: unknown
//
// Halving a number between 0 and 1 stays there, in floating point too.
#include <assert.h>
#include <nilas.h>

int main(void) {
  float x = __VERIFIER_nondet_float();
  if (!(0.0f <= x && x <= 1.0f)) return 0;
  for (int i = 0; i < 3; i++) x = x * 0.5f;
  assert(0.0f <= x && x <= 0.125f);
  return 0;
}
