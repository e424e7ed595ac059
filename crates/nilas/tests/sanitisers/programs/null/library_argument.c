// good: 0
// bad: 1
// kind: null-dereference
#include <stdio.h>
#include <string.h>

int main(void) {
    const char *s = N ? 0 : "abc";
    printf("%d\n", (int)strlen(s));
    return 0;
}
