/* Anti-lock brake: slip, phases of pressure, estimation of the speed of the car. */
#include "goals.h"

enum { HOLD, BUILD, RELEASE };
static UInt8 X_Sb1_Phase = HOLD;
static UInt8 X_Sb1_Timer = 0;
static Float32 X_Sb1_Reference = 0.0F;
static Float32 X_Sb1_Pressure = 0.0F;

static void abs_brake(Float32 wheel, Float32 driver)
{
    Float32 slip, fall = X_Sb1_Reference - 0.4F;
    if (wheel > fall) {
        GOAL(1);
        X_Sb1_Reference = wheel;
    } else {
        GOAL(2);
        X_Sb1_Reference = fall;
    }
    if (X_Sb1_Reference > 80.0F)
        GOAL(3);
    if (X_Sb1_Reference < 0.0F)
        GOAL(4);
    if (X_Sb1_Reference > 2.0F) {
        GOAL(5);
        slip = (X_Sb1_Reference - wheel) / X_Sb1_Reference;
    } else {
        GOAL(6);
        slip = 0.0F;
    }
    if (slip > 1.0F)
        GOAL(7);
    if (slip < 0.0F)
        GOAL(8);
    if (slip > 0.9F)
        GOAL(9);
    if (slip > 0.5F && X_Sb1_Reference < 3.0F)
        GOAL(10);
    if (slip != slip)
        GOAL(11);
    if (slip > 0.25F) {
        GOAL(12);
        X_Sb1_Phase = RELEASE;
        X_Sb1_Timer = 2;
    } else if (slip > 0.15F) {
        GOAL(13);
        X_Sb1_Phase = HOLD;
    } else if (X_Sb1_Timer > 0) {
        GOAL(14);
        X_Sb1_Timer--;
    } else {
        GOAL(15);
        X_Sb1_Phase = BUILD;
    }
    switch (X_Sb1_Phase) {
    case BUILD:
        GOAL(16);
        X_Sb1_Pressure = X_Sb1_Pressure + 4.0F;
        if (X_Sb1_Pressure > driver) {
            GOAL(17);
            X_Sb1_Pressure = driver;
        }
        break;
    case RELEASE:
        GOAL(18);
        X_Sb1_Pressure = X_Sb1_Pressure * 0.75F;
        break;
    case HOLD:
        GOAL(19);
        break;
    default:
        GOAL(20);
        break;
    }
    if (X_Sb1_Pressure > 180.0F)
        GOAL(21);
    if (X_Sb1_Pressure > 12.0F)
        GOAL(22);
    if (X_Sb1_Pressure < 0.0F)
        GOAL(23);
    if (X_Sb1_Phase == RELEASE && X_Sb1_Reference <= 2.0F)
        GOAL(24);
    if (X_Sb1_Timer > 2)
        GOAL(25);
    if (X_Sb1_Phase == BUILD && X_Sb1_Timer != 0)
        GOAL(26);
}

int main(void)
{
    while (1) {
        Float32 wheel = Rte_Signal(0.0F, 80.0F);
        Float32 driver = Rte_Signal(0.0F, 180.0F);
        abs_brake(wheel, driver);
    }
    return 0;
}
