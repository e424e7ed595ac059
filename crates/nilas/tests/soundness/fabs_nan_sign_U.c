// never: safe
#include <math.h>
extern void reach_error(void);
int main(void) { union { double d; unsigned long long u; } x; x.u = 0xfff8000000000005ULL; x.d = fabs(x.d); if (x.u == 0x7ff8000000000005ULL) reach_error(); return 0; }
