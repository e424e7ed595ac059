// expect: dead-object
#include <alloca.h>
int *f(void) { int *p = alloca(4); *p = 2; return p; }
int main(void) { return *f(); }
