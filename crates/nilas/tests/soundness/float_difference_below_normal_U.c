// never: safe
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);
int main(void) {
  float x = __VERIFIER_nondet_float();
  float y = __VERIFIER_nondet_float();
  if(x > 0 && y > 0 && x < y){if (!(y-x > 1e-38f)) reach_error();}
  return 0;
}
