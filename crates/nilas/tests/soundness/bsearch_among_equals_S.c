// never: unsafe
#include <stdlib.h>
extern void reach_error(void);
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
  int a[4] = { 1, 2, 2, 3 }, key = 2;
  int *found = bsearch(&key, a, 4, sizeof(int), compare);
  if (!found || *found != 2) reach_error();
  return 0;
}
