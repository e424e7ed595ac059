// expect: safe
#include <fenv.h>
#include <math.h>
void reach_error(void);
int main(void) {
    fesetround(FE_UPWARD);
    if (rint(12.1) != 13.0 || nearbyint(12.1) != 13.0 || lrint(-12.9) != -12 || __builtin_rint(2.5) != 3.0) reach_error();
    return 0;
}
