//! Damaged programs: whatever bytes come in, the front end returns. Small programs are damaged at random
//! (bytes deleted, doubled, replaced, pieces swapped); the test fails if parsing, lowering, passes or large
//! blocks panic, and hangs if they do. How many times per program: `NILAS_MUTATIONS`; instead of the programs
//! here and the examples, the preprocessed files that `NILAS_MUTATED` names (paths between colons).

use nilas_c::types::DataModel;
use nilas_c::{Input, LowerOptions, Options, lower, parse_program};
use std::time::{Duration, Instant};

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
    include_str!("../../../examples/c/array.c"),
    include_str!("../../../examples/c/bit_field.c"),
    include_str!("../../../examples/c/counters.c"),
    include_str!("../../../examples/c/fibonacci.c"),
    include_str!("../../../examples/c/float.c"),
    include_str!("../../../examples/c/list_bug.c"),
    include_str!("../../../examples/c/lock.c"),
    include_str!("../../../examples/c/overflow.c"),
    include_str!("../../../examples/c/state_machine.c"),
];

/// In place of the headers of the examples.
const HEAD: &str = "void assert(int); int __VERIFIER_nondet_int(void); unsigned __VERIFIER_nondet_uint(void); float __VERIFIER_nondet_float(void);\n\
    double __VERIFIER_nondet_double(void); _Bool __VERIFIER_nondet_bool(void); unsigned char __VERIFIER_nondet_uchar(void); void __VERIFIER_assume(int);\n\
    void *malloc(__SIZE_TYPE__); void free(void *);\n";

/// The programs that are damaged.
fn seeds() -> Vec<Vec<u8>> {
    if let Ok(paths) = std::env::var("NILAS_MUTATED") {
        return paths.split(':').filter_map(|path| std::fs::read(path).ok()).collect();
    }
    let plain = |text: &str| {
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        let text = lines.join("\n").replace("NULL", "((void *)0)");
        format!("{HEAD}{text}\n").into_bytes()
    };
    let own = PROGRAMS.iter().map(|text| text.as_bytes().to_vec());
    own.chain(EXAMPLES.into_iter().map(plain)).collect()
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % n.max(1)
    }
}

const SPLINTERS: [&str; 24] = [
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "*",
    "&",
    "struct",
    "int",
    "...",
    "=",
    "0x",
    "\"",
    "'",
    "99999999999",
    "sizeof",
    "-1",
    "typedef",
    "?",
    ":",
    "#",
];

fn damage(random: &mut Random, text: &mut Vec<u8>) {
    if text.is_empty() {
        return;
    }
    let at = random.below(text.len());
    let length = 1 + random.below(12.min(text.len() - at));
    match random.below(5) {
        0 => drop(text.drain(at..at + length)),
        1 => {
            let piece = text[at..at + length].to_vec();
            let to = random.below(text.len());
            text.splice(to..to, piece);
        }
        2 => text[at] = u8::try_from(random.below(256)).unwrap_or(0),
        3 => {
            let splinter = SPLINTERS[random.below(SPLINTERS.len())];
            text.splice(at..at, format!(" {splinter} ").into_bytes());
        }
        _ => {
            let to = random.below(text.len());
            text.swap(at, to);
        }
    }
}

/// Replaces a word or an operator by another one of the text: the result is often still a program.
fn exchange(random: &mut Random, text: &mut Vec<u8>) {
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let sign = |byte: &u8| b"+-*/%&|^<>!=?:,".contains(byte);
    let mut tokens: Vec<(usize, usize, u8)> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let same: &dyn Fn(&u8) -> bool = if word(&text[at]) { &word } else { &sign };
        let length = text[at..].iter().take_while(|byte| same(byte)).count();
        if length > 0 {
            let class = if text[at].is_ascii_digit() { 0 } else { u8::from(word(&text[at])) + 1 };
            tokens.push((at, length, class));
        }
        at += length.max(1);
    }
    let (to, length, class) = tokens[random.below(tokens.len())];
    let others: Vec<_> = tokens.iter().filter(|token| token.2 == class).collect();
    let (from, size, _) = *others[random.below(others.len())];
    let new = text[from..from + size].to_vec();
    text.splice(to..to + length, new);
}

#[test]
fn damaged_programs_end_in_messages() {
    let rounds = std::env::var("NILAS_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    // Few edges: a damaged recursion may inline a lot before it is cut.
    let lowering = LowerOptions { edges: 20_000, ..LowerOptions::default() };
    let mut whole_programs = 0;
    for (number, original) in seeds().iter().enumerate() {
        let options = Options { model: DataModel::Ilp32, ..Options::default() };
        let whole = Input::Text { name: "m.c".to_owned(), text: original.clone() };
        if let Err(failure) = parse_program(&whole, &options) {
            panic!("the undamaged program {number} is refused\n{}", failure.render());
        }
        for seed in 0..rounds {
            let mut random = Random(seed * 7919 + number as u64);
            let mut text = original.clone();
            for _ in 0..=random.below(4) {
                if number == 0 || number >= PROGRAMS.len() && seed % 4 != 0 || seed % 3 == 0 {
                    exchange(&mut random, &mut text);
                } else {
                    damage(&mut random, &mut text);
                }
            }
            // Directives would start a compiler; that is another test.
            let text = if nilas_c::preprocess::needs_preprocessing(&text) { continue } else { text };
            let shown = String::from_utf8_lossy(&text).into_owned();
            let begin = Instant::now();
            match parse_program(&Input::Text { name: "m.c".to_owned(), text }, &options) {
                Err(failure) => {
                    let messages = failure.render();
                    assert!(messages.contains("error:"), "{shown}\n{messages}");
                    assert!(!messages.contains("bug in Nilas"), "{shown}\n{messages}");
                }
                Ok(tree) => match lower(&tree, &lowering) {
                    Ok(lowered) => {
                        if let Err(errors) = nilas_program::wellformed::check(&lowered.program) {
                            panic!("{shown}\nnot well-formed: {}", errors[0].message);
                        }
                        let (blocks, _) = nilas_program::passes::large_blocks(&lowered.program);
                        let small = nilas_program::passes::simplify(
                            &lowered.program,
                            &nilas_term::Budget::unlimited(),
                        )
                        .expect("there is no limit")
                        .program;
                        for program in [&blocks, &small] {
                            if let Err(errors) = nilas_program::wellformed::check(program) {
                                panic!("{shown}\nnot well-formed after passes: {}", errors[0].message);
                            }
                        }
                        whole_programs += 1;
                    }
                    Err(messages) => {
                        let bug = messages.iter().any(|message| message.message.contains("bug in Nilas"));
                        assert!(!bug, "{shown}\n{messages:?}");
                    }
                },
            }
            assert!(begin.elapsed() < Duration::from_secs(10), "too slow\n{shown}");
        }
    }
    assert!(
        whole_programs > rounds / 20,
        "only {whole_programs} damaged programs get as far as the automaton"
    );
}
