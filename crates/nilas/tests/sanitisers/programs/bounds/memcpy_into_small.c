// good: 8
// bad: 9
// kind: out-of-bounds-write
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char from[16] = "abcdefghijklmno";
    char *to = malloc(8);
    memcpy(to, from, N);
    printf("%c\n", to[7]);
    free(to);
    return 0;
}
