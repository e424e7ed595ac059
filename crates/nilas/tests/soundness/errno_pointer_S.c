// never: unsafe
#include <errno.h>
extern void reach_error(void);
int main(void) { int *p = &errno; *p = 7; if (errno != 7) reach_error(); errno = 8; if (*p != 8) reach_error(); return 0; }
