// good: 0
// bad: 1
// kind: null-dereference
#include <stdio.h>
#include <string.h>

int main(void) {
    char from[4] = "abc", to[4];
    memcpy(to, N ? 0 : from, 4);
    printf("%s\n", to);
    return 0;
}
