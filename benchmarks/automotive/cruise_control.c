/* Cruise control: state machine, PI controller, acceleration limiter, plausibility of speed. */
#include "goals.h"

enum { OFF, STANDBY, ACTIVE, OVERRIDE };
static UInt8 X_Sa7_Mode = OFF;
static Float32 X_Sa7_Set = 0.0F;
static Float32 X_Sa7_Integral = 0.0F;
static Float32 X_Sa7_Command = 0.0F;
static Float32 X_Sa7_LastSpeed = 0.0F;
static UInt8 X_Sa7_Bad = 0;

static void cruise(Bool on, Bool set, Bool brake, Float32 gas, Float32 speed)
{
    Float32 jump = speed - X_Sa7_LastSpeed, error, wish;
    if (jump > 30.0F || jump < -30.0F) {
        GOAL(1);
        if (X_Sa7_Bad < 3) {
            GOAL(2);
            X_Sa7_Bad++;
        }
    } else {
        GOAL(3);
        X_Sa7_Bad = 0;
    }
    X_Sa7_LastSpeed = speed;
    if (X_Sa7_Bad > 3)
        GOAL(4);
    if (!on || X_Sa7_Bad >= 3) {
        GOAL(5);
        X_Sa7_Mode = OFF;
    }
    switch (X_Sa7_Mode) {
    case OFF:
        GOAL(6);
        if (on && X_Sa7_Bad == 0)
            X_Sa7_Mode = STANDBY;
        X_Sa7_Integral = 0.0F;
        break;
    case STANDBY:
        GOAL(7);
        if (set && speed > 40.0F && !brake) {
            GOAL(8);
            X_Sa7_Mode = ACTIVE;
            X_Sa7_Set = speed;
            X_Sa7_Integral = 0.0F;
        }
        break;
    case ACTIVE:
        GOAL(9);
        if (brake) {
            GOAL(10);
            X_Sa7_Mode = STANDBY;
        } else if (gas > 50.0F) {
            GOAL(11);
            X_Sa7_Mode = OVERRIDE;
        }
        break;
    case OVERRIDE:
        GOAL(12);
        if (gas < 10.0F) {
            GOAL(13);
            X_Sa7_Mode = ACTIVE;
        }
        break;
    default:
        GOAL(14);
        break;
    }
    wish = 0.0F;
    if (X_Sa7_Mode == ACTIVE) {
        GOAL(15);
        error = X_Sa7_Set - speed;
        X_Sa7_Integral = X_Sa7_Integral + 0.01F * error;
        if (X_Sa7_Integral > 3.0F) {
            GOAL(16);
            X_Sa7_Integral = 3.0F;
        } else if (X_Sa7_Integral < -3.0F) {
            GOAL(17);
            X_Sa7_Integral = -3.0F;
        }
        wish = 0.1F * error + X_Sa7_Integral;
    }
    if (wish > X_Sa7_Command + 0.5F)
        X_Sa7_Command = X_Sa7_Command + 0.5F;
    else if (wish < X_Sa7_Command - 1.0F)
        X_Sa7_Command = X_Sa7_Command - 1.0F;
    else
        X_Sa7_Command = wish;
    if (X_Sa7_Command > 2.0F) {
        GOAL(18);
        X_Sa7_Command = 2.0F;
    }
    if (X_Sa7_Command < -3.5F) {
        GOAL(19);
        X_Sa7_Command = -3.5F;
    }
    if (X_Sa7_Command > 2.5F)
        GOAL(20);
    if (X_Sa7_Mode == ACTIVE && X_Sa7_Set <= 40.0F)
        GOAL(21);
    if (X_Sa7_Mode == OFF && X_Sa7_Integral != 0.0F)
        GOAL(22);
    if (X_Sa7_Integral > 3.1F)
        GOAL(23);
    if (X_Sa7_Mode == OVERRIDE && X_Sa7_Set > 200.0F)
        GOAL(24);
    if (X_Sa7_Set > 260.0F)
        GOAL(25);
    if (X_Sa7_Command > 1.0F && X_Sa7_Mode == OFF)
        GOAL(26);
}

int main(void)
{
    while (1) {
        Bool on = Rte_Flag(), set = Rte_Flag(), brake = Rte_Flag();
        Float32 gas = Rte_Signal(0.0F, 100.0F);
        Float32 speed = Rte_Signal(0.0F, 260.0F);
        cruise(on, set, brake, gas, speed);
    }
    return 0;
}
