// property: leak
// good: 3
// bad: 2
#include <stdlib.h>
struct n { struct n *next; };
int main(void) {
    struct n *l = 0; int i;
    for (i = 0; i < 3; i++) { struct n *t = malloc(sizeof *t); t->next = l; l = t; }
    for (i = 0; i < N; i++) { struct n *t = l->next; free(l); l = t; }
    return 0;
}
