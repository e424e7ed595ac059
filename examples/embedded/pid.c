// A PID controller: the integral is limited on one side only.
#include <assert.h>

typedef struct {
    float kp, ki;
    float integral;
} pid_t_;

static pid_t_ pid = { 2.0f, 0.5f, 0.0f };

static float step(pid_t_ *p, float error) {
    p->integral += p->ki * error;
    if (p->integral > 10.0f) {
        p->integral = 10.0f;
    }
    return p->kp * error + p->integral;
}

extern int __VERIFIER_nondet_int(void);

int main(void) {
    float duty = 0.0f;
    for (int tick = 0; tick < 3; tick++) {
        int measured = __VERIFIER_nondet_int();
        if (measured < 0 || measured > 100) {
            return 0;
        }
        duty = step(&pid, (float)(40 - measured));
    }
    assert(pid.integral >= -50.0f);
    return duty > 0.0f;
}
