/* Steering angle request: two rate limiters in a row, a dead zone, and a monitor. */
#include "goals.h"

static Float32 X_Sa2_Limited = 0.0F;
static Float32 X_Sa2_Smooth = 0.0F;
static UInt8 X_Sa2_Monitor = 0;
static Bool Sa2_Fault = 0;

static Float32 limit(Float32 last, Float32 request, Float32 up, Float32 down)
{
    Float32 delta = request - last;
    if (delta > up) {
        GOAL(1);
        return last + up;
    }
    if (delta < down) {
        GOAL(2);
        return last + down;
    }
    GOAL(3);
    return request;
}

static void steering(Float32 request, Bool enable)
{
    Float32 zoned, before = X_Sa2_Limited, rate;
    if (!enable) {
        GOAL(4);
        request = 0.0F;
    }
    if (request > 2.0F) {
        GOAL(5);
        zoned = request - 2.0F;
    } else if (request < -2.0F) {
        GOAL(6);
        zoned = request + 2.0F;
    } else {
        GOAL(7);
        zoned = 0.0F;
    }
    if (zoned > 448.0F)
        GOAL(8);
    if (zoned > 440.0F)
        GOAL(9);
    X_Sa2_Limited = limit(X_Sa2_Limited, zoned, 12.5F, -12.5F);
    X_Sa2_Smooth = limit(X_Sa2_Smooth, X_Sa2_Limited, 8.0F, -8.0F);
    rate = X_Sa2_Limited - before;
    if (rate > 12.5F)
        GOAL(10);
    if (rate > 13.0F)
        GOAL(11);
    if (rate < -13.0F)
        GOAL(12);
    if (X_Sa2_Limited > 448.0F)
        GOAL(13);
    if (X_Sa2_Limited < -448.0F)
        GOAL(14);
    if (X_Sa2_Smooth > 448.0F)
        GOAL(15);
    if (X_Sa2_Limited > 20.0F)
        GOAL(16);
    if (X_Sa2_Smooth > 20.0F)
        GOAL(17);
    if (X_Sa2_Smooth < -30.0F)
        GOAL(18);
    if (X_Sa2_Limited - X_Sa2_Smooth > 12.0F) {
        GOAL(19);
        if (X_Sa2_Monitor < 10)
            X_Sa2_Monitor++;
    } else if (X_Sa2_Monitor > 0) {
        GOAL(20);
        X_Sa2_Monitor--;
    }
    if (X_Sa2_Monitor >= 4) {
        GOAL(21);
        Sa2_Fault = 1;
    }
    if (Sa2_Fault && X_Sa2_Monitor == 0)
        GOAL(22);
    if (X_Sa2_Monitor > 10)
        GOAL(23);
    if (X_Sa2_Smooth != X_Sa2_Smooth)
        GOAL(24);
}

int main(void)
{
    while (1) {
        Float32 request = Rte_Signal(-450.0F, 450.0F);
        Bool enable = Rte_Flag();
        steering(request, enable);
    }
    return 0;
}
