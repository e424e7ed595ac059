/* Climate control: blend door by a two-dimensional map, blower steps with hysteresis, in double precision. */
#include "goals.h"

static Float64 X_Sb2_Door = 50.0;
static UInt8 X_Sb2_Blower = 0;
static Float64 X_Sb2_Cabin = 20.0;

static void climate(Float32 wish, Float32 outside, Float32 sun)
{
    Float64 difference, heat, door, load;
    difference = (Float64)wish - X_Sb2_Cabin;
    if (difference > 45.0)
        GOAL(1);
    if (difference > 8.0)
        GOAL(2);
    if (difference < -20.0)
        GOAL(3);
    load = (Float64)sun * 0.01 - (Float64)outside * 0.02;
    if (load > 10.9)
        GOAL(4);
    if (load > 10.0)
        GOAL(5);
    door = 50.0 + 4.0 * difference - load;
    if (door > 100.0) {
        GOAL(6);
        door = 100.0;
    } else if (door < 0.0) {
        GOAL(7);
        door = 0.0;
    } else {
        GOAL(8);
    }
    X_Sb2_Door = X_Sb2_Door + 0.2 * (door - X_Sb2_Door);
    if (X_Sb2_Door > 100.0)
        GOAL(9);
    if (X_Sb2_Door > 101.0)
        GOAL(10);
    if (X_Sb2_Door < -0.5)
        GOAL(11);
    if (X_Sb2_Door > 75.0)
        GOAL(12);
    if (X_Sb2_Door < 30.0)
        GOAL(13);
    heat = (X_Sb2_Door - 50.0) * 0.04 + ((Float64)outside - X_Sb2_Cabin) * 0.01;
    X_Sb2_Cabin = X_Sb2_Cabin + heat * 0.5;
    if (X_Sb2_Cabin > 70.0) {
        GOAL(14);
        X_Sb2_Cabin = 70.0;
    }
    if (X_Sb2_Cabin < -40.0) {
        GOAL(15);
        X_Sb2_Cabin = -40.0;
    }
    if (X_Sb2_Cabin > 21.0)
        GOAL(16);
    if (X_Sb2_Cabin > 70.5)
        GOAL(17);
    switch (X_Sb2_Blower) {
    case 0:
        GOAL(18);
        if (difference > 2.0 || difference < -2.0)
            X_Sb2_Blower = 1;
        break;
    case 1:
        GOAL(19);
        if (difference > 6.0 || difference < -6.0)
            X_Sb2_Blower = 2;
        else if (difference < 1.0 && difference > -1.0)
            X_Sb2_Blower = 0;
        break;
    case 2:
        GOAL(20);
        if (difference < 4.0 && difference > -4.0)
            X_Sb2_Blower = 1;
        break;
    default:
        GOAL(21);
        X_Sb2_Blower = 0;
        break;
    }
    if (X_Sb2_Blower > 2)
        GOAL(22);
    if (X_Sb2_Blower == 2 && difference == 0.0)
        GOAL(23);
    if (X_Sb2_Cabin != X_Sb2_Cabin || X_Sb2_Door != X_Sb2_Door)
        GOAL(24);
}

int main(void)
{
    while (1) {
        Float32 wish = Rte_Signal(16.0F, 30.0F);
        Float32 outside = Rte_Signal(-40.0F, 50.0F);
        Float32 sun = Rte_Signal(0.0F, 1000.0F);
        climate(wish, outside, sun);
    }
    return 0;
}
