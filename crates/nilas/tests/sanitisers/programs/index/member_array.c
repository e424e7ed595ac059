// good: 1
// bad: 2
// kind: index-out-of-array
#include <stdio.h>

struct s { int a[2]; int after; };
int main(void) {
    struct s s = {{1, 2}, 3};
    int i = N;
    printf("%d\n", s.a[i]);
    return 0;
}
