// never: safe
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);
int main(void) {
  float x = __VERIFIER_nondet_float();
  if(x >= 0 && x <= 1){float a = x > 0.5f?x-0.5f:0.5f-x; if (!(a < 0.5f)) reach_error();}
  return 0;
}
