// expect: use-after-free
#include <stdlib.h>
struct N { struct N *next; };
int main(void) {
    struct N *a = calloc(1, sizeof *a);
    a->next = calloc(1, sizeof *a);
    for (struct N *p = a; p; p = p->next) free(p);
    return 0;
}
