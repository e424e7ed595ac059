// never: unsafe
#include <stdlib.h>
extern void reach_error(void);
struct pair { int a; struct pair *next; };
static void *get(size_t n) { void *p = malloc(n); if (!p) abort(); return p; }
int main(void) {
    struct pair *p = get(sizeof *p); char *s = get(5);
    p->a = 3; p->next = p; s[4] = 'x';
    if (p->next->a != 3 || s[4] != 'x') reach_error();
    return 0;
}
