// good: 1
// bad: 3
// kind: trap-representation
// options: strict
#include <stdio.h>
#include <string.h>

int main(void) {
    _Bool b;
    unsigned char byte = N;
    memcpy(&b, &byte, 1);
    printf("%d\n", b ? 1 : 0);
    return 0;
}
