// expect: unsafe
// The store lands in the counter that its own index changes: undefined by the index, and machines go on.
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
struct buffer { unsigned char data[4], used; } b;
int main(void) {
  for (int i = 0; i < 5; i++) {
    b.data[b.used++] = __VERIFIER_nondet_uchar();
    assert(b.used <= 4);
  }
  return 0;
}
