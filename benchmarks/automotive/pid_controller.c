/* Idle speed controller: PID with anti-windup, saturation and a reset. */
#include "goals.h"

static Float32 X_Sa1_Integrator = 0.0F;
static Float32 X_Sa1_LastError = 0.0F;
static Float32 Sa1_Output = 0.0F;
static UInt8 X_Sa1_SatCounter = 0;
static Bool X_Sa1_WasReset = 0;

static void idle_speed(Float32 setpoint, Float32 speed, Bool reset)
{
    Float32 error = setpoint - speed;
    Float32 proportional, derivative, sum;
    if (reset) {
        GOAL(1);
        X_Sa1_Integrator = 0.0F;
        X_Sa1_LastError = 0.0F;
        X_Sa1_SatCounter = 0;
        X_Sa1_WasReset = 1;
        Sa1_Output = 0.0F;
        return;
    }
    GOAL(2);
    if (X_Sa1_WasReset && X_Sa1_Integrator != 0.0F)
        GOAL(3);
    X_Sa1_WasReset = 0;
    if (error > 500.0F) {
        GOAL(4);
        error = 500.0F;
    } else if (error < -500.0F) {
        GOAL(5);
        error = -500.0F;
    }
    if (error > 500.0F || error < -500.0F)
        GOAL(6);
    proportional = 0.04F * error;
    derivative = 0.01F * (error - X_Sa1_LastError);
    X_Sa1_LastError = error;
    if (derivative > 10.0F)
        GOAL(7);
    if (derivative < -10.5F)
        GOAL(8);
    X_Sa1_Integrator = X_Sa1_Integrator + 0.002F * error;
    if (X_Sa1_Integrator > 25.0F) {
        GOAL(9);
        X_Sa1_Integrator = 25.0F;
    }
    if (X_Sa1_Integrator < -25.0F) {
        GOAL(10);
        X_Sa1_Integrator = -25.0F;
    }
    if (X_Sa1_Integrator > 26.0F)
        GOAL(11);
    sum = proportional + X_Sa1_Integrator + derivative;
    if (sum > 30.0F) {
        GOAL(12);
        Sa1_Output = 30.0F;
        X_Sa1_SatCounter = X_Sa1_SatCounter < 200 ? X_Sa1_SatCounter + 1 : 200;
    } else if (sum < 0.0F) {
        GOAL(13);
        Sa1_Output = 0.0F;
        X_Sa1_SatCounter = X_Sa1_SatCounter < 200 ? X_Sa1_SatCounter + 1 : 200;
    } else {
        GOAL(14);
        Sa1_Output = sum;
        X_Sa1_SatCounter = 0;
    }
    if (Sa1_Output > 30.0F)
        GOAL(15);
    if (Sa1_Output < 0.0F)
        GOAL(16);
    if (X_Sa1_SatCounter >= 3)
        GOAL(17);
    if (X_Sa1_SatCounter > 200)
        GOAL(18);
    if (sum > 56.0F)
        GOAL(19);
    if (sum < -20.0F && X_Sa1_Integrator > 0.0F)
        GOAL(20);
    if (!(sum <= 100.0F))
        GOAL(21);
    if (X_Sa1_Integrator > 2.5F)
        GOAL(22);
    if (X_Sa1_Integrator != X_Sa1_Integrator)
        GOAL(23);
}

int main(void)
{
    while (1) {
        Float32 setpoint = Rte_Signal(600.0F, 1200.0F);
        Float32 speed = Rte_Signal(0.0F, 8000.0F);
        Bool reset = Rte_Flag();
        idle_speed(setpoint, speed, reset);
    }
    return 0;
}
