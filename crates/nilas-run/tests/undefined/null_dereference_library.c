// expect: null-dereference
#include <string.h>
int main(void) { char *p = 0; return strlen(p); }
