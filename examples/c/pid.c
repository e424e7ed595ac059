// expect: safe
// expect[bmc]: unknown
//
// A PID controller with an integrator that does not wind up: its output stays within the actuator's limits.
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

#define LIMIT 100.0f
#define WINDUP 50.0f

struct pid {
    float kp, ki, kd;
    float integral;
    float last;
};

static float clamp(float value, float limit) {
    if (!(value <= limit)) return limit;
    if (!(value >= -limit)) return -limit;
    return value;
}

static float step(struct pid *pid, float setpoint, float measured) {
    float error = setpoint - measured;
    pid->integral = clamp(pid->integral + pid->ki * error, WINDUP);
    float derivative = error - pid->last;
    pid->last = error;
    return clamp(pid->kp * error + pid->integral + pid->kd * derivative, LIMIT);
}

int main(void) {
    struct pid pid = {2.0f, 0.5f, 0.1f, 0.0f, 0.0f};
    while (1) {
        float measured = __VERIFIER_nondet_float();
        if (!(measured >= -1000.0f && measured <= 1000.0f)) continue;
        float output = step(&pid, 20.0f, measured);
        if (!(output >= -LIMIT && output <= LIMIT)) reach_error();
        if (!(pid.integral >= -WINDUP && pid.integral <= WINDUP)) reach_error();
    }
}
