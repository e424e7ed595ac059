// never: safe
#include <math.h>
extern void reach_error(void);
int main(void){ volatile double z = 0.0; double n = z/z; int s = signbit(n) != 0; if (isnan(n) && s < 2) reach_error(); return 0;}
