//! Wrapped allocators, each used with several shapes and sizes: plain, with a header, from an arena, from a
//! list of free blocks, through pointers.

use crate::kit::program::Program;
use crate::kit::random::Random;

const ALLOCATORS: &[&str] = &[
    "static void *get(size_t n) { return malloc(n); } static void put(void *p) { free(p); }",
    "static void *get(unsigned n) { void *p = calloc(n, 1); if (!p) exit(1); return p; } static void put(void *p) { free(p); }",
    "static void *inner(int n) { return malloc(n); } static void *get(int n) { return inner(n + 3); } static void put(void *p) { free(p); }",
    "static void *(*get)(size_t) = malloc; static void (*put)(void *) = free;",
    "struct header { long long size; }; static long total;
static void *get(size_t n) { struct header *h = malloc(sizeof *h + n); if (!h) exit(1); h->size = n; total += n; return h + 1; }
static void put(void *p) { struct header *h = (struct header *)p - 1; total -= h->size; free(h); }",
    "static _Alignas(16) char arena[4096]; static unsigned used;
static void *get(unsigned n) { void *p = arena + used; used += (n + 15) & ~15u; return p; } static void put(void *p) {}",
    "union block { union block *next; _Alignas(16) char data[256]; }; static union block *spare;
static void *get(unsigned n) { union block *b = spare; if (b) spare = b->next; else b = malloc(n > sizeof *b ? n : sizeof *b); return b; }
static void put(void *p) { union block *b = p; b->next = spare; spare = b; }",
    "struct pool { void *(*get)(size_t); void (*put)(void *); }; static struct pool pool = { malloc, free };
static void *get(size_t n) { return pool.get(n); } static void put(void *p) { pool.put(p); }",
    "static int make(void **out, size_t n) { *out = malloc(n); return *out != 0; }
static void *get(size_t n) { void *p; if (!make(&p, n)) exit(1); return p; } static void put(void *p) { free(p); }",
];

/// A shape: type of the pointer, size, how to write and how to read.
struct Shape {
    ty: &'static str,
    size: String,
    place: String,
}

fn shape(random: &mut Random) -> Shape {
    let most = if random.chance(30) { 30 } else { 6 };
    let count = 1 + random.below(most);
    let last = random.below(count);
    let (ty, size, place) = match random.below(7) {
        0 => ("int *", format!("{count} * sizeof(int)"), format!("[{last}]")),
        1 => ("char *", format!("{count}"), format!("[{last}]")),
        2 => ("struct node *", "sizeof(struct node)".into(), "->v".into()),
        3 => ("struct text *", format!("sizeof(struct text) + {count}"), format!("->data[{last}]")),
        4 => ("double *", format!("{count} * sizeof(double)"), format!("[{last}]")),
        5 => ("short *", format!("{count} * sizeof(short)"), format!("[{last}]")),
        _ => ("struct node *", format!("{count} * sizeof(struct node)"), format!("[{last}].v")),
    };
    Shape { ty, size, place }
}

pub(crate) fn generate(random: &mut Random) -> Program {
    let mut program = Program::new(random);
    program.header("stdlib.h");
    program.global("struct node { int v; struct node *next; }; struct text { int length; char data[]; };");
    program.global(random.pick::<&str>(ALLOCATORS));
    program.line("int r = 0;");
    let looped = random.chance(50);
    if looped {
        program.line(&format!("for (int k = 0; k < {}; k++) {{", 2 + random.below(2)));
    } else {
        program.line("int k = 0; {");
    }
    let shapes: Vec<Shape> = (0..2 + random.below(3)).map(|_| shape(random)).collect();
    for (number, Shape { ty, size, place }) in shapes.iter().enumerate() {
        let choice = program.choice(random);
        program.line(&format!("{ty}b{number} = get({size}); if (!b{number}) return 0;"));
        program.line(&format!("b{number}{place} = {} + k + ({choice});", random.below(40)));
        if ty.starts_with("struct node") {
            program.line(&format!("b{number}->next = b{number};"));
        }
        if number > 0 && random.chance(30) {
            program.line(&format!("r += b{}{};", number - 1, shapes[number - 1].place));
        }
    }
    for (number, Shape { ty, place, .. }) in shapes.iter().enumerate() {
        program.line(&format!("r = r * 3 + (int)b{number}{place};"));
        if ty.starts_with("struct node") {
            program.line(&format!("if (b{number}->next == b{number}) r++;"));
        }
        if random.chance(40) {
            program.line(&format!("put(b{number});"));
        }
    }
    program.line("}");
    program.observe("r");
    program
}
