// never: safe
#include <stdio.h>
extern void reach_error(void);
int main(void) { int x = 1; if (sscanf("42", "%d", &x) == 1 && x == 42) reach_error(); return 0; }
