// good: 3
// bad: 5
// kind: out-of-bounds-read
#include <stdio.h>

int main(void) {
    const char *s = "abc";
    int i = N;
    printf("%d\n", s[i]);
    return 0;
}
