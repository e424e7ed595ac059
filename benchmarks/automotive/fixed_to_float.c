/* Wheel speed: raw counts to physical values, with conversions in both directions. */
#include "goals.h"

static UInt16 X_Sa8_LastRaw = 0;
static Float32 X_Sa8_Speed = 0.0F;
static UInt8 X_Sa8_Quality = 100;
static Int16 Sa8_Out = 0;

static void wheel(UInt16 raw, Bool forward)
{
    Float32 physical, filtered, scaled;
    Int32 difference;
    if (raw == 0xFFFFu) {
        GOAL(1);
        raw = X_Sa8_LastRaw;
        X_Sa8_Quality = X_Sa8_Quality >= 10 ? X_Sa8_Quality - 10 : 0;
    } else {
        GOAL(2);
        X_Sa8_Quality = X_Sa8_Quality <= 95 ? X_Sa8_Quality + 5 : 100;
    }
    if (X_Sa8_Quality > 100)
        GOAL(3);
    if (X_Sa8_Quality < 60)
        GOAL(4);
    if (raw == 0xFFFFu)
        GOAL(5);
    difference = (Int32)raw - (Int32)X_Sa8_LastRaw;
    X_Sa8_LastRaw = raw;
    if (difference > 40000) {
        GOAL(6);
        physical = X_Sa8_Speed;
    } else if (difference < -40000) {
        GOAL(7);
        physical = X_Sa8_Speed;
    } else {
        GOAL(8);
        physical = (Float32)raw * 0.0056F;
    }
    if (physical > 367.0F)
        GOAL(9);
    if (physical > 366.0F)
        GOAL(10);
    if (physical < 0.0F)
        GOAL(11);
    filtered = 0.5F * X_Sa8_Speed + 0.5F * physical;
    X_Sa8_Speed = filtered;
    if (X_Sa8_Speed > 367.0F)
        GOAL(12);
    if (X_Sa8_Speed > 300.0F)
        GOAL(13);
    scaled = filtered * 64.0F;
    if (scaled > 32767.0F) {
        GOAL(14);
        scaled = 32767.0F;
    }
    Sa8_Out = (Int16)scaled;
    if (!forward) {
        GOAL(15);
        Sa8_Out = (Int16)-Sa8_Out;
    }
    if (Sa8_Out > 23500)
        GOAL(16);
    if (Sa8_Out < -20000)
        GOAL(17);
    if (forward && Sa8_Out < 0)
        GOAL(18);
    if (Sa8_Out == 0 && X_Sa8_Speed > 1.0F)
        GOAL(19);
    if ((Float32)Sa8_Out > scaled + 1.0F)
        GOAL(20);
    if (X_Sa8_Quality == 0)
        GOAL(21);
    if ((X_Sa8_Quality & 1u) != 0u)
        GOAL(22);
    if (X_Sa8_Quality % 5u != 0u)
        GOAL(23);
}

int main(void)
{
    while (1) {
        UInt16 raw = __VERIFIER_nondet_ushort();
        Bool forward = Rte_Flag();
        wheel(raw, forward);
    }
    return 0;
}
