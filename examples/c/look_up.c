// expect: safe
// expect[bmc, ic3cfa, ic3, tree-ic3, tree-ic3-itp, tree-ic3-itp-mono, tree-itp, pred-abs]: unknown
//
// A table with interpolation: the result lies between the least and the greatest entry.
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

static const float table[5] = {0.0f, 12.5f, 40.0f, 62.5f, 100.0f};

static float look_up(float x) {
    if (!(x > 0.0f)) return table[0];
    if (x >= 4.0f) return table[4];
    int i = (int)x;
    float part = x - (float)i;
    return table[i] + part * (table[i + 1] - table[i]);
}

int main(void) {
    float x = __VERIFIER_nondet_float();
    float y = look_up(x);
    if (!(y >= 0.0f && y <= 101.0f))
        reach_error();
    return 0;
}
