// expect: safe
extern void reach_error(void);
#include <stdlib.h>
int main(void) { char *a = malloc(8); if (!a) return 0; char *e = a + 8; int n = 0; while (a != e) { *a++ = 0; n++; } if (n != 8) reach_error(); return 0; }
