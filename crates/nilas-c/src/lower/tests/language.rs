//! Programs of `language/`, one per construct of C and its GNU extensions: all their checks hold, and they
//! get to `END`. GCC agrees with each of them.

use super::{Outcome, check, check_every};

const HEAD: &str = "typedef __SIZE_TYPE__ size_t;
extern void reach_error(void); extern void exit(int); extern void abort(void);
extern void *malloc(size_t); extern void free(void *);
#define offsetof(t, m) __builtin_offsetof(t, m)
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
";

/// The texts of the programs, up to where they get to `END`.
pub(super) fn programs() -> Vec<String> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lower/tests/language");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect()
}

/// A program whose `END` does nothing, and one whose `END` is the error: not because something before it
/// ended the execution.
pub(super) fn ends(text: &str) -> [(String, Outcome); 2] {
    [
        (format!("{HEAD}#define END\n{text}"), Outcome::End),
        (format!("{HEAD}#define END reach_error();\n{text}"), Outcome::Error),
    ]
}

#[test]
fn language() {
    for text in programs() {
        for (text, expected) in ends(&text) {
            check(&text, &expected);
        }
    }
}

/// A weak function that nothing defines may be there or not, and that does not change.
#[test]
fn weak_symbols() {
    let head = "void reach_error(void); extern int f(void) __attribute__((weak)); extern int x __attribute__((weak));
        int (*table[])(void) = { f };";
    let main = |body: &str| format!("{head} int main(void) {{ {body} return 0; }}");
    check_every(&main("if (!f) reach_error();"), true);
    check_every(&main("if (f) reach_error();"), true);
    check_every(&main("if (!&x) reach_error();"), true);
    check_every(&main("if (&x != 0) reach_error();"), true);
    check_every(&main("if (table[0] != f) reach_error();"), false);
    check_every(&main("int there = f != 0; f(); if (!there) reach_error();"), false);
    check_every(&main("int there = &x != 0; x = 3; if (!there) reach_error();"), false);
    check_every(&main("int *p = &x; if (p) { *p = 3; if (x != 3) reach_error(); }"), false);
    check_every(&main("int *p = &x; if (p) { *p = 3; if (x == 3) reach_error(); }"), true);
}

#[test]
fn number_of_arguments() {
    let head = "void reach_error(void);";
    check_every(&format!("{head} int main(int argc, char **argv) {{ if (argc < 0) reach_error(); }}"), false);
    check_every(&format!("{head} int main(int argc, char **argv) {{ if (argc == 0) reach_error(); }}"), true);
    check_every(&format!("{head} int main(int argc, char **argv) {{ if (argc > 2) reach_error(); }}"), true);
}

#[test]
fn argument_vector() {
    let main = |body: &str| {
        format!("void reach_error(void); int main(int argc, char **argv) {{ {body} return 0; }}")
    };
    check_every(&main("if (argv == 0) reach_error();"), false);
    check_every(&main("if (argv[argc] != 0) reach_error();"), false);
    check_every(&main("if (argc > 1 && argv[1] == 0) reach_error();"), false);
    check_every(&main("if (argc > 1 && argv[1][0] != 0) reach_error();"), true);
    check_every(&main("while (argc-- > 0) if (*argv++ == 0) reach_error();"), false);
}

/// What lies outside of the program may change at any time, if it is volatile.
#[test]
fn volatile_objects() {
    let main = |body: &str| {
        format!(
            "void reach_error(void); extern volatile int x; extern volatile struct {{ int a; }} s; volatile int own;
             extern int y; extern volatile unsigned *port; int main(void) {{ {body} return 0; }}"
        )
    };
    check_every(&main("int a = x, b = x; if (a != b) reach_error();"), true);
    check_every(&main("x = 3; if (x != 3) reach_error();"), true);
    check_every(&main("x = 3; x++; if (x != 4) reach_error();"), true);
    check_every(&main("s.a = 3; if (s.a != 3) reach_error();"), true);
    check_every(&main("int a = y, b = y; if (a != b) reach_error();"), false);
    check_every(&main("own = 3; own++; if (own != 4) reach_error();"), false);
    check_every(&main("if (port) { unsigned a = *port, b = *port; if (a != b) reach_error(); }"), true);
    check_every(&main("volatile int *p = &own; *p = 7; if (*p != 7) reach_error();"), false);
}

#[test]
fn pragmas_about_symbols() {
    let head = "void reach_error(void);\n#pragma weak f\nvoid f(void); int one = 1;\n#pragma redefine_extname two one\n
        extern int two;\n";
    check_every(&format!("{head} int main(void) {{ if (!f) reach_error(); }}"), true);
    check_every(&format!("{head} int main(void) {{ two = 5; if (one != 5) reach_error(); }}"), false);
}
