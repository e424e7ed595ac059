extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
/* Two filters, one after the other: how far the second is behind the input. */
int main(void) {
  float x = 0.0f, y = 0.0f, z = 0.0f;
  while (__VERIFIER_nondet_int()) {
    float d = __VERIFIER_nondet_float();
    if (!(d >= -1.0f && d <= 1.0f)) d = 0.0f;
    x = x + d;
    if (x > 500.0f) x = 500.0f;
    if (x < -500.0f) x = -500.0f;
    y = y + 0.25f * (x - y);
    z = z + 0.25f * (y - z);
    if (x - z > 13.0f || x - z < -13.0f) reach_error();
  }
  return 0;
}
