// never: unsafe
#include <stdio.h>
extern void reach_error(void);
int main(void) { int c = putchar('a'); if (c != 'a' && c != EOF) reach_error(); return 0; }
