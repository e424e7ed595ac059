// never: unsafe
// options: --malloc-may-fail --property null
#include <stdlib.h>
int main(void) { char *p = getenv("HOME"); if (p && p[0] == 47) return 1; return 0; }
