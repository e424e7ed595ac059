// never: unsafe
#include <stdlib.h>
extern void reach_error(void);
int main(void) { char *e; if (strtoul("0x1F", &e, 0) != 31 || *e) reach_error(); return 0; }
