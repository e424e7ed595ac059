// never: safe
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
int x; int *p = &x; 
int main(void) { double d = (double)((uintptr_t)p >> 8 & 1); if (d) reach_error(); if (d == 0.0) return 0; return 1; }
