// never: unsafe
#include <stdio.h>
extern void reach_error(void);
int main(void) { int c = getchar(); if (c != EOF && ungetc(c, stdin) == c && getchar() != c) reach_error(); return 0; }
