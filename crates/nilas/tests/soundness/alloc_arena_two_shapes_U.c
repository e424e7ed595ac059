// never: safe
extern void reach_error(void);
static _Alignas(16) char arena[256]; static unsigned used;
static void *get(unsigned n) { void *p = arena + used; used += (n + 15) & ~15u; return p; }
struct node { int v; struct node *next; };
int main(void) {
    struct node *a = get(sizeof *a); double *d = get(sizeof *d); struct node *b = get(sizeof *b);
    a->v = 1; a->next = b; *d = 2.5; b->v = 4; b->next = 0;
    if (a->next->v == 4 && *d == 2.5 && a->v == 1) reach_error();
    return 0;
}
