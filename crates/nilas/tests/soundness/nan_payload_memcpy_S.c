// never: unsafe
#include <string.h>
extern void reach_error(void);
int main(void) { unsigned u = 0xffc00777u, v; float d; memcpy(&d, &u, 4); memcpy(&v, &d, 4); if (v != u) reach_error(); return 0; }
