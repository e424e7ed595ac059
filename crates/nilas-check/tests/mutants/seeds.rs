//! The programs that are damaged.

use std::path::{Path, PathBuf};

const PROGRAMS: [&str; 6] = [
    "void reach_error(void); int __VERIFIER_nondet_int(void); void *malloc(unsigned); struct n { struct n *next; short v; union { int i; char c[4]; } u; };\n\
     static int g[20], *p = &g[3]; int f(int d, struct n s) { if (d > 3) return s.v; s.v += d; return f(d + 1, s) << 1; }\n\
     int main(void) { struct n a = { 0, 1 }, *l = (struct n *)malloc(sizeof a); *l = a; l->next = &a; int i, (*h)(int, struct n) = f; char s[8] = \"ab\";\n\
     for (i = 0; i < 5; i++) { g[i] = h(i, *l->next); p += i & 1; switch (*p) { case 1: i++; default: if (i == 3) goto out; } l->u.c[i & 3] = s[i]; }\n\
     double d = i / 2.0; i = (int)d; int v[i + 2]; v[1] = __VERIFIER_nondet_int() ? *p++ : a.u.i / (i + 1); out: if (g[2] > v[1]) reach_error(); return s[1]; }\n",
    "typedef unsigned long size_t; struct s { int a : 3, b[2]; struct { char c; union { float f; int i; }; }; } x[] = {\n\
     [1] = { 1, { 2, 3 }, .f = 1.5e3f }, [0 ... 1].b[1] = 'a' };\n\
     int f(int n, char *p, ...) { for (int i = 0; i < n; i++) { if (p[i] == '\\n') continue; else n += x[i].b[0] << 2; }\n\
     switch (n) { case 1: case 3 ... 5: return sizeof(struct s); default: break; } return n ? p[0] : -1; }\n",
    "extern void abort(void); enum e { A, B = 4, C }; static int g(enum e v) { l: do { v--; if (v > B) goto l; } while (v);\n\
     return ({ int t = v; t ?: 7; }) + _Generic(v, int: 1, default: 2) + (int){3}; }\n\
     int old(a, b) int a; char *b; { int v[a]; v[0] = sizeof v; return a + *b + v[0]; }\n",
    "int h(int *p, double d) { int q = *p++ + (int)d; unsigned u = q; u ^= ~q % 3u; asm volatile(\"\" ::: \"memory\");\n\
     return __builtin_offsetof(struct { int a; int b[4]; }, b[2]) + (q && u || !p) + __builtin_isnan(d); }\n",
    "#pragma pack(push, 1)\nstruct p { char c; long long l; } __attribute__((aligned(4)));\n#pragma pack(pop)\n\
     const char *t = \"a\" \"\\x41\" L\"b\"; void *tab(void) { static void *j[] = { &&one, &&two }; goto *j[1]; one: two: return j; }\n",
    "int (*fp[3])(int, ...); int *(*ff(void))[4]; _Static_assert(sizeof(int) == 4, \"m\"); __int128 big = 1; _Bool b;\n\
     int main(void) { typeof(b) c = fp[0] != 0; return fp[1](c, 2.0f) + (*ff())[1] + -0x7fffffff; }\n",
];

const EXAMPLES: [&str; 9] = [
    include_str!("../../../../examples/c/array.c"),
    include_str!("../../../../examples/c/bit_field.c"),
    include_str!("../../../../examples/c/counters.c"),
    include_str!("../../../../examples/c/fibonacci.c"),
    include_str!("../../../../examples/c/float.c"),
    include_str!("../../../../examples/c/list_bug.c"),
    include_str!("../../../../examples/c/lock.c"),
    include_str!("../../../../examples/c/overflow.c"),
    include_str!("../../../../examples/c/state_machine.c"),
];

/// In place of the headers of the examples.
const HEAD: &str = "void assert(int); int __VERIFIER_nondet_int(void); unsigned __VERIFIER_nondet_uint(void); float __VERIFIER_nondet_float(void);\n\
    double __VERIFIER_nondet_double(void); _Bool __VERIFIER_nondet_bool(void); unsigned char __VERIFIER_nondet_uchar(void); void __VERIFIER_assume(int);\n\
    void *malloc(__SIZE_TYPE__); void free(void *);\n";

/// A program, and what to call it.
pub(crate) struct Seed {
    pub(crate) name: String,
    pub(crate) text: Vec<u8>,
    /// Words are exchanged more often than bytes are damaged.
    pub(crate) whole: bool,
}

/// The preprocessed files that `NILAS_MUTATED` names (paths between colons, or `@FILE` with a path on each
/// line); without it, the programs here and the examples.
pub(crate) fn seeds() -> Vec<Seed> {
    let Ok(named) = std::env::var("NILAS_MUTATED") else { return own() };
    let paths: Vec<PathBuf> = match named.strip_prefix('@') {
        Some(list) => std::fs::read_to_string(list).unwrap_or_default().lines().map(PathBuf::from).collect(),
        None => named.split(':').map(PathBuf::from).collect(),
    };
    let seed = |path: &PathBuf| {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let text = read(path);
        Seed { name, text, whole: true }
    };
    paths.iter().map(seed).collect()
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn own() -> Vec<Seed> {
    let plain = |text: &str| {
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        let text = lines.join("\n").replace("NULL", "((void *)0)");
        format!("{HEAD}{text}\n").into_bytes()
    };
    let texts = PROGRAMS.iter().map(|text| text.as_bytes().to_vec()).chain(EXAMPLES.into_iter().map(plain));
    let seed = |(number, text): (usize, Vec<u8>)| {
        let whole = number == 0 || number >= PROGRAMS.len();
        Seed { name: format!("program {number}"), text, whole }
    };
    texts.enumerate().map(seed).collect()
}
