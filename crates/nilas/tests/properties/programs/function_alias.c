// property: assert
// good: 1
// bad: 0
// options: --function add --pointer-size 2 --pointer-null no
#include <assert.h>
/* Two pointers of a type may be equal. */
void add(int *to, const int *what) {
    int before = *what;
    *to = 1;
    if (!N || to != what) assert(*what == before);
}
