// never: unsafe
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    int *a = 0, n = 0;
    for (int i = 0; i < 4; i++) { int *b = realloc(a, (n + 1) * sizeof *a); if (!b) return 0; a = b; a[n++] = i * i; }
    if (a[0] != 0 || a[3] != 9) reach_error();
    return 0;
}
