// never: safe
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
int main(void) { char *p = malloc(10), *q; memcpy(&q, &p, sizeof p); p[9] = 1; if (q[9] == 1) { free(q); reach_error(); } return 0; }
