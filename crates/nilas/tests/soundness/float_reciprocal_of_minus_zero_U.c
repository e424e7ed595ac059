// never: safe
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);
int main(void) {
  float x = __VERIFIER_nondet_float();
  if(x >= 0){if (!(1/x > 0)) reach_error();}
  return 0;
}
