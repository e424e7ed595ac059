extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
/* Pulses are counted when they come and when they are worked off, and the speed is filtered: work is never ahead. */
int main(void) {
  int seen = 0, done = 0;
  float speed = 0.0f;
  while (__VERIFIER_nondet_int()) {
    float pulse = __VERIFIER_nondet_float();
    if (!(pulse >= 0.0f && pulse <= 10.0f)) pulse = 0.0f;
    speed = 0.75f * speed + 0.25f * pulse;
    if (speed > 1.0f && seen < 30000) seen = seen + 1;
    if (speed < 0.5f && done < seen) done = done + 1;
    if (seen < done + 1 && speed < 0.5f) reach_error();
  }
  return 0;
}
