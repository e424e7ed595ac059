// expect: safe
// expect[bmc, ic3cfa, ic3, tree-ic3, tree-ic3-itp, tree-ic3-itp-mono, tree-itp, pred-abs]: unknown
//
// A low-pass filter of first order: its output stays in the range of its input.
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

static float state = 0.0f;

static float low_pass(float input) {
    state = 0.75f * state + 0.25f * input;
    return state;
}

int main(void) {
    for (;;) {
        float input = __VERIFIER_nondet_float();
        __VERIFIER_assume(input >= -100.0f && input <= 100.0f);
        float output = low_pass(input);
        if (!(output >= -100.0f && output <= 100.0f))
            reach_error();
    }
}
