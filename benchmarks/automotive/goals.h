/* What all models share: goals, inputs, and the types of generated code.
 *
 * GOAL(n) is a place that coverage asks for. The one that is looked for is chosen with -DGOAL_NUMBER=n:
 * then reaching it is reaching reach_error(). All others are empty. */
#ifndef GOALS_H
#define GOALS_H

typedef float Float32;
typedef double Float64;
typedef signed char Int8;
typedef unsigned char UInt8;
typedef short Int16;
typedef unsigned short UInt16;
typedef int Int32;
typedef unsigned int UInt32;
typedef unsigned char Bool;

extern float __VERIFIER_nondet_float(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

#ifndef GOAL_NUMBER
#define GOAL_NUMBER 0
#endif
#define GOAL(n)                  \
    do {                         \
        if ((n) == GOAL_NUMBER)  \
            reach_error();       \
    } while (0)

/* A signal of the bus: whatever comes, and the least value where that is out of its range, or no number. */
static Float32 Rte_Signal(Float32 lower, Float32 upper)
{
    Float32 value = __VERIFIER_nondet_float();
    if (value >= lower && value <= upper)
        return value;
    return lower;
}

static Bool Rte_Flag(void)
{
    return (Bool)(__VERIFIER_nondet_uchar() & 1u);
}

#endif
