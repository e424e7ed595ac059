// expect: safe
#include <string.h>
#include <wchar.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  char a[4] = {1, 2, 3, 4}, b[4] = {0};
  wchar_t v[4] = {1, 2, 3, 4}, w[4] = {0};
  unsigned n = __VERIFIER_nondet_uint() & 3;
  memmove(b, a, n);
  wmemmove(w, v, n);
  if (n > 0 && (b[n - 1] != (int)n || w[n - 1] != (int)n)) reach_error();
  if (b[n] != 0 || w[n] != 0) reach_error();
  return 0;
}
