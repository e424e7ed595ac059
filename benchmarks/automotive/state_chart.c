/* Automatic gear box: a state chart with timers and a torque ramp. */
#include "goals.h"

enum { PARK, REVERSE, NEUTRAL, DRIVE, SHIFTING };
static UInt8 X_Sa6_State = PARK;
static UInt8 X_Sa6_Timer = 0;
static UInt8 X_Sa6_Gear = 0;
static Float32 X_Sa6_Torque = 0.0F;

static void gear_box(UInt8 lever, Float32 speed, Float32 pedal)
{
    Float32 target = 0.0F;
    switch (X_Sa6_State) {
    case PARK:
        GOAL(1);
        X_Sa6_Gear = 0;
        if (lever == 1 && speed < 2.0F) {
            GOAL(2);
            X_Sa6_State = REVERSE;
        } else if (lever == 2) {
            GOAL(3);
            X_Sa6_State = NEUTRAL;
        }
        break;
    case REVERSE:
        GOAL(4);
        target = -0.5F * pedal;
        if (lever != 1) {
            GOAL(5);
            X_Sa6_State = NEUTRAL;
        }
        break;
    case NEUTRAL:
        GOAL(6);
        X_Sa6_Gear = 0;
        if (lever == 3) {
            GOAL(7);
            X_Sa6_State = DRIVE;
            X_Sa6_Gear = 1;
        } else if (lever == 0 && speed < 1.0F) {
            GOAL(8);
            X_Sa6_State = PARK;
        }
        break;
    case DRIVE:
        GOAL(9);
        target = pedal;
        if (lever != 3) {
            GOAL(10);
            X_Sa6_State = NEUTRAL;
        } else if (speed > 20.0F * (Float32)X_Sa6_Gear && X_Sa6_Gear < 6) {
            GOAL(11);
            X_Sa6_State = SHIFTING;
            X_Sa6_Timer = 3;
            X_Sa6_Gear++;
        } else if (X_Sa6_Gear > 1 && speed < 15.0F * (Float32)(X_Sa6_Gear - 1)) {
            GOAL(12);
            X_Sa6_State = SHIFTING;
            X_Sa6_Timer = 2;
            X_Sa6_Gear--;
        }
        break;
    case SHIFTING:
        GOAL(13);
        if (X_Sa6_Timer > 0) {
            GOAL(14);
            X_Sa6_Timer--;
        } else {
            GOAL(15);
            X_Sa6_State = DRIVE;
        }
        break;
    default:
        GOAL(16);
        X_Sa6_State = PARK;
        break;
    }
    if (target > X_Sa6_Torque + 10.0F) {
        GOAL(17);
        X_Sa6_Torque = X_Sa6_Torque + 10.0F;
    } else if (target < X_Sa6_Torque - 25.0F) {
        GOAL(18);
        X_Sa6_Torque = X_Sa6_Torque - 25.0F;
    } else {
        GOAL(19);
        X_Sa6_Torque = target;
    }
    if (X_Sa6_Torque > 100.0F)
        GOAL(20);
    if (X_Sa6_Torque < -50.0F)
        GOAL(21);
    if (X_Sa6_Torque < -20.0F)
        GOAL(22);
    if (X_Sa6_Gear > 6)
        GOAL(23);
    if (X_Sa6_Gear == 3)
        GOAL(24);
    if (X_Sa6_State == SHIFTING && X_Sa6_Gear == 0)
        GOAL(25);
    if (X_Sa6_State == REVERSE && X_Sa6_Gear != 0)
        GOAL(26);
    if (X_Sa6_State == PARK && X_Sa6_Torque > 60.0F)
        GOAL(27);
    if (X_Sa6_Timer > 3)
        GOAL(28);
}

int main(void)
{
    while (1) {
        UInt8 lever = __VERIFIER_nondet_uchar() & 3u;
        Float32 speed = Rte_Signal(0.0F, 250.0F);
        Float32 pedal = Rte_Signal(0.0F, 100.0F);
        gear_box(lever, speed, pedal);
    }
    return 0;
}
