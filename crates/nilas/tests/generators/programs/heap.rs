//! Heap of several shapes: lists, trees, vectors, tables of rows and strings, freed and allocated again.

use crate::kit::program::Program;
use crate::kit::random::Random;

pub(crate) fn generate(random: &mut Random) -> Program {
    let mut program = Program::new(random);
    program.header("stdlib.h");
    program.global(
        "struct node { int v; struct node *next; };
struct tree { short key; struct tree *left, *right; };
static struct node *push(struct node *l, int v) { struct node *n = malloc(sizeof *n); if (!n) exit(1); n->v = v; n->next = l; return n; }
static struct node *pop(struct node *l) { if (!l) return l; struct node *n = l->next; free(l); return n; }
static struct node *reverse(struct node *l) { struct node *r = 0; while (l) { struct node *n = l->next; l->next = r; r = l; l = n; } return r; }
static int sum(struct node *l) { int s = 0; for (; l; l = l->next) s = s * 3 + l->v; return s; }
static void insert(struct tree **t, int key) { while (*t) t = key < (*t)->key ? &(*t)->left : &(*t)->right; *t = calloc(1, sizeof **t); if (!*t) exit(1); (*t)->key = key; }
static int walk(struct tree *t, int s) { if (!t) return s; s = walk(t->left, s); s = s * 5 + t->key; return walk(t->right, s); }",
    );
    program.line("struct node *list = 0, *more = 0; struct tree *tree = 0; int r = 0;");
    for part in 0..2 + random.below(2) {
        match random.below(6) {
            0 => list(&mut program, random),
            1 => tree(&mut program, random),
            2 => vector(&mut program, random, part),
            3 => rows(&mut program, random, part),
            4 => bytes(&mut program, random, part),
            _ => remove(&mut program, random),
        }
    }
    program.observe("r");
    program.observe("sum(list)");
    program.observe("sum(more)");
    program.observe("walk(tree, 1)");
    program
}

fn list(program: &mut Program, random: &mut Random) {
    for _ in 0..2 + random.below(4) {
        let which = random.pick(&["list", "more"]);
        let number = random.below(20);
        match random.below(6) {
            0..=2 => program.line(&format!("{which} = push({which}, {number});")),
            3 => program.line(&format!("{which} = pop({which});")),
            4 => program.line(&format!("{which} = reverse({which});")),
            _ => {
                let choice = program.choice(random);
                program.line(&format!(
                    "if ({choice}) {which} = push({which}, {number}); else {which} = pop({which});"
                ));
            }
        }
    }
}

/// Removes elements in the middle, by a pointer to the link.
fn remove(program: &mut Program, random: &mut Random) {
    let count = 2 + random.below(3);
    let choice = program.choice(random);
    program.line(&format!("for (int k = 0; k < {count}; k++) more = push(more, k + ({choice}));"));
    program.line(&format!(
        "for (struct node **l = &more; *l;) if ((*l)->v % {} == 0) {{ struct node *d = *l; *l = d->next; free(d); }} else l = &(*l)->next;",
        2 + random.below(2)
    ));
}

fn tree(program: &mut Program, random: &mut Random) {
    for _ in 0..2 + random.below(3) {
        program.line(&format!("insert(&tree, {});", random.below(30)));
    }
    let choice = program.choice(random);
    program.line(&format!("if ({choice}) {{ insert(&tree, -1); r += tree->key; }}"));
}

fn vector(program: &mut Program, random: &mut Random, part: usize) {
    let ty = random.pick(&["int", "short", "unsigned char", "long", "struct { int a; char b; }"]);
    let count = 2 + random.below(4);
    let field = if ty.starts_with("struct") { ".a" } else { "" };
    let choice = program.choice(random);
    program.line(&format!(
        "typedef {ty} item{part}; item{part} *v{part} = malloc({count} * sizeof *v{part}); if (!v{part}) return 0;"
    ));
    program.line(&format!("for (int k = 0; k < {count}; k++) v{part}[k]{field} = k * 7 + ({choice});"));
    program.line(&format!("r = r * 3 + v{part}[{}]{field};", random.below(count)));
    if random.chance(50) {
        program.line(&format!("free(v{part});"));
    }
}

fn rows(program: &mut Program, random: &mut Random, part: usize) {
    let (rows, columns) = (2 + random.below(2), 2 + random.below(2));
    program.line(&format!("int **m{part} = malloc({rows} * sizeof *m{part}); if (!m{part}) return 0;"));
    program.line(&format!(
        "for (int k = 0; k < {rows}; k++) {{ m{part}[k] = calloc({columns}, sizeof(int)); if (!m{part}[k]) return 0; m{part}[k][k % {columns}] = k + 1; }}"
    ));
    let (one, two) = (random.below(rows), random.below(rows));
    program.line(&format!(
        "int *row{part} = m{part}[{one}]; m{part}[{one}] = m{part}[{two}]; m{part}[{two}] = row{part};"
    ));
    program.line(&format!(
        "r = r * 5 + m{part}[{one}][{}] + row{part}[{}];",
        random.below(columns),
        random.below(columns)
    ));
}

fn bytes(program: &mut Program, random: &mut Random, part: usize) {
    let size = 5 + random.below(300);
    let place = random.below(size);
    let choice = program.choice(random);
    program.line(&format!(
        "char *c{part} = calloc({size}, 1); if (!c{part}) return 0; c{part}[{place}] = 3 + ({choice});"
    ));
    program.line(&format!("r += c{part}[{place}] + c{part}[{}];", random.below(size)));
}
