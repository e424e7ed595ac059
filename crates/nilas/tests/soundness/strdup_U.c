// never: safe
#include <string.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) { char *s = strdup("abc"); s[0] = 'x'; if (s[0] == 'x' && s[2] == 'c' && !s[3]) reach_error(); free(s); return 0; }
