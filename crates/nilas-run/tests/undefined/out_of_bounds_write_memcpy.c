// expect: out-of-bounds-write
#include <string.h>
int main(void) { char a[4]; memcpy(a, "hello", 6); return 0; }
