/* Knock sensor: threshold with hysteresis, debouncing, degradation of the threshold. */
#include "goals.h"

static UInt8 X_Sa5_Count = 0;
static Bool X_Sa5_High = 0;
static Bool Sa5_Knock = 0;
static Float32 X_Sa5_Threshold = 3.0F;
static UInt16 X_Sa5_Events = 0;

static void knock(Float32 level, Bool quiet)
{
    Bool raw;
    if (X_Sa5_High) {
        GOAL(1);
        raw = level > X_Sa5_Threshold - 0.5F;
    } else {
        GOAL(2);
        raw = level > X_Sa5_Threshold;
    }
    X_Sa5_High = raw;
    if (raw && level <= 1.0F)
        GOAL(3);
    if (raw && level <= 2.6F)
        GOAL(4);
    if (raw) {
        GOAL(5);
        if (X_Sa5_Count < 5) {
            GOAL(6);
            X_Sa5_Count++;
        } else {
            GOAL(7);
            if (!Sa5_Knock) {
                GOAL(8);
                X_Sa5_Events = X_Sa5_Events < 1000 ? X_Sa5_Events + 1 : 1000;
            }
            Sa5_Knock = 1;
        }
    } else {
        GOAL(9);
        if (X_Sa5_Count > 0) {
            GOAL(10);
            X_Sa5_Count--;
        } else {
            GOAL(11);
            Sa5_Knock = 0;
        }
    }
    if (X_Sa5_Count > 5)
        GOAL(12);
    if (Sa5_Knock && X_Sa5_Count == 0)
        GOAL(13);
    if (Sa5_Knock && X_Sa5_Events == 0)
        GOAL(14);
    if (Sa5_Knock) {
        GOAL(15);
        X_Sa5_Threshold = X_Sa5_Threshold + 0.125F;
    } else if (quiet) {
        GOAL(16);
        X_Sa5_Threshold = X_Sa5_Threshold - 0.0625F;
    }
    if (X_Sa5_Threshold > 5.0F) {
        GOAL(17);
        X_Sa5_Threshold = 5.0F;
    }
    if (X_Sa5_Threshold < 2.0F) {
        GOAL(18);
        X_Sa5_Threshold = 2.0F;
    }
    if (X_Sa5_Threshold > 5.1F)
        GOAL(19);
    if (X_Sa5_Threshold < 1.9F)
        GOAL(20);
    if (X_Sa5_Threshold < 2.8F)
        GOAL(21);
    if (X_Sa5_Events >= 2)
        GOAL(22);
    if (X_Sa5_Events > 1000)
        GOAL(23);
    if (raw && level < 1.5F)
        GOAL(24);
}

int main(void)
{
    while (1) {
        Float32 level = Rte_Signal(0.0F, 10.0F);
        Bool quiet = Rte_Flag();
        knock(level, quiet);
    }
    return 0;
}
