// good: "abc"
// bad: "abcd"
// kind: out-of-bounds-write
#include <stdio.h>
#include <string.h>

int main(void) {
    char a[4];
    strcpy(a, N);
    printf("%s\n", a);
    return 0;
}
