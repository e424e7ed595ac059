// never: safe
#include <stdlib.h>
extern void reach_error(void);
static int k;
static void bye(void) { k = 1; }
__attribute__((destructor)) static void last(void) { if (k == 1) reach_error(); }
int main(void) { atexit(bye); return 0; }
