/* Lane keeping: curvature by a polynomial, confidence, torque with limits, hands-off timer. */
#include "goals.h"

static Float32 X_Sb3_Confidence = 0.0F;
static Float32 X_Sb3_Torque = 0.0F;
static UInt8 X_Sb3_HandsOff = 0;
static Bool Sb3_Active = 0;

static void lane(Float32 offset, Float32 heading, Bool line, Float32 hand)
{
    Float32 ahead, correction, square;
    if (line) {
        GOAL(1);
        X_Sb3_Confidence = X_Sb3_Confidence + 0.125F * (1.0F - X_Sb3_Confidence);
    } else {
        GOAL(2);
        X_Sb3_Confidence = 0.5F * X_Sb3_Confidence;
    }
    if (X_Sb3_Confidence > 1.0F)
        GOAL(3);
    if (X_Sb3_Confidence < 0.0F)
        GOAL(4);
    if (X_Sb3_Confidence > 0.3F)
        GOAL(5);
    if (X_Sb3_Confidence > 0.6F)
        GOAL(6);
    if (hand < 0.5F && hand > -0.5F) {
        GOAL(7);
        if (X_Sb3_HandsOff < 50)
            X_Sb3_HandsOff++;
    } else {
        GOAL(8);
        X_Sb3_HandsOff = 0;
    }
    if (X_Sb3_HandsOff > 50)
        GOAL(9);
    if (X_Sb3_HandsOff > 4)
        GOAL(10);
    if (Sb3_Active) {
        GOAL(11);
        if (X_Sb3_Confidence < 0.125F || X_Sb3_HandsOff > 20) {
            GOAL(12);
            Sb3_Active = 0;
        }
    } else if (X_Sb3_Confidence > 0.25F) {
        GOAL(13);
        Sb3_Active = 1;
    }
    ahead = offset + 12.0F * heading;
    square = ahead * ahead;
    if (square < 0.0F)
        GOAL(14);
    if (square > 49.0F)
        GOAL(15);
    if (square > 50.0F)
        GOAL(16);
    correction = 0.25F * ahead + 0.0625F * ahead * square;
    if (correction > 30.0F)
        GOAL(17);
    if (correction > 20.0F)
        GOAL(18);
    if (!Sb3_Active)
        correction = 0.0F;
    if (correction > X_Sb3_Torque + 0.75F)
        X_Sb3_Torque = X_Sb3_Torque + 0.75F;
    else if (correction < X_Sb3_Torque - 0.75F)
        X_Sb3_Torque = X_Sb3_Torque - 0.75F;
    else
        X_Sb3_Torque = correction;
    if (X_Sb3_Torque > 3.0F) {
        GOAL(19);
        X_Sb3_Torque = 3.0F;
    }
    if (X_Sb3_Torque < -3.0F) {
        GOAL(20);
        X_Sb3_Torque = -3.0F;
    }
    if (X_Sb3_Torque > 3.5F)
        GOAL(21);
    if (Sb3_Active && X_Sb3_Confidence < 0.1F)
        GOAL(22);
    if (X_Sb3_Torque > 1.0F)
        GOAL(23);
    if (!(X_Sb3_Torque >= -3.0F && X_Sb3_Torque <= 3.0F))
        GOAL(24);
}

int main(void)
{
    while (1) {
        Float32 offset = Rte_Signal(-1.0F, 1.0F);
        Float32 heading = Rte_Signal(-0.5F, 0.5F);
        Bool line = Rte_Flag();
        Float32 hand = Rte_Signal(-8.0F, 8.0F);
        lane(offset, heading, line, hand);
    }
    return 0;
}
