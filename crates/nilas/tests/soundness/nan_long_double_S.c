// never: unsafe
#include <math.h>
extern void reach_error(void);
int main(void){ long double n = -__builtin_nanl(""); if (!signbit(n) || signbit(-n) || signbit(fabsl(n))) reach_error(); double d = n; if (!signbit(d)) reach_error(); return 0;}
