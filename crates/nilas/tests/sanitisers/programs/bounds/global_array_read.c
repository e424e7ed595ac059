// good: 2
// bad: 3
// kind: out-of-bounds-read
#include <stdio.h>

static int table[3] = {4, 5, 6};
int main(void) {
    int *p = table;
    int i = N;
    printf("%d\n", p[i]);
    return 0;
}
