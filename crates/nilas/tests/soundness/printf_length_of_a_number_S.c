// never: unsafe
#include <stdio.h>
extern void reach_error(void);
int main(void) { int n = printf("%d\n", 5); if (n >= 0 && n != 2) reach_error(); return 0; }
