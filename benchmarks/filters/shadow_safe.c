extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
/* A model runs beside the plant and is corrected: both go far, but never apart. */
int main(void) {
  float plant = 0.0f, model = 0.0f;
  while (__VERIFIER_nondet_int()) {
    float u = __VERIFIER_nondet_float(), noise = __VERIFIER_nondet_float();
    if (!(u >= -2.0f && u <= 2.0f)) u = 0.0f;
    if (!(noise >= -0.5f && noise <= 0.5f)) noise = 0.0f;
    if (plant + u > 800.0f || plant + u < -800.0f) u = 0.0f;
    plant = plant + u + noise;
    if (plant > 900.0f) plant = 900.0f;
    if (plant < -900.0f) plant = -900.0f;
    model = model + u;
    model = model + 0.5f * (plant - model);
    if (plant - model > 1.5f || plant - model < -1.5f) reach_error();
  }
  return 0;
}
