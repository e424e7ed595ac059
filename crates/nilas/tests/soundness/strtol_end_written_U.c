// never: safe
#include <stdlib.h>
extern void reach_error(void);
int main(void) { char s[] = "12,34", *e; long a = strtol(s, &e, 10); if (*e == ',') { *e = 0; if (a == 12 && s[2] == 0) reach_error(); } return 0; }
