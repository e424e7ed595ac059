extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
/* A complementary filter: the weights sum to one, so the value stays near the sources. */
int main(void) {
  float angle = 0.0f;
  while (__VERIFIER_nondet_int()) {
    float gyro = __VERIFIER_nondet_float(), acc = __VERIFIER_nondet_float();
    if (!(gyro >= -5.0f && gyro <= 5.0f && acc >= -90.0f && acc <= 90.0f)) { gyro = 0.0f; acc = 0.0f; }
    float guess = angle + gyro * 0.01f;
    float correction = acc - guess;
    angle = guess + 0.02f * correction;
    float scaled = angle * angle;
    if (scaled > 3.0f) reach_error();
  }
  return 0;
}
