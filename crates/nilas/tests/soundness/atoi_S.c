// never: unsafe
#include <stdlib.h>
extern void reach_error(void);
int main(void) { if (atoi("-42") != -42 || atoi("  +7x") != 7 || atoi("q") != 0) reach_error(); return 0; }
