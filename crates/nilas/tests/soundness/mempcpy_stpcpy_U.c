// never: safe
#define _GNU_SOURCE
#include <string.h>
extern void reach_error(void);
int main(void) { char b[8]; char *e = mempcpy(b, "ab", 2); e = stpcpy(e, "cd"); if (e == b + 4 && b[2] == 'c' && !*e) reach_error(); return 0; }
