// never: unsafe
#include <stdlib.h>
extern void reach_error(void);
int main(void) { if (strtod("1.5", 0) != 1.5 || atof("2") != 2) reach_error(); return 0; }
