// never: unsafe
#include <string.h>
extern void reach_error(void);
int main(void) { char b[4] = { 1, -2, 3, 4 }; if (memchr(b, 3, 4) != b + 2 || memchr(b, 9, 4) || memcmp(b, "\1\2", 2) <= 0) reach_error(); return 0; }
