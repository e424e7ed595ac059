// never: safe
#include <math.h>
extern void reach_error(void);
int main(void){ volatile double z = 0.0; double n = z/z; if (signbit(n)) reach_error(); return 0;}
