extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
/* A leaky integrator: bounded by 20, which the program does not name. */
int main(void) {
  float s = 0.0f;
  while (__VERIFIER_nondet_int()) {
    float x = __VERIFIER_nondet_float();
    if (!(x >= -1.0f && x <= 1.0f)) x = 0.0f;
    s = 0.95f * s + x;
    if (s * s > 40.0f) reach_error();
  }
  return 0;
}
