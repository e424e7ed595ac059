// never: safe
#include <unistd.h>
extern void reach_error(void);
int main(void) {
  char path[4] = "x";
  if (!getcwd(path, 4) && path[0] != 'x') reach_error();
  return 0;
}
