// expect: safe
#include <stdio.h>
extern void reach_error(void);
int main(void) { int n = printf("hello%%"); if (n >= 0 && n != 6) reach_error(); return 0; }
