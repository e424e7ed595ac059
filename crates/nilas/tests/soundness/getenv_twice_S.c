// expect: safe
#include <stdlib.h>
extern void reach_error(void);
int main(void) { char *a = getenv("HOME"), *b = getenv("HOME"); if (!a != !b) reach_error(); return 0; }
