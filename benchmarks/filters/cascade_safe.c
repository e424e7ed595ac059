extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
/* Two integrators with leaks, the difference of which is asked about. */
int main(void) {
  float a = 0.0f, b = 0.0f;
  while (__VERIFIER_nondet_int()) {
    float x = __VERIFIER_nondet_float();
    if (!(x >= -1.0f && x <= 1.0f)) x = 0.0f;
    a = 0.9f * a + x;
    b = 0.9f * b + 0.1f * a;
    float d = 3.0f * a - b;
    if (d > 50.0f || d < -50.0f) reach_error();
  }
  return 0;
}
