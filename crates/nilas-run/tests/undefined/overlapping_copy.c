// expect: overlapping-copy with strict
#include <string.h>
int main(void) { char a[10] = "abcdefgh"; memcpy(a + 1, a, 5); return 0; }
