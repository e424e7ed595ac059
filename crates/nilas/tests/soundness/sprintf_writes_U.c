// never: safe
#include <stdio.h>
extern void reach_error(void);
int main(void) { char b[8] = "zzzzzz"; sprintf(b, "%d", 7); if (b[0] == '7' && b[1] == 0) reach_error(); return 0; }
