/* Lambda control: two-point controller with a ramp, adaptation by ratio, diagnosis. */
#include "goals.h"

static Float32 X_Sb4_Factor = 1.0F;
static Float32 X_Sb4_Adaptation = 1.0F;
static Bool X_Sb4_Rich = 0;
static UInt8 X_Sb4_Stuck = 0;
static Bool Sb4_Error = 0;

static void lambda(Float32 probe, Bool closed_loop)
{
    Bool rich = probe > 0.45F;
    Float32 ratio;
    if (!closed_loop) {
        GOAL(1);
        X_Sb4_Factor = 1.0F;
        X_Sb4_Stuck = 0;
        return;
    }
    GOAL(2);
    if (rich && !X_Sb4_Rich) {
        GOAL(3);
        X_Sb4_Factor = X_Sb4_Factor - 0.05F;
        X_Sb4_Stuck = 0;
    } else if (!rich && X_Sb4_Rich) {
        GOAL(4);
        X_Sb4_Factor = X_Sb4_Factor + 0.05F;
        X_Sb4_Stuck = 0;
    } else if (rich) {
        GOAL(5);
        X_Sb4_Factor = X_Sb4_Factor - 0.01F;
        X_Sb4_Stuck = X_Sb4_Stuck < 100 ? X_Sb4_Stuck + 1 : 100;
    } else {
        GOAL(6);
        X_Sb4_Factor = X_Sb4_Factor + 0.01F;
        X_Sb4_Stuck = X_Sb4_Stuck < 100 ? X_Sb4_Stuck + 1 : 100;
    }
    X_Sb4_Rich = rich;
    if (X_Sb4_Factor > 1.25F) {
        GOAL(7);
        X_Sb4_Factor = 1.25F;
    }
    if (X_Sb4_Factor < 0.75F) {
        GOAL(8);
        X_Sb4_Factor = 0.75F;
    }
    if (X_Sb4_Factor > 1.03F)
        GOAL(9);
    if (X_Sb4_Factor > 1.26F)
        GOAL(10);
    if (X_Sb4_Factor < 0.74F)
        GOAL(11);
    ratio = X_Sb4_Factor / X_Sb4_Adaptation;
    if (ratio > 1.0F) {
        GOAL(12);
        X_Sb4_Adaptation = X_Sb4_Adaptation + 0.001F * (ratio - 1.0F);
    } else if (ratio < 1.0F) {
        GOAL(13);
        X_Sb4_Adaptation = X_Sb4_Adaptation - 0.001F * (1.0F - ratio);
    } else {
        GOAL(14);
    }
    if (ratio > 2.0F)
        GOAL(15);
    if (ratio <= 0.0F)
        GOAL(16);
    if (ratio != ratio)
        GOAL(17);
    if (X_Sb4_Adaptation > 1.3F)
        GOAL(18);
    if (X_Sb4_Adaptation < 0.7F)
        GOAL(19);
    if (X_Sb4_Stuck >= 8) {
        GOAL(20);
        Sb4_Error = 1;
    }
    if (X_Sb4_Stuck > 100)
        GOAL(21);
    if (Sb4_Error && X_Sb4_Factor == 1.0F)
        GOAL(22);
    if (X_Sb4_Rich && probe < 0.4F)
        GOAL(23);
    if (ratio > 1.04F && rich)
        GOAL(24);
}

int main(void)
{
    while (1) {
        Float32 probe = Rte_Signal(0.0F, 1.0F);
        Bool closed_loop = Rte_Flag();
        lambda(probe, closed_loop);
    }
    return 0;
}
