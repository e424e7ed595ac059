// never: safe
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);
int main(void) {
  float x = __VERIFIER_nondet_float();
  float c = x < 0?0:x > 1?1:x; if (!(c >= 0 && c <= 1)) reach_error();
  return 0;
}
