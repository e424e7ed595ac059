extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
/* A filter of second order: no interval of one state is kept by one step. */
int main(void) {
  float y1 = 0.0f, y2 = 0.0f;
  while (__VERIFIER_nondet_int()) {
    float x = __VERIFIER_nondet_float();
    if (!(x >= -1.0f && x <= 1.0f)) x = 0.0f;
    float y = 1.5f * y1 - 0.7f * y2 + x;
    y2 = y1;
    y1 = y;
    if (y > 4.0f || y < -4.0f) reach_error();
  }
  return 0;
}
