// never: safe
#include <stdlib.h>
extern void reach_error(void);
static int k;
static void a(void) { k = 1; }
static void b(void) { if (k == 0) reach_error(); }
int main(void) { atexit(a); atexit(b); exit(0); }
