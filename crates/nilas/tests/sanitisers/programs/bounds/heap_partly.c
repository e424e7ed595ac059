// good: 4
// bad: 5
// kind: out-of-bounds-read
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *a = malloc(8);
    memset(a, 1, 8);
    int value;
    memcpy(&value, a + N, sizeof value);
    printf("%d\n", value);
    free(a);
    return 0;
}
