// expect: out-of-bounds-write
#include <stdio.h>
int main(void) { char a[4]; sprintf(a, "%d", 12345); return 0; }
