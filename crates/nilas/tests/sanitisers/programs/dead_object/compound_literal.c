// good: 0
// bad: 1
// kind: dead-object
#include <stdio.h>

struct s { int a; };
int main(void) {
    struct s own = {1};
    struct s *p = &own;
    {
        if (N) p = &(struct s){2};
    }
    printf("%d\n", p->a);
    return 0;
}
