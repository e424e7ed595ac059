// expect: safe
// expect[ic3cfa, ic3, tree-ic3, tree-ic3-itp, tree-ic3-itp-mono, tree-itp, pred-abs]: unknown
//
// The largest element of an array.
#include <assert.h>
#include <nilas.h>

int main(void) {
  int a[5];
  for (int i = 0; i < 5; i++) a[i] = __VERIFIER_nondet_int();
  int largest = a[0];
  for (int i = 1; i < 5; i++)
    if (a[i] > largest) largest = a[i];
  for (int i = 0; i < 5; i++) assert(a[i] <= largest);
  return 0;
}
