// never: unsafe
#include <math.h>
extern void reach_error(void);
int main(void){ double n = copysign(NAN,-1.0); if (!signbit(n)) reach_error(); return 0;}
