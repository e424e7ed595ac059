// never: unsafe
#include <math.h>
extern void reach_error(void);
int main(void) { double d = copysign(NAN, 1.0); if (signbit(d) || d == d) reach_error(); return 0; }
