// expect: safe
extern void reach_error(void);
struct st { int d[4]; int n; };
static void push(struct st *s, int x) { s->d[s->n++] = x; }
static int pop(struct st *s) { return s->d[--s->n]; }
int main(void) { struct st s = { .n = 0 }; push(&s, 1); push(&s, 2); int a = pop(&s), b = pop(&s); if (a != 2 || b != 1) reach_error(); return 0; }
