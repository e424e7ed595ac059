// never: safe
#include <errno.h>
extern void reach_error(void);
int main(void) { int *p = &errno; errno = 4; if (*p == 4) reach_error(); return 0; }
