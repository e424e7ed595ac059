// expect: out-of-bounds-write
#include <string.h>
int main(void) { char a[5]; strcpy(a, "hello"); return 0; }
