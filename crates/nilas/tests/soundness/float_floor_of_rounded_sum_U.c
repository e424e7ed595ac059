// never: safe
#include <math.h>
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);
int main(void) {
  float x = __VERIFIER_nondet_float();
  if(x >= 0.5f && x < 8388608.0f){if (!(floorf(x+0.5f) <= x+0.25f)) reach_error();}
  return 0;
}
