//! Programs in which memory comes to life again and again: what it holds then is any value, or zero.
//!
//! A program is put together from storage and a way back to where the storage comes to life. What was stored
//! in the life before does not count.

/// What a program must not be called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wrong {
    Safe,
    Unsafe,
}

/// How memory comes to life, the expression for what it holds, what goes before the next life, and whether it
/// holds zero.
const STORAGE: &[(&str, &str, &str, &str, bool)] = &[
    ("local", "int x;", "x", "", false),
    ("array", "int a[4];", "a[k]", "", false),
    ("member", "struct { char c; int v[2]; } s;", "s.v[1]", "", false),
    ("pointed", "int x; int *p = &x;", "*p", "", false),
    ("malloc", "int *p = malloc(2 * sizeof *p);", "p[1]", "free(p);", false),
    ("kept malloc", "int *p = malloc(2 * sizeof *p);", "p[1]", "", false),
    ("grown", "int *p = realloc(malloc(4), 12);", "p[2]", "free(p);", false),
    ("calloc", "int *p = calloc(3, sizeof *p);", "p[k]", "free(p);", true),
    ("kept calloc", "int *p = calloc(3, sizeof *p);", "p[2]", "", true),
    ("set", "short a[4]; memset(a, 0, sizeof a);", "a[k]", "", true),
    ("initialised", "int a[4] = {0};", "a[3]", "", true),
    ("partly initialised", "struct { int c; int v[2]; } s = {7};", "s.v[k]", "", true),
    ("missing result", "int x = gives(i == 0);", "x", "", false),
    ("literal", "int *p = (int[3]){4};", "p[2]", "", true),
];

/// Ways back: text around the life, with `@` for it.
const WAYS: &[(&str, &str, &str)] = &[
    ("loop", "", "for (int i = 0; i < 2; i++) { @ }"),
    ("do loop", "", "do { @ } while (i++ < 1);"),
    ("goto", "", "again: { @ } if (i++ < 1) goto again;"),
    ("call", "static void life(int i, int k, int v) { @ }", "life(0, k, v); life(1, k, v);"),
    ("jump over", "", "for (i = 0; i < 2; i++) switch (v & 1) { @ }"),
];

/// A program with its name and what it must not be called.
pub(crate) fn programs() -> Vec<(String, String, Wrong)> {
    let mut programs = Vec::new();
    for &(storage, begin, held, end, zero) in STORAGE {
        for &(way, function, around) in WAYS {
            // A jump passes over what makes memory, so only plain declarations are jumped over.
            if way == "jump over" && (zero || begin.contains('=')) {
                continue;
            }
            let test = if zero { format!("{held} != 0") } else { format!("{held} == 1234") };
            let label = if way == "jump over" { "case 0: case 1:" } else { "" };
            let life = format!("{begin} {label} if (i == 1 && {test}) reach_error(); {held} = v; {end}");
            let text = format!(
                "#include <stdlib.h>\n#include <string.h>\n\
                 extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
                 static int gives(int k) {{ if (k) return 77; }}\n{}\nint main(void) {{\n  int i = 0, k = 1, v = __VERIFIER_nondet_int();\n  \
                 if (v == 1234) return 0;\n  {}\n  return 0;\n}}\n",
                function.replace('@', &life),
                around.replace('@', &life)
            );
            let wrong = if zero { Wrong::Unsafe } else { Wrong::Safe };
            programs.push((format!("{storage}, {way}"), text, wrong));
        }
    }
    programs
}
