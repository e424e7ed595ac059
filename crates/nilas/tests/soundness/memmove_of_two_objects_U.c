// expect: unsafe
#include <string.h>
#include <wchar.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  char a[4] = {1, 2, 3, 4}, b[4] = {0};
  wchar_t v[4] = {1, 2, 3, 4};
  unsigned n = __VERIFIER_nondet_uint() & 3;
  memmove(b, a, n);
  wmemmove(v + 1, v, n);
  if (b[2] == 3 && v[3] == 3 && v[1] == 1) reach_error();
  return 0;
}
