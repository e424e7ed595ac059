// never: unsafe
#include <errno.h>
#include <string.h>
extern void reach_error(void);
int main(void) { char a[4] = "abc", b[4]; errno = 3; memcpy(b, a, 4); if (b[1] != 'b') reach_error(); return 0; }
