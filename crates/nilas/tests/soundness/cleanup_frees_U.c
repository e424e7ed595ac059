// never: safe
#include <stdlib.h>
extern void reach_error(void);
static void release(char **p) { free(*p); reach_error(); }
static int f(void) { char *s __attribute__((cleanup(release))) = malloc(4); s[0] = 1; return s[0]; }
int main(void) { return f() - 1; }
