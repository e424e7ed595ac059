// expect: unsafe
//
// A protocol that forgets its handshake on one way.
#include <assert.h>
#include <nilas.h>

enum state { IDLE, CONNECTING, OPEN, CLOSING };

int main(void) {
  enum state state = IDLE;
  int shaken = 0;
  for (;;) {
    switch (state) {
    case IDLE: state = __VERIFIER_nondet_int() ? CONNECTING : IDLE; shaken = 0; break;
    case CONNECTING: shaken = 1; state = OPEN; break;
    case OPEN: assert(shaken); if (__VERIFIER_nondet_int()) state = CLOSING; break;
    case CLOSING: shaken = 0; state = __VERIFIER_nondet_int() ? OPEN : IDLE; break;
    }
  }
}
