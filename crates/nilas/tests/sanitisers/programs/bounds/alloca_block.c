// good: 15
// bad: 16
// kind: out-of-bounds-write
#include <stdio.h>

#include <alloca.h>
int main(void) {
    char *a = alloca(16);
    int i = N;
    a[i] = 3;
    printf("%d\n", i);
    return 0;
}
