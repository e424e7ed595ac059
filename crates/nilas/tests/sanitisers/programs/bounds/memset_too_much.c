// good: 10
// bad: 11
// kind: out-of-bounds-write
#include <stdio.h>
#include <string.h>

int main(void) {
    char a[10];
    memset(a, 'x', N);
    printf("%c\n", a[9]);
    return 0;
}
