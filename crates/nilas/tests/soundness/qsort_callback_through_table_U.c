// never: safe
#include <stdlib.h>
extern void reach_error(void);
static int calls;
static int up(const void *a, const void *b) { calls++; return *(const char *)a - *(const char *)b; }
static int (*const order[])(const void *, const void *) = { 0, up };
int main(void) { char s[] = "ba"; qsort(s, 2, 1, order[1]); if (calls && s[0] == 'a') reach_error(); return 0; }
