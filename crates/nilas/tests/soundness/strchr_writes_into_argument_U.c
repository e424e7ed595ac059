// never: safe
#include <string.h>
extern void reach_error(void);
int main(void) { char s[] = "key=value"; char *e = strchr(s, '='); *e = 0; if (strlen(s) == 3 && e[1] == 'v') reach_error(); return 0; }
