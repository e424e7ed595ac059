extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
/* A rate limiter: the output moves by at most half a unit. */
int main(void) {
  float out = 0.0f;
  while (__VERIFIER_nondet_int()) {
    float target = __VERIFIER_nondet_float();
    if (!(target >= -100.0f && target <= 100.0f)) target = 0.0f;
    float before = out, step = target - out;
    if (step > 0.5f) step = 0.5f;
    if (step < -0.5f) step = -0.5f;
    out = before + step;
    if (out > 100.0f) out = 100.0f;
    if (out < -100.0f) out = -100.0f;
    float moved = out - before;
    if (moved > 0.51f || moved < -0.51f) reach_error();
  }
  return 0;
}
