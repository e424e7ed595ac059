// never: safe
#include <stdio.h>
extern void reach_error(void);
int main(void) {
  char line[4] = "x";
  if (!fgets(line, 4, stdin) && line[0] != 'x') reach_error();
  return 0;
}
