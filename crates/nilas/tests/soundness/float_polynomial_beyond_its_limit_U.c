// never: safe
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);
int main(void) {
  float x = __VERIFIER_nondet_float();
  if(x >= -1 && x <= 1){float r = x-x*x*x/6; if (!(r <= 0.83f)) reach_error();}
  return 0;
}
