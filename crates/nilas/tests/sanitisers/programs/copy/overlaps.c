// good: 4
// bad: 2
// kind: overlapping-copy
// options: strict
#include <stdio.h>
#include <string.h>

int main(void) {
    char a[9] = "abcdefgh";
    size_t size = 4;
    memcpy(a + N, a, size);
    printf("%c\n", a[0]);
    return 0;
}
