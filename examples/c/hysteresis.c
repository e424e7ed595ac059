// expect: safe
// expect[bmc, tree-itp, pred-abs, tree-ic3, tree-ic3-itp, tree-ic3-itp-mono]: unknown
//
// A switch on an analogue input, with hysteresis and a counter: it never turns on below the lower threshold.
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

#define LOW 1.2f
#define HIGH 3.1f
#define STABLE 5

int main(void) {
    int count = 0, on = 0;
    float last = 0.0f;
    for (;;) {
        float volts = __VERIFIER_nondet_float();
        int was = on;
        if (volts > HIGH) {
            if (count < STABLE) count++;
        } else if (!(volts >= LOW)) {
            count = 0;
        }
        if (count == STABLE) on = 1;
        if (count == 0) on = 0;
        last = volts;
        if (on && !was && !(last > HIGH))
            reach_error();
        if (count > STABLE || count < 0)
            reach_error();
    }
}
