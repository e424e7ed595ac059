/* Injection time: look-up table with linear interpolation, corrections, saturation. */
#include "goals.h"

static Float32 X_Sa4_Last = 0.0F;
static UInt8 X_Sa4_Index = 0;

/* Search and interpolation as they are generated for few points: without a loop. */
static Float32 Tab1DIntp_Injection(Float32 load)
{
    if (load <= 10.0F) {
        GOAL(1);
        X_Sa4_Index = 0;
        return 1.0F;
    }
    if (load <= 25.0F) {
        GOAL(2);
        X_Sa4_Index = 1;
        return 1.0F + (load - 10.0F) * (0.8F / 15.0F);
    }
    if (load <= 50.0F) {
        GOAL(3);
        X_Sa4_Index = 2;
        return 1.8F + (load - 25.0F) * (2.2F / 25.0F);
    }
    if (load <= 80.0F) {
        GOAL(4);
        X_Sa4_Index = 3;
        return 4.0F + (load - 50.0F) * (3.0F / 30.0F);
    }
    if (load <= 100.0F) {
        GOAL(5);
        X_Sa4_Index = 4;
        return 7.0F + (load - 80.0F) * (2.0F / 20.0F);
    }
    GOAL(6);
    X_Sa4_Index = 5;
    return 9.0F;
}

static void injection(Float32 load, Float32 voltage, Float32 temperature)
{
    Float32 base = Tab1DIntp_Injection(load);
    Float32 dead, factor, time;
    if (base < 1.0F)
        GOAL(7);
    if (base > 9.01F)
        GOAL(8);
    if (base > 8.5F)
        GOAL(9);
    if (base > 4.2F && load < 50.0F)
        GOAL(10);
    if (voltage < 9.0F) {
        GOAL(11);
        dead = 1.5F;
    } else if (voltage < 12.0F) {
        GOAL(12);
        dead = 1.5F - (voltage - 9.0F) * 0.25F;
    } else {
        GOAL(13);
        dead = 0.75F;
    }
    if (dead < 0.74F)
        GOAL(14);
    factor = temperature < 20.0F ? 1.0F + (20.0F - temperature) * 0.01F : 1.0F;
    if (factor > 1.6F)
        GOAL(15);
    if (factor > 1.61F)
        GOAL(16);
    time = base * factor + dead;
    if (time > 12.0F) {
        GOAL(17);
        time = 12.0F;
    }
    if (time < 1.0F) {
        GOAL(18);
        time = 1.0F;
    }
    if (time - X_Sa4_Last > 11.5F)
        GOAL(19);
    if (X_Sa4_Last - time > 11.5F)
        GOAL(20);
    if (X_Sa4_Last > 11.9F && time < 1.8F)
        GOAL(21);
    X_Sa4_Last = time;
    if (X_Sa4_Last > 12.0F)
        GOAL(22);
    if (X_Sa4_Index == 2 && time > 9.0F)
        GOAL(23);
    if (X_Sa4_Index == 1 && time > 6.0F)
        GOAL(24);
    if (X_Sa4_Index > 5)
        GOAL(25);
}

int main(void)
{
    while (1) {
        Float32 load = Rte_Signal(0.0F, 120.0F);
        Float32 voltage = Rte_Signal(6.0F, 16.0F);
        Float32 temperature = Rte_Signal(-40.0F, 130.0F);
        injection(load, voltage, temperature);
    }
    return 0;
}
