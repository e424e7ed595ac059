// good: 0
// bad: 1
// kind: misaligned-access
// options: strict
#include <stdio.h>

struct s { int a, b; };
int main(void) {
    struct s two[2] = {{1, 2}, {3, 4}};
    struct s *p = (struct s *)((char *)two + N);
    printf("%d\n", p->b != 99);
    return 0;
}
