// never: safe
#include <stdio.h>
extern void reach_error(void);
int main(void) { char b[8]; int n = snprintf(b, sizeof b, "%d-%s", 12, "abcdef"); if (n == 9 && b[7] == 0) reach_error(); return 0; }
