//! Parser tests over whole texts.

use super::{Limits, parse};
use crate::lex::{Symbols, lex};
use crate::source::SourceMap;

/// The rendered errors of a text.
fn errors(text: &str) -> Vec<String> {
    let mut sources = SourceMap::new();
    let file = sources.add("t.c", text.as_bytes().to_vec());
    let mut symbols = Symbols::new();
    let mut diagnostics = Vec::new();
    let lexed = lex(file, text.as_bytes(), &mut symbols, &mut diagnostics);
    parse(lexed, &mut symbols, Limits { depth: 100, ..Limits::default() }, &mut diagnostics);
    diagnostics.iter().map(|d| d.render_in(&sources)).collect()
}

fn accepts(text: &str) {
    let errors = errors(text);
    assert!(errors.is_empty(), "{text}\n{}", errors.join(""));
}

#[test]
fn declarations() {
    accepts("int x, *p, a[3], f(int), (*g)(void), *(*h[2])(char *, ...);");
    accepts("typedef unsigned long int T; T t; T *f(T T); struct T { T T; } s; enum { A, B = 2, } e;");
    accepts("struct { int a : 3, : 0; unsigned b; struct { int c; }; int d[]; } x;");
    accepts("int f(a, b) char *a; int b; { return *a + b; } main() { return 0; } static y;");
    accepts(
        "__extension__ typedef long long L __attribute__((__mode__(__DI__), aligned(8))); __typeof__(L) z;",
    );
    accepts(
        "extern int f(void) __asm__(\"g\") __attribute__((nothrow)); __attribute__((noreturn)) void h(void);",
    );
    accepts(
        "_Static_assert(sizeof(int) == 4, \"int\"); _Alignas(16) char c; _Thread_local int t; _Atomic(int) k;",
    );
    accepts(
        "int a[] = { [0 ... 3] = 1, [5] = 2, }; struct { int x, y; } s = { .x = 1, y: 2 }; int b[2] = {[0] 1};",
    );
    accepts(
        "typedef float _Float32; _Float64 d; __int128 i; unsigned __int128 u; _Complex double c; __float128 q;",
    );
    accepts("void f(int a[static const 3], int n, int b[*], int c[restrict n]); asm(\"nop\"); ;");
    accepts("typedef int T; void f(void) { T: ; int T = 1; T = 2; { typedef char T; T x; } }");
}

#[test]
fn statements_and_expressions() {
    accepts("void f(int x) { if (x) ; else if (x) {} else return; for (int i = 0; i < 3; i++) continue; }");
    accepts(
        "int f(int x) { switch (x) { case 1: case 2 ... 5: break; default: ; } do x--; while (x); return x; }",
    );
    accepts("void f(void) { __label__ l; l: ; void *p = &&l; goto *p; goto l; }");
    accepts(
        "int f(int a) { return ({ int b = a; b; }) + (a ?: 3) + (int){4} + sizeof(int) + sizeof a + _Alignof(int); }",
    );
    accepts(
        "int f(int a) { return _Generic(a, int: 1, default: 2) + __builtin_offsetof(struct s, a.b[1]); }",
    );
    accepts(
        "void f(void) { asm volatile(\"\" ::: \"memory\"); asm(\"x\" : \"=r\"(a) : [n] \"r\"(b)); asm goto(\"\" :::: l); }",
    );
    accepts("void f(int a) { switch (a) { case 1: __attribute__((fallthrough)); case 2: ; int x; end: } }");
    accepts("char *s = \"a\" \"b\" L\"c\"; int c = 'a' + L'b'; int g = (1, 2);");
}

#[test]
fn long_chains_are_no_nesting() {
    accepts(&format!("int x = 0{};", " + 1".repeat(20_000)));
    accepts(&format!("int f(int x) {{ {} return 1; }}", "if (x) ; else ".repeat(20_000)));
    accepts(&format!("int f(int x) {{ switch (x) {{ {} ; }} return 1; }}", "case 1: ".repeat(20_000)));
    accepts(&format!("int x = 0{};", " ? 1 : 2".repeat(5_000)));
}

#[test]
fn nesting_is_bounded() {
    for (open, close) in
        [("(", ")"), ("{", "}"), ("-", ""), ("*", ""), ("x = ", ""), ("x[", "]"), ("({", "})")]
    {
        let text = format!("int f() {{ {} x {}; }}", open.repeat(100_000), close.repeat(100_000));
        let found = errors(&text);
        assert_eq!(found.len(), 1, "{open}: {}", found.join(""));
        assert!(found[0].contains("levels deep"), "{}", found[0]);
    }
    assert!(errors(&format!("int {}x;", "*".repeat(100_000)))[0].contains("more than"));
    assert!(errors(&format!("int x{};", "[1]".repeat(100_000)))[0].contains("more than"));
    assert!(errors(&"struct {".repeat(100_000))[0].contains("levels deep"));
}

#[test]
fn several_errors_are_reported() {
    let found = errors("int f( { }\nint g(void) { int x = ; x + ; return 1 }\nfoo_t y;\nint ok;\n");
    let expected = [
        "t.c:1:8: error: expected a parameter, found `{`",
        "t.c:2:23: error: expected an expression, found `;`",
        "t.c:2:29: error: expected an expression, found `;`",
        "t.c:2:39: error: expected `;`, found `}`",
        "t.c:3:1: error: unknown type name `foo_t`",
    ];
    let firsts: Vec<&str> = found.iter().filter_map(|e| e.lines().next()).collect();
    assert_eq!(firsts, expected);
}

#[test]
fn the_opening_bracket_is_named() {
    let found = errors("int a = (1 + 2;\n");
    assert_eq!(
        found[0],
        "t.c:1:15: error: expected `)`, found `;`\n 1 | int a = (1 + 2;\n   |               ^\n\
         t.c:1:9: note: to close this\n 1 | int a = (1 + 2;\n   |         ^\n"
    );
}
