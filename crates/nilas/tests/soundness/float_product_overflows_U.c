// never: safe
#include <math.h>
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);
int main(void) {
  float x = __VERIFIER_nondet_float();
  float y = __VERIFIER_nondet_float();
  if(x > 1 && y > 1){if (!(x*y < INFINITY)) reach_error();}
  return 0;
}
