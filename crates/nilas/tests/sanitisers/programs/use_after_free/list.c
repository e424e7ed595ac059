// good: 1
// bad: 0
// kind: use-after-free
#include <stdio.h>
#include <stdlib.h>

struct node { int value; struct node *next; };
int main(void) {
    struct node *list = 0;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->value = i;
        n->next = list;
        list = n;
    }
    for (struct node *n = list; n;) {
        struct node *next = n->next;
        free(n);
        n = N ? next : n->next;
    }
    printf("done\n");
    return 0;
}
