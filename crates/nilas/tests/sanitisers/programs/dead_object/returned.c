// good: 0
// bad: 1
// kind: dead-object
#include <stdio.h>

static int kept = 4;
static int *get(void) {
    int local = 5;
    int *p = &local;
    return N ? p : &kept;
}
int main(void) {
    printf("%d\n", *get());
    return 0;
}
