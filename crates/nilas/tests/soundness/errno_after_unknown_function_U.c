// never: safe
#include <errno.h>
extern void reach_error(void);
void g(void);
int main(void) { errno = 0; g(); if (errno == 2) reach_error(); return 0; }
