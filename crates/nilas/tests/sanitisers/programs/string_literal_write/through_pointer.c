// good: 0
// bad: 1
// kind: string-literal-write
#include <stdio.h>

int main(void) {
    char own[] = "abc";
    char *s = N ? "abc" : own;
    s[0] = 'x';
    printf("%s\n", s);
    return 0;
}
