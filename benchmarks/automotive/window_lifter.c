/* Window lifter: position by integration, pinch detection by motor current, end stops. */
#include "goals.h"

enum { STOPPED, UP, DOWN, REVERSING };
static UInt8 X_Sa9_State = STOPPED;
static Float32 X_Sa9_Position = 0.0F;
static Float32 X_Sa9_Average = 2.0F;
static UInt8 X_Sa9_Timer = 0;

static void lifter(UInt8 button, Float32 current, Float32 voltage)
{
    Float32 step = 0.1F * voltage;
    if (step > 1.7F)
        GOAL(1);
    X_Sa9_Average = 0.875F * X_Sa9_Average + 0.125F * current;
    if (X_Sa9_Average > 25.0F)
        GOAL(2);
    if (X_Sa9_Average > 15.0F)
        GOAL(3);
    switch (X_Sa9_State) {
    case STOPPED:
        GOAL(4);
        if (button == 1 && X_Sa9_Position < 100.0F) {
            GOAL(5);
            X_Sa9_State = UP;
        } else if (button == 2 && X_Sa9_Position > 0.0F) {
            GOAL(6);
            X_Sa9_State = DOWN;
        }
        break;
    case UP:
        GOAL(7);
        X_Sa9_Position = X_Sa9_Position + step;
        if (X_Sa9_Position >= 100.0F) {
            GOAL(8);
            X_Sa9_Position = 100.0F;
            X_Sa9_State = STOPPED;
        } else if (X_Sa9_Average > 8.0F && X_Sa9_Position > 4.0F && X_Sa9_Position < 80.0F) {
            GOAL(9);
            X_Sa9_State = REVERSING;
            X_Sa9_Timer = 5;
        } else if (button == 0) {
            GOAL(10);
            X_Sa9_State = STOPPED;
        }
        break;
    case DOWN:
        GOAL(11);
        X_Sa9_Position = X_Sa9_Position - step;
        if (X_Sa9_Position <= 0.0F) {
            GOAL(12);
            X_Sa9_Position = 0.0F;
            X_Sa9_State = STOPPED;
        }
        break;
    case REVERSING:
        GOAL(13);
        X_Sa9_Position = X_Sa9_Position - step;
        if (X_Sa9_Position < 0.0F) {
            GOAL(14);
            X_Sa9_Position = 0.0F;
        }
        if (X_Sa9_Timer == 0 || X_Sa9_Position == 0.0F) {
            GOAL(15);
            X_Sa9_State = STOPPED;
        } else {
            GOAL(16);
            X_Sa9_Timer--;
        }
        break;
    default:
        GOAL(17);
        break;
    }
    if (X_Sa9_Position > 100.0F)
        GOAL(18);
    if (X_Sa9_Position < 0.0F)
        GOAL(19);
    if (X_Sa9_Position > 5.0F)
        GOAL(20);
    if (X_Sa9_Timer > 5)
        GOAL(21);
    if (X_Sa9_State == REVERSING && X_Sa9_Position >= 80.0F)
        GOAL(22);
    if (X_Sa9_Average < 0.0F)
        GOAL(23);
    if (X_Sa9_State == DOWN && X_Sa9_Position > 99.0F)
        GOAL(24);
    if (X_Sa9_Position != X_Sa9_Position)
        GOAL(25);
}

int main(void)
{
    while (1) {
        UInt8 button = __VERIFIER_nondet_uchar() & 3u;
        Float32 current = Rte_Signal(0.0F, 25.0F);
        Float32 voltage = Rte_Signal(8.0F, 16.0F);
        lifter(button, current, voltage);
    }
    return 0;
}
