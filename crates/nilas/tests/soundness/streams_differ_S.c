// never: unsafe
#include <stdio.h>
extern void reach_error(void);
int main(void) { if (stdin == stdout || stdout == stderr) reach_error(); return 0; }
