// never: safe
#include <string.h>
extern void reach_error(void);
int a;
int main(void) { int *p = &a, *q; double d = 0; memcpy(&d, &p, sizeof p); memcpy(&q, &d, sizeof q); *q = 3; if (a == 3) reach_error(); return 0; }
