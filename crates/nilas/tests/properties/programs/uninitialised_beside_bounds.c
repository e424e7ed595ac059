// property: uninitialised
// good: 1
// bad: 0
#include <stddef.h>
struct node { struct node *next; int v[2]; };
int main(void) {
    struct node a, b;
    a.next = &b;
    b.next = 0;
    for (struct node *n = &a; n; n = n->next) {
        n->v[0] = 1;
        if (N || n != &b) n->v[1] = 2;
    }
    return a.next->v[1];
}
