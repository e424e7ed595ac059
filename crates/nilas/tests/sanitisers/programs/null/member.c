// good: 0
// bad: 1
// kind: null-dereference
#include <stdio.h>

struct s { int a, b; };
int main(void) {
    struct s s = {1, 2};
    struct s *p = N ? 0 : &s;
    printf("%d\n", p->b);
    return 0;
}
