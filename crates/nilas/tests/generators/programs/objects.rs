//! Several objects of one type, declared in every way, for the families that go through all of them.
//!
//! Behind the declarations, `t` is a table of pointers to the objects, which have the values 2, 5, 8, ….
//! `set` and `get` write and read a whole object. No type has padding, so that all bytes have values.

use crate::kit::program::Program;
use crate::kit::random::Random;

/// How many objects there are in a group.
pub(crate) const COUNT: usize = 4;

/// Global and local declarations of the objects, their names in the order of the table, and whether they lie
/// in that order within one object.
struct Group {
    globals: &'static str,
    locals: &'static str,
    names: [&'static str; COUNT],
    ordered: bool,
}

const fn group(globals: &'static str, locals: &'static str, names: [&'static str; COUNT]) -> Group {
    Group { globals, locals, names, ordered: false }
}

const fn ordered(globals: &'static str, locals: &'static str, names: [&'static str; COUNT]) -> Group {
    Group { globals, locals, names, ordered: true }
}

const PLAIN: [&str; COUNT] = ["one", "two", "three", "four"];
const BEHIND: [&str; COUNT] = ["(*one)", "(*two)", "(*three)", "(*four)"];
const ELEMENTS: [&str; COUNT] = ["all[0]", "all[1]", "all[2]", "all[3]"];
const MEMBERS: [&str; COUNT] = ["all.one", "all.two", "all.three", "all.four"];

const GROUPS: &[Group] = &[
    group("T one, two, three, four;", "", PLAIN),
    group("static T one, two, three, four;", "", PLAIN),
    group("T one; char x; T two; short y; T three; long z; T four;", "", PLAIN),
    group("T one = { 0 }, two; static T three = { 0 }; T four;", "", PLAIN),
    group("extern T four, three; T two, one; T three; T four;", "", PLAIN),
    group("", "T one, two, three, four;", PLAIN),
    group("", "static T one, two, three, four;", PLAIN),
    group("", "T one; char x = 1; T two; short y = 2; T three; long z = 3; T four; r += x + y + z;", PLAIN),
    group("", "T one = { 0 }, two = { 0 }; static T three; static T four = { 0 };", PLAIN),
    group("", "T *one = get_one(), *two = get_one(), *three = get_one(), *four = get_one();", BEHIND),
    group(
        "",
        "T *all[N]; for (int k = 0; k < N; k++) all[k] = get_one();",
        ["(*all[0])", "(*all[1])", "(*all[2])", "(*all[3])"],
    ),
    group("", "T *one = &(T){ 0 }, *two = &(T){ 0 }, *three = &(T){ 0 }, *four = &(T){ 0 };", BEHIND),
    group("T all[2];", "T more[2];", ["all[0]", "more[0]", "all[1]", "more[1]"]),
    group(
        "union wide { char c; T v; char e[64]; } all, more;",
        "union wide third, last;",
        ["all.v", "more.v", "third.v", "last.v"],
    ),
    group("T one;", "static T two; T three, *four = get_one();", ["one", "two", "three", "(*four)"]),
    group(
        "struct tagged { char x; T v; } all;",
        "struct tagged more; T three, four[2];",
        ["four[1]", "three", "more.v", "all.v"],
    ),
    ordered("T all[N];", "", ELEMENTS),
    ordered("", "T all[N];", ELEMENTS),
    ordered("", "T *all = malloc(N * sizeof *all); if (!all) return 0;", ELEMENTS),
    ordered("", "T *all = __builtin_alloca(N * sizeof *all);", ELEMENTS),
    ordered("", "int n = N - (I); T all[n];", ELEMENTS),
    ordered("T rows[2][2];", "", ["rows[0][0]", "rows[0][1]", "rows[1][0]", "rows[1][1]"]),
    ordered("struct { T one, two; char x; T three, four; } all;", "", MEMBERS),
    ordered("", "struct { char x; T one, two, three; short y; T four; } all;", MEMBERS),
    ordered("struct { char x; T v; } all[N];", "", ["all[0].v", "all[1].v", "all[2].v", "all[3].v"]),
    ordered(
        "struct in { T x, y; };",
        "struct { struct in more, third; } all;",
        ["all.more.x", "all.more.y", "all.third.x", "all.third.y"],
    ),
    ordered(
        "struct in { char c; T x[2]; };",
        "struct in all[2];",
        ["all[0].x[0]", "all[0].x[1]", "all[1].x[0]", "all[1].x[1]"],
    ),
];

/// A type, how `v` is written to `p`, how an `int` is read, and its parts with their types.
struct Type {
    declared: &'static str,
    set: &'static str,
    get: &'static str,
    parts: &'static [(&'static str, &'static str)],
}

const TYPES: &[Type] = &[
    Type { declared: "int T", set: "*p = v;", get: "*p", parts: &[("int", "")] },
    Type { declared: "char T", set: "*p = v;", get: "*p", parts: &[("char", "")] },
    Type { declared: "unsigned short T", set: "*p = v;", get: "*p", parts: &[("unsigned short", "")] },
    Type { declared: "long long T", set: "*p = v - 9LL;", get: "(int)*p", parts: &[("long long", "")] },
    Type { declared: "double T", set: "*p = v;", get: "(int)*p", parts: &[("double", "")] },
    Type {
        declared: "struct { char c, d; short e; int v; short w[2]; } T",
        set: "p->c = v; p->d = 1; p->e = -v; p->v = v * 7; p->w[0] = 3; p->w[1] = v;",
        get: "p->c + p->d * 2 + p->e * 3 + p->v * 5 + p->w[0] + p->w[1] * 11",
        parts: &[
            ("char", ".c"),
            ("char", ".d"),
            ("short", ".e"),
            ("int", ".v"),
            ("short", ".w[0]"),
            ("short", ".w[1]"),
        ],
    },
    Type {
        declared: "int T[3]",
        set: "(*p)[0] = v; (*p)[1] = -v; (*p)[2] = v + 1;",
        get: "(*p)[0] + (*p)[1] * 3 + (*p)[2] * 5",
        parts: &[("int", "[0]"), ("int", "[1]"), ("int", "[2]")],
    },
    Type {
        declared: "char T[5]",
        set: "for (int k = 0; k < 5; k++) (*p)[k] = v + k;",
        get: "(*p)[0] + (*p)[1] * 2 + (*p)[2] * 3 + (*p)[3] * 4 + (*p)[4] * 5",
        parts: &[("char", "[0]"), ("char", "[2]"), ("char", "[4]")],
    },
    Type {
        declared: "struct { short a; char b[2]; } T[2]",
        set: "for (int k = 0; k < 2; k++) { (*p)[k].a = v + k; (*p)[k].b[0] = k; (*p)[k].b[1] = -v; }",
        get: "(*p)[0].a + (*p)[0].b[1] * 3 + (*p)[1].a * 5 + (*p)[1].b[0] * 7 + (*p)[1].b[1] * 11",
        parts: &[("short", "[0].a"), ("char", "[0].b[1]"), ("short", "[1].a"), ("char", "[1].b[1]")],
    },
    Type {
        declared: "union { int v; unsigned char b[4]; short h[2]; } T",
        set: "p->v = v * 300;",
        get: "p->b[0] + p->b[1] * 3 + p->h[1]",
        parts: &[("int", ".v"), ("unsigned char", ".b[3]"), ("short", ".h[1]")],
    },
];

pub(crate) fn groups() -> usize {
    GROUPS.len()
}

/// The objects of a program.
pub(crate) struct Objects {
    pub(crate) names: Vec<&'static str>,
    /// They lie in this order.
    pub(crate) ordered: bool,
    /// Type and name of a part of an object.
    pub(crate) part: (&'static str, &'static str),
}

/// Declares a group of objects of some type. `T` is their type, `W` that of addresses as numbers, `N` their
/// count, `r` a sum to observe.
pub(crate) fn declare(program: &mut Program, number: usize, zero: &str, random: &mut Random) -> Objects {
    let (group, ty) = (&GROUPS[number % GROUPS.len()], random.pick(TYPES));
    for header in ["stdlib.h", "string.h", "stdint.h"] {
        program.header(header);
    }
    let word = random.pick(&["unsigned long", "uintptr_t", "size_t"]);
    program.global(&format!("typedef {}; typedef {word} W; enum {{ N = {COUNT} }};", ty.declared));
    program.global(&format!("static void set(T *p, int v) {{ {} }}", ty.set));
    program.global(&format!("static int get(const T *p) {{ return {}; }}", ty.get));
    program.global("static T *get_one(void) { T *p = malloc(sizeof *p); if (!p) exit(1); return p; }");
    program.global(group.globals);
    program.line("long long r = 0;");
    program.line(&super::named(group.locals, "I", zero));
    let mut names = group.names.to_vec();
    let mut ordered = group.ordered;
    if random.chance(30) {
        names.reverse();
        ordered = false;
    }
    let table: Vec<String> = names.iter().map(|name| format!("&{name}")).collect();
    program.line(&format!("T *t[N] = {{ {} }};", table.join(", ")));
    program.line("for (int k = 0; k < N; k++) set(t[k], 3 * k + 2);");
    Objects { names, ordered, part: *random.pick(ty.parts) }
}

/// Observes the sum, all objects directly, and all of them through the table.
pub(crate) fn observe(program: &mut Program, objects: &Objects) {
    program.observe("r");
    for name in &objects.names {
        program.observe(&format!("get(&{name})"));
    }
    program.line("long long s = 0; for (int k = 0; k < N; k++) s = s * 3 + get(t[k]);");
    program.observe("s");
}
