// never: safe
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);
int main(void) {
  float x = __VERIFIER_nondet_float();
  float s = 0; for(int k = 0;k < 5;k++){ if(x >= -1 && x <= 1) s = 0.9f*s+x; } if (!(s <= 4.0f)) reach_error();
  return 0;
}
