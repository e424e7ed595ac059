// expect: safe
// expect[bmc]: unknown
//
// A lock is taken and given back in turn, whatever the requests are.
#include <assert.h>
#include <nilas.h>

int locked = 0;

void lock(void) { assert(!locked); locked = 1; }
void unlock(void) { assert(locked); locked = 0; }

int main(void) {
  int old, new = 0;
  do {
    lock();
    old = new;
    if (__VERIFIER_nondet_int()) {
      unlock();
      new++;
    }
  } while (new != old);
  unlock();
  return 0;
}
