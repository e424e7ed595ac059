// never: safe
#include <stdlib.h>
extern void reach_error(void);
static void with(void *p, void (*done)(void *)) { done(p); }
int main(void) { with(malloc(3), free); with(malloc(400), free); reach_error(); return 0; }
