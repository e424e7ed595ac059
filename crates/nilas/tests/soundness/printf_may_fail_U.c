// expect: unsafe
#include <stdio.h>
extern void reach_error(void);
int main(void) { if (printf("hello") < 0) reach_error(); return 0; }
