// never: unsafe
#include <ctype.h>
extern void reach_error(void);
int main(void) { if (isalpha(-1) || isxdigit(-1)) reach_error(); return 0; }
