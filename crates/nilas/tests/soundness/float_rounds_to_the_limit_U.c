// never: safe
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);
int main(void) {
  double d = __VERIFIER_nondet_double();
  if(d >= 0 && d < 1){if (!((float)d < 1)) reach_error();}
  return 0;
}
