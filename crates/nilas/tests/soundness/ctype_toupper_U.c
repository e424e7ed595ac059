// never: safe
#include <ctype.h>
extern void reach_error(void);
int main(void) { if (toupper('q') == 'Q' && tolower('Z') == 'z' && isspace('\t') && !isupper('a')) reach_error(); return 0; }
