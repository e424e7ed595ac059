// never: safe
#include <string.h>
extern void reach_error(void);
int main(void) { char s[] = "a,b"; char *x = strtok(s, ","), *y = strtok(0, ","); if (x == s && y == s + 2) reach_error(); return 0; }
