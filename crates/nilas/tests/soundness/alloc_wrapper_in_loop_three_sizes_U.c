// never: safe
#include <stdlib.h>
extern void reach_error(void);
static void *get(int n) { return malloc(n); }
int main(void) {
    int *last = 0;
    for (int i = 0; i < 3; i++) {
        int *a = get(4 * (i + 1)); char *c = get(700); short *s = get(6);
        a[i] = i; c[699] = i; s[2] = i; last = a;
    }
    if (last[2] == 2) reach_error();
    return 0;
}
