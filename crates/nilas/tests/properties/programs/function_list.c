// property: assert
// good: 6
// bad: 2
// options: --function count --pointer-size 3
#include <assert.h>
struct node { struct node *next; };
/* Among what it gets is every list of up to three nodes in one array, and cycles. */
void count(const struct node *n) {
    int length = 0;
    while (n && length < 5) {
        length++;
        n = n->next;
    }
    assert(length <= N);
}
