// never: safe
#include <stdlib.h>
extern void reach_error(void);
int main(void) { char s[] = "7 8", *e, *f; long long a = strtoll(s, &e, 10), b = strtoll(e, &f, 10); if (a == 7 && b == 8 && f == s + 3) reach_error(); return 0; }
