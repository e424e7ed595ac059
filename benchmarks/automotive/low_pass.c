/* Battery current: offset, low-pass filter of second order, charge counter with a leak. */
#include "goals.h"

static Float32 X_Sa3_First = 0.0F;
static Float32 X_Sa3_Second = 0.0F;
static Float32 X_Sa3_Charge = 50.0F;
static UInt8 X_Sa3_State = 0;

static void battery(Float32 current, Float32 temperature)
{
    Float32 offset, corrected, leak;
    if (temperature < -10.0F) {
        GOAL(1);
        offset = 0.5F;
    } else if (temperature > 60.0F) {
        GOAL(2);
        offset = -0.25F;
    } else {
        GOAL(3);
        offset = 0.0F;
    }
    if (temperature < -10.0F && temperature > 60.0F)
        GOAL(4);
    corrected = current + offset;
    if (corrected > 200.5F)
        GOAL(5);
    if (corrected > 200.0F)
        GOAL(6);
    X_Sa3_First = 0.75F * X_Sa3_First + 0.25F * corrected;
    X_Sa3_Second = 0.75F * X_Sa3_Second + 0.25F * X_Sa3_First;
    if (X_Sa3_First > 201.0F)
        GOAL(7);
    if (X_Sa3_First < -201.0F)
        GOAL(8);
    if (X_Sa3_Second > 201.0F)
        GOAL(9);
    if (X_Sa3_First > 50.0F)
        GOAL(10);
    if (X_Sa3_Second > 12.5F)
        GOAL(11);
    if (X_Sa3_Second > 40.0F)
        GOAL(12);
    if (X_Sa3_Second < -30.0F)
        GOAL(13);
    leak = 0.001F * X_Sa3_Charge;
    X_Sa3_Charge = X_Sa3_Charge + 0.01F * X_Sa3_Second - leak;
    if (X_Sa3_Charge > 100.0F) {
        GOAL(14);
        X_Sa3_Charge = 100.0F;
    } else if (X_Sa3_Charge < 0.0F) {
        GOAL(15);
        X_Sa3_Charge = 0.0F;
    } else {
        GOAL(16);
    }
    if (X_Sa3_Charge > 100.5F)
        GOAL(17);
    if (X_Sa3_Charge < 49.0F)
        GOAL(18);
    switch (X_Sa3_State) {
    case 0:
        GOAL(19);
        if (X_Sa3_Charge < 48.5F)
            X_Sa3_State = 1;
        break;
    case 1:
        GOAL(20);
        if (X_Sa3_Charge > 90.0F)
            X_Sa3_State = 2;
        break;
    case 2:
        GOAL(21);
        X_Sa3_State = 0;
        break;
    default:
        GOAL(22);
        break;
    }
    if (X_Sa3_First != X_Sa3_First || X_Sa3_Second != X_Sa3_Second)
        GOAL(23);
    if (!(X_Sa3_Charge >= 0.0F))
        GOAL(24);
}

int main(void)
{
    while (1) {
        Float32 current = Rte_Signal(-200.0F, 200.0F);
        Float32 temperature = Rte_Signal(-40.0F, 120.0F);
        battery(current, temperature);
    }
    return 0;
}
