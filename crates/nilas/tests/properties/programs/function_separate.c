// property: assert
// good: 1
// bad: 2
// options: --function set --pointer-alias no --pointer-null no
#include <assert.h>
void set(int *a, int *b) {
    *a = 1;
    *b = 2;
    assert(*a == N);
}
