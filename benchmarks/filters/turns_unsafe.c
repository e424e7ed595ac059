extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
/* A rate limiter: compared are its outputs of turns that are two apart, after the last turn. */
int main(void) {
  float out = 0.0f, before = 0.0f, earlier = 0.0f;
  while (__VERIFIER_nondet_int()) {
    float target = __VERIFIER_nondet_float();
    if (!(target >= -100.0f && target <= 100.0f)) target = 0.0f;
    float step = target - out;
    if (step > 0.5f) step = 0.5f;
    if (step < -0.5f) step = -0.5f;
    earlier = before;
    before = out;
    out = out + step;
    if (out > 100.0f) out = 100.0f;
    if (out < -100.0f) out = -100.0f;
  }
  if (out - earlier > 0.99f || out - earlier < -0.99f) reach_error();
  return 0;
}
