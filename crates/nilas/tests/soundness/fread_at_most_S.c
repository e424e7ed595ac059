// never: unsafe
#include <stdio.h>
extern void reach_error(void);
int main(void) { char b[4]; if (fread(b, 1, 4, stdin) > 4) reach_error(); return 0; }
