// expect: safe
// expect[bmc, ic3cfa, ic3, tree-ic3, tree-ic3-itp, tree-ic3-itp-mono, tree-itp, pred-abs]: unknown
//
// A set-point that follows its target by at most 2.5 per step, and never leaves 0 to 100.
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

static float clamp(float x, float low, float high) {
    if (x < low) return low;
    if (x > high) return high;
    return x;
}

int main(void) {
    float now = 0.0f;
    for (;;) {
        float target = __VERIFIER_nondet_float();
        if (!(target == target)) target = 0.0f;  // a sensor that fails gives NaN
        float step = clamp(target - now, -2.5f, 2.5f);
        float next = clamp(now + step, 0.0f, 100.0f);
        now = next;
        if (!(now >= 0.0f && now <= 100.0f))
            reach_error();
    }
}
