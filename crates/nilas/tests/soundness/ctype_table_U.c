// never: safe
#include <ctype.h>
extern void reach_error(void);
int main(void) { const unsigned short *t = *__ctype_b_loc(); if (t['7'] & _ISdigit) reach_error(); return 0; }
