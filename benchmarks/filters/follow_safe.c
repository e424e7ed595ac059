extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
/* A filter follows an input that moves by at most one: how far it is behind is bounded, by nothing that is named. */
int main(void) {
  float x = 0.0f, y = 0.0f;
  while (__VERIFIER_nondet_int()) {
    float d = __VERIFIER_nondet_float();
    if (!(d >= -1.0f && d <= 1.0f)) d = 0.0f;
    x = x + d;
    if (x > 1000.0f) x = 1000.0f;
    if (x < -1000.0f) x = -1000.0f;
    y = y + 0.25f * (x - y);
    float behind = x - y;
    if (behind > 4.5f || behind < -4.5f) reach_error();
  }
  return 0;
}
