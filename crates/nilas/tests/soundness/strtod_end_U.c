// never: safe
#include <stdlib.h>
extern void reach_error(void);
int main(void) { char s[] = "1.5z", *e; strtod(s, &e); if (e == s + 3) reach_error(); return 0; }
