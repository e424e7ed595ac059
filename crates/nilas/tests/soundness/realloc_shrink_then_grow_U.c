// never: safe
#include <stdlib.h>
extern void reach_error(void);
int main(void) { char *s = malloc(300); s[200] = 5; s = realloc(s, 10); s = realloc(s, 300); if (s[200] != 5) reach_error(); return 0; }
