// never: unsafe
#include <math.h>
extern void reach_error(void);
int main(void){ double q = nan("1"); if (!isnan(q)) reach_error(); if (fmin(1.0, 2.0) != 1.0 || fmod(7.5, 2.0) != 1.5 || remainder(7.5, 2.0) != -0.5 || logb(0.0) != -INFINITY || ilogb(INFINITY) != 2147483647) reach_error(); return 0;}
