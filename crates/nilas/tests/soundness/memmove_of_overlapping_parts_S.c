// expect: safe
#include <string.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  char a[6] = {1, 2, 3, 4, 5, 6}, b[4] = {0};
  unsigned to = __VERIFIER_nondet_uint() & 3, n = __VERIFIER_nondet_uint() & 3;
  memmove(to == 3 ? b : a + to, a + 1, n);
  if (to < 3 && n > 0 && a[to + n - 1] != (int)n + 1) reach_error();
  if (to == 2 && n == 3 && (a[2] != 2 || a[3] != 3)) reach_error();
  if (to == 3 && n > 0 && b[0] != 2) reach_error();
  return 0;
}
