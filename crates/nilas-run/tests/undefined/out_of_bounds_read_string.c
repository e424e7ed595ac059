// expect: out-of-bounds-read
#include <string.h>
int main(void) { char c[3] = {'a', 'b', 'c'}; return strlen(c); }
