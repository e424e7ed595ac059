extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
/* The distance of two weighted means of the same numbers: what they have in common cancels out. */
int main(void) {
  float x = __VERIFIER_nondet_float(), y = __VERIFIER_nondet_float(), d = __VERIFIER_nondet_float();
  if (!(x >= -1000.0f && x <= 1000.0f && y >= -1000.0f && y <= 1000.0f && d >= -1.0f && d <= 1.0f)) return 0;
  float a = x + d, b = x - d;
  float m = 0.5f * a + 0.25f * y, n = 0.5f * b + 0.25f * y;
  float e = m - n;
  if (e > 0.9f || e < -0.9f) reach_error();
  return 0;
}
