// never: unsafe
#include <stdio.h>
extern void reach_error(void);
int main(void) { while (getchar() != EOF) ; if (!feof(stdin) && !ferror(stdin)) reach_error(); return 0; }
