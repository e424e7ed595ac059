// never: safe
#include <math.h>
extern void reach_error(void);
int main(void) { if (signbit(copysign(NAN, -1.0))) reach_error(); return 0; }
