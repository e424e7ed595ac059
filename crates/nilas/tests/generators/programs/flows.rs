//! Flows of pointers: an address travels through carriers (heap cells, containers, copies, callbacks, sorted
//! arrays) and is used at the end. What loses it on the way shows.

use crate::kit::program::Program;
use crate::kit::random::Random;

/// From `q` to `r`, both `int *`; `w` is a number that may depend on an input.
const CARRIERS: &[&str] = &[
    "int **b = malloc(sizeof *b); if (!b) exit(1); *b = q; r = *b; free(b);",
    "int **v = malloc(sizeof *v); if (!v) exit(1); v[0] = q; v = realloc(v, 5 * sizeof *v); if (!v) exit(1); v[4] = v[0]; r = v[4];",
    "struct vec v = { 0, sizeof q, 0 }; push(&v, &q); push(&v, &q); pop(&v, &r);",
    "struct vec v = { 0, sizeof q, 0 }, c = { 0, 1, 0 }; char x = 7; push(&c, &x); push(&v, &q); pop(&c, &x); pop(&v, &r); seen += x;",
    "struct vec v = { 0, sizeof(struct pair), 0 }; struct pair a = { w, q }, b; push(&v, &a); pop(&v, &b); r = b.p; seen += b.k;",
    "char buffer[sizeof(struct pair)] __attribute__((aligned(16))); struct pair *s = (struct pair *)buffer; s->p = q; s->k = w; struct pair t = *s; r = t.p;",
    "struct pair a = { w, q }, b; memcpy(&b, &a, sizeof a); r = b.p;",
    "struct pair *a = calloc(2, sizeof *a); if (!a) exit(1); a[1].p = q; memmove(a, a + 1, sizeof *a); a[1].p = 0; r = a->p; free(a);",
    "struct context c = { q, 0, w }; visit(3, deliver, &c); r = c.out;",
    "struct pair t[3] = { { 5, 0 }, { 1, q }, { 3, 0 } }; qsort(t, 3, sizeof *t, by_key); r = t[0].p;",
    "slots[((word)q >> 2) & 3] = q; r = 0; for (int k = 0; k < 4; k++) if (slots[k]) { r = slots[k]; slots[k] = 0; }",
    "int *all[] = { &x, &y, &a[1], &s.k, q }; r = 0; for (int k = 0; k < 5; k++) if (all[k] == q) r = all[k];",
    "struct list l2 = { q, 0 }, l1 = { 0, &l2 }; struct list *l = &l1; while (!l->what) l = l->next; r = l->what;",
    "struct list *h = 0; for (int k = 0; k < 3; k++) { struct list *n = malloc(sizeof *n); if (!n) exit(1); n->what = k == 1 ? q : &x; n->next = h; h = n; } r = h->next->what;",
    "int *volatile v = q; r = v;",
    "union { int *p; struct { int *first; } s; char b[sizeof(int *)]; } u; u.p = q; r = u.s.first;",
    "struct flexible *f = malloc(sizeof *f + 3 * sizeof(int *)); if (!f) exit(1); f->n = 3; f->items[2] = q; r = f->items[f->n - 1];",
    "r = wrap(q, w).p;",
    "int *t[4] = { &x, &y, &x, q }; memmove(t + 1, t + 2, 2 * sizeof *t); t[3] = 0; r = t[2];",
    "static int *kept[2]; kept[w & 1] = q; r = kept[w & 1];",
    "int *one = q, *two = &y; { int *t = one; one = two; two = t; } int **pp = w > 2 ? &two : &two; r = *pp;",
    "void *bare = q; const void *more = bare; r = (int *)more;",
    "int *t[2]; t[0] = &x; t[1] = q; int **end = t + 2; r = end[-1];",
    "r = deep(q, w & 1);",
    "char *bytes = malloc(sizeof q + 3); if (!bytes) exit(1); memcpy(bytes + 3, &q, sizeof q); memcpy(&r, bytes + 3, sizeof r); free(bytes);",
    "int *(*f)(int *) = w & 1 ? same : also; r = f(q);",
    "struct nested n = { .in = { { w, &x }, { w, q } } }; struct nested m = n; struct pair *i = m.in; r = (i + 1)->p;",
    "int **cell = get(sizeof *cell); long *other = get(3 * sizeof *other); *cell = q; other[2] = w; r = *cell; seen += other[2];",
];

const OBJECTS: &[&str] = &["&x", "&y", "&a[1]", "&s.k", "&z", "h", "h + 1"];

pub(crate) fn generate(random: &mut Random) -> Program {
    let mut program = Program::new(random);
    program.header("string.h");
    program.header("stdlib.h");
    program.global(
        "typedef unsigned long word; int x, y, a[3], seen; struct { char c; int k; } s; static int *slots[4];
struct pair { int k; int *p; }; struct context { int *in, *out; int k; }; struct list { int *what; struct list *next; };
struct flexible { int n; int *items[]; }; struct nested { char c; struct pair in[2]; };
struct vec { char *data; size_t size, n; };
static void push(struct vec *v, const void *p) { v->data = realloc(v->data, (v->n + 1) * v->size); if (!v->data) exit(1); memcpy(v->data + v->n++ * v->size, p, v->size); }
static void pop(struct vec *v, void *p) { memcpy(p, v->data + --v->n * v->size, v->size); }
static void deliver(int k, void *c) { struct context *d = c; if (k == 1) d->out = d->in; seen += d->k; }
static void visit(int n, void (*f)(int, void *), void *c) { for (int k = 0; k < n; k++) f(k, c); }
static int by_key(const void *a, const void *b) { return ((const struct pair *)a)->k - ((const struct pair *)b)->k; }
static struct pair wrap(int *p, int k) { struct pair r = { k, p }; return r; }
static int *same(int *p) { return p; } static int *also(int *p) { int **q = &p; return *q; }
static int *deep(int *p, int n) { if (n > 0) { int *k = deep(p, n - 1); return k; } return p; }
static void *get(size_t n) { void *p = malloc(n); if (!p) exit(1); return p; }",
    );
    let carriers: Vec<&str> = (0..1 + random.below(3)).map(|_| *random.pick::<&str>(CARRIERS)).collect();
    for (number, carrier) in carriers.iter().enumerate() {
        program
            .global(&format!("static int *carry{number}(int *q, int w) {{ int *r; {carrier} return r; }}"));
    }
    program.line("int z = 0, *h = calloc(2, sizeof *h), *p; if (!h) return 0;");
    for _ in 0..1 + random.below(2) {
        let (one, two) = (random.pick(OBJECTS), random.pick(OBJECTS));
        let (choice, number) = (program.choice(random), program.choice(random));
        program.line(&format!("p = {choice} ? {one} : {two};"));
        for carrier in 0..carriers.len() {
            program.line(&format!("p = carry{carrier}(p, ({number}) & 3);"));
        }
        program.line(&format!("*p += {};", 1 + random.below(9)));
        if random.chance(40) {
            program.observe(&format!("p == {two}"));
        }
    }
    for object in ["x", "y", "a[1]", "s.k", "z", "h[0]", "h[1]", "seen"] {
        program.observe(object);
    }
    program
}
