// never: safe
#include <string.h>
extern void reach_error(void);
int a, b;
int main(void) { void *(*copy)(void *, const void *, size_t) = memcpy; int *p = &a, *q = &b; copy(&p, &q, sizeof p); *p = 5; if (b == 5) reach_error(); return 0; }
