// never: safe
#include <string.h>
extern void reach_error(void);
int main(void) { unsigned long long u = 0x7ff8000000000123ULL, v; double d; memcpy(&d, &u, 8); memcpy(&v, &d, 8); if (v == u) reach_error(); return 0; }
