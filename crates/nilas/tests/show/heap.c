#include <stdlib.h>
extern void reach_error(void);
struct node { int value; struct node *next; };
int main(void) {
    struct node *first = malloc(sizeof *first);
    first->value = 1;
    first->next = malloc(sizeof *first);
    first->next->value = 2;
    if (first->value != 1) reach_error();
    free(first->next);
    free(first);
    return 0;
}
