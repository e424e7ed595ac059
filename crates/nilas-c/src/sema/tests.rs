//! Tests of the type checker: small programs, and what the tree shows of them.

use crate::types::DataModel;
use crate::{Input, Options, parse_program, tree::Program};

fn parse(text: &str, model: DataModel) -> Result<Program, String> {
    let input = Input::Text { name: "t.c".to_owned(), text: text.as_bytes().to_vec() };
    let options = Options { model, ..Options::default() };
    parse_program(&input, &options).map_err(|failure| failure.render())
}

fn program(text: &str) -> Program {
    match parse(text, DataModel::Lp64) {
        Ok(program) => program,
        Err(errors) => panic!("{text}\n{errors}"),
    }
}

/// The body of `f` is shown as expected.
fn body(text: &str, expected: &str) {
    let program = program(text);
    let function = program.function("f").expect("f");
    let body = program.functions[function].body.expect("a body");
    let shown = program.show_stmt(body);
    let trim = |s: &str| s.lines().map(str::trim).filter(|l| !l.is_empty()).collect::<Vec<_>>().join("\n");
    assert_eq!(trim(&shown), trim(expected), "{text}");
}

/// The initialiser of the global `x` is shown as expected, and its size.
fn init(text: &str, expected: &str) {
    let program = program(text);
    let variable = program.variables.iter().find(|v| v.name == "x").expect("x");
    let size = program.types.size_of(variable.ty).expect("complete");
    let shown = format!("{size} {}", program.show_init(variable.init.as_ref().expect("initialised")));
    assert_eq!(shown, expected, "{text}");
}

fn error(text: &str, expected: &str) {
    let errors = parse(text, DataModel::Lp64).expect_err(text);
    assert_eq!(errors.lines().next(), Some(expected), "{errors}");
}

#[test]
fn conversions_are_explicit() {
    body("int f(char c, unsigned u) { return c + u; }", "return (int <- ((unsigned int <- @c) + @u));");
    body(
        "_Bool f(int *p, float x) { return p && x; }",
        "return (_Bool <- ((_Bool <- @p) && (_Bool <- @x)));",
    );
    body("double f(int a) { return a / 2 * 1.5f; }", "return (double <- ((float <- (@a / 2)) * 15e-1));");
    body(
        "void f(short s, long l) { s << l; l == s; -s; }",
        "((int <- @s) << @l);\n(@l == (long <- @s));\n-(int <- @s);",
    );
    body(
        "int f(struct s { unsigned b : 3; } *p) { return p->b < -1; }",
        "return ((int <- @*@p.+0:0:3) < -1);",
    );
}

#[test]
fn updates_show_their_computation() {
    body(
        "void f(char c, int *p) { c += 1.5; c++; p--; *p++ = 0; }",
        "
        (c := (char <- ((double <- old) + 15e-1)));
        (c := (char <- ((int <- old) + 1)), old);
        (p := (old - 1 * 4), old);
        (*(p := (old + 1 * 4), old) = 0);",
    );
    body("void f(struct s { int b : 3; } *p) { p->b <<= 2; }", "(*@p.+0:0:3 := (old << 2));");
}

#[test]
fn pointers_and_members() {
    body(
        "struct a { int x; struct { int y[3]; struct { short z; }; }; }; int f(struct a *p, int i) { return p->y[i] + p->z; }",
        "return (@*(&*@p.+4[0] + @i * 4) + (int <- @*@p.+16));",
    );
    body(
        "struct s { int a, b; }; struct s g(void); int f(void) { return g().b; }",
        "return @[value#0 = g()].+4;",
    );
    body("long f(int *p, int *q) { return p - q; }", "return ((@p - @q) / 4);");
    body(
        "int g(int); int f(int (*h)(int)) { return (*g)(1) + h(2) + (**h)(3); }",
        "return ((g(1) + (*@h)(2)) + (*@h)(3));",
    );
    body("int f(int a[2][3]) { return a[1][2]; }", "return @*(&*(@a + 1 * 12)[0] + 2 * 4);");
}

#[test]
fn control() {
    body(
        "int f(int x) { switch (x) { case 3: case 1 ... 2: x = 1; default: break; } return x; }",
        "
        switch @x [1..2 LabelId1, 3..3 LabelId0; default LabelId2]
        LabelId0:
        LabelId1:
        (x = 1);
        LabelId2:
        break;
        return @x;",
    );
    body(
        "void f(int x) { l: if (x) goto l; else for (int i = 0; i < 3; i++) continue; }",
        "
        l:
        if (_Bool <- @x)
        goto l;
        else
        i: int = {0: 0};
        for (_Bool <- (@i < 3)); (i := (old + 1), old)
        continue;",
    );
    body(
        "int f(int a) { return ({ int b = a; b + 1; }) + (a ?: 2); }",
        "
        return (({ b: int = {0: @a};  (@b + 1) }) + ((_Bool <- (condition#2 = @a)) ? @condition#2 : 2));",
    );
}

#[test]
fn variable_lengths() {
    body(
        "int f(int n) { int a[n + 1][2]; return sizeof a; }",
        "
        (length#1 = (unsigned long <- (@n + 1)));
        a: int [*][2];
        return (int <- (@length#1 * 8));",
    );
    body(
        "int f(int n, int a[n][n]) { return a[1][0]; }",
        "
        (length#1 = (unsigned long <- @n));
        (length#3 = (unsigned long <- @n));
        return @*(&*(@a + 1 * (@length#1 * 4))[0] + 0 * 4);",
    );
}

#[test]
fn initialisers() {
    init("int x[] = { 1, [3] = 2, 3 };", "20 {0, 0: 1, 12: 2, 16: 3}");
    init(
        "struct { char c; struct { int a, b; } s[2]; int z; } x = { 1, 2, 3, 4, 5, 6 };",
        "24 {0, 0: 1, 4: 2, 8: 3, 12: 4, 16: 5, 20: 6}",
    );
    init("struct { int a[3]; int b; } x = { .a[1] = 5, 6, 7 };", "16 {0, 4: 5, 8: 6, 12: 7}");
    init("struct p { int x, y; } x[] = { [1].y = 1, [0 ... 1].x = 9 };", "16 {0, 12: 1, 0: 9, 8: 9}");
    init("char x[5] = \"abc\";", "5 {0, 0: StringId0[4]}");
    init("char x[] = { \"ab\" };", "3 {0, 0: StringId0[3]}");
    init("union { int a; double d; } x = { .d = 1 };", "8 {0, 0: (double <- 1)}");
    init("struct { unsigned a : 3, : 2, b : 4; } x = { 1, 2 };", "4 {0, 0.0:3: 1, 0.5:4: 2}");
    init(
        "int y[4]; int *x[] = { y + 1, &y[2], (int *)((char *)y + 3), 0 };",
        "32 {0, 0: <y + 4>, 8: <y + 8>, 16: <y + 3>, 24: (int * <- 0)}",
    );
    init(
        "struct s { int a, b; }; int x = (int)(unsigned long)&((struct s *)0)->b + sizeof(struct s);",
        "4 {0: 12}",
    );
    init("static const int k = 4; int x = k + 1;", "4 {0: 5}");
    init("int x[2][2] = { 1, 2, { 3 } };", "16 {0, 0: 1, 4: 2, 8: 3}");
    init("struct { struct { int a; int b; }; int c; } x = { .b = 1, 2 };", "12 {0, 4: 1, 8: 2}");
}

#[test]
fn constants_fold() {
    for (text, expected) in [
        ("1 ? 2 : 3", "2"),
        ("sizeof(long) * 2 - 1", "15"),
        ("(char)200 + (unsigned char)300", "-12"),
        ("-1 < 1u", "0"),
        ("(1 << 31) >> 31", "-1"),
        ("0 && 1 / 0", "0"),
        ("'a' + '\\377'", "96"),
        ("_Generic(1L, int: 1, long: 2)", "2"),
        ("__builtin_types_compatible_p(int, const int)", "1"),
        ("__builtin_choose_expr(0, 1, 2)", "2"),
        ("(int)(2.9f * 2)", "5"),
        ("!5 + ~0u / 3", "1431655765"),
        ("sizeof \"abc\" + sizeof(int[3])", "16"),
        ("0xffffffff + 0", "-1"),
        ("__builtin_constant_p(3)", "1"),
        ("sizeof(1 ? (char)1 : (short)2)", "4"),
    ] {
        let program = program(&format!("int x = {text};"));
        let variable = program.variables.iter().find(|v| v.name == "x").expect("x");
        let shown = program.show_init(variable.init.as_ref().expect("initialised"));
        assert_eq!(shown, format!("{{0: {expected}}}"), "{text}");
    }
}

#[test]
fn literal_types() {
    for (text, lp64, ilp32) in [
        ("2147483647", "int", "int"),
        ("2147483648", "long", "long long"),
        ("0x80000000", "unsigned int", "unsigned int"),
        ("4294967296", "long", "long long"),
        ("1u", "unsigned int", "unsigned int"),
        ("1L", "long", "long"),
        ("18446744073709551615u", "unsigned long", "unsigned long long"),
        ("1.0f", "float", "float"),
        ("1.0L", "long double", "long double"),
        ("'a'", "int", "int"),
        ("L'a'", "int", "long"),
        ("sizeof(int)", "unsigned long", "unsigned int"),
    ] {
        for (model, expected) in [(DataModel::Lp64, lp64), (DataModel::Ilp32, ilp32)] {
            let program = parse(&format!("__typeof__({text}) x;"), model).expect(text);
            let variable = program.variables.iter().next().expect("x");
            assert_eq!(program.types.display(variable.ty), expected, "{text}");
        }
    }
}

#[test]
fn what_gcc_takes_with_warnings() {
    let program = program(
        "int f() { return g(1); } int *p = 5; void h(void) { return f(); } int k(void) { return; }
         int m(int *q) { int i = q; q = i; return q == 3; } int g(int x) { return x; }",
    );
    assert!(program.warnings.len() >= 3, "{:?}", program.warnings);
    assert_eq!(program.functions.iter().filter(|f| f.name == "g").count(), 1);
}

#[test]
fn floating_constants_are_exact() {
    for condition in [
        // Formats of their own, and one rounding each.
        "(1.0L + 0x1p-60L) != 1.0L",
        "(long long)9223372036854775807.0L == 9223372036854775807LL",
        "1.00000017881393432617187499f == 1.00000011920928955078125f",
        "(float)9007199791611905LL == 9007200328482816.0f",
        "(float)0xffffffffffffffffULL == 0x1p64f && (double)(unsigned __int128)-1 == 0x1p128",
        "0x100000p-1090 != 0.0 && 0x1p-1074 > 0 && 0x1p-1076 == 0.0",
        "(float)0.1 != 0.1 && 0.1f + 0.2f != 0.3 && 0.1 + 0.2 != 0.3",
        "1e400 == __builtin_inf() && -1e400 < 0 && !(0.0 / 0.0 == 0.0 / 0.0) && 0.0 / 0.0 != 0.0 / 0.0",
        // Everything that may stand around them.
        "(1.5 > 1 && 2 > 1.0L) && !(1.5 < 1) && (0.5 || 0) && (1.5 ? 2 : 3) == 2",
        "-(int)2.75 == -2 && ~(int)2.75 == -3 && (unsigned char)255.9 == 255 && (_Bool)0.25 == 1",
        "(int)(1 ? 2.5 : 3.5) + (int)-0.75 == 2 && ((int)1.9 == 1) == 1 && (int)3.0 < (int)4.5",
    ] {
        let text = format!("_Static_assert({condition}, \"\");");
        assert!(parse(&text, DataModel::Lp64).is_ok(), "{condition}");
    }
    // What C leaves undefined is no constant.
    assert!(parse("enum { A = (int)1e10 };", DataModel::Lp64).is_err());
}

#[test]
fn jumps_stay_out_of_scopes() {
    let expression = "a jump into a statement expression";
    let length = "a jump into the scope of a name with a type of variable length";
    for (text, expected) in [
        ("void f(int i) { goto in; i = ({ in: 5; }); }", format!("t.c:1:17: error: {expression}")),
        (
            "void f(int i) { switch (i) { case 1: i = ({ case 3: 5; }); } }",
            format!("t.c:1:45: error: {expression}"),
        ),
        (
            "void f(int i) { switch (i) { case 1: i = ({ default: 5; }); } }",
            format!("t.c:1:45: error: {expression}"),
        ),
        ("void f(int n) { goto in; { int a[n]; in: a[0] = 1; } }", format!("t.c:1:17: error: {length}")),
        ("void f(int n) { goto in; { int (*p)[n]; in: p = 0; } }", format!("t.c:1:17: error: {length}")),
        ("void f(int n) { goto in; typedef int T[n]; in: ; }", format!("t.c:1:17: error: {length}")),
        ("void f(int n) { switch (n) { int a[n]; case 3: ; } }", format!("t.c:1:40: error: {length}")),
        ("void f(int n) { ({ goto in; 1; }); ({ in: 2; }); }", format!("t.c:1:20: error: {expression}")),
    ] {
        error(text, &expected);
    }
    for text in [
        "void f(int n) { { int a[n]; again: a[0] = 1; if (n++ < 9) goto again; } }",
        "void f(int n) { again: ; int a[n]; a[0] = 1; if (n++ < 9) goto again; }",
        "int f(int n) { return ({ again: if (n++ < 9) goto again; if (n > 20) goto out; n; }); out: return 1; }",
        "int f(int n) { { int a[n]; } goto in; in: return 0; }",
        "int f(int n) { goto in; { int a[3]; in: a[0] = 1; } return 0; }",
        "void f(int n) { ({ switch (n) { case 1: ; int a[n]; switch (n) { case 2: a[0] = 1; } } }); }",
    ] {
        assert!(parse(text, DataModel::Lp64).is_ok(), "{text}");
    }
}

#[test]
fn parameters_without_types_need_a_definition() {
    error(
        "int f(unknown_t);",
        "t.c:1:7: error: `unknown_t` is no type, and a parameter without type needs a definition",
    );
    assert!(parse("int f(a, b) int a; { return a + b; } int g();", DataModel::Lp64).is_ok());
}

#[test]
fn errors() {
    error("int f(void) { return y; }", "t.c:1:22: error: `y` is not declared");
    error(
        "struct s { int a; } v; int f(void) { return v.b; }",
        "t.c:1:47: error: `struct s` has no member `b`",
    );
    error(
        "int f(int *p) { return p * 2; }",
        "t.c:1:24: error: the operands of `*` have the types `int *` and `int`",
    );
    error("void f(void) { 1 = 2; }", "t.c:1:16: error: this cannot be assigned to: it is no object");
    error("void f(void) { goto l; }", "t.c:1:21: error: there is no label `l` in this function");
    error("void f(int x) { switch (x) { case 1: case 1: ; } }", "t.c:1:38: error: this case is there twice");
    error("int x; char x;", "t.c:1:13: error: `x` is declared again as something else");
    error("int f(int a) { return f(); }", "t.c:1:23: error: the function takes 1 arguments, but 0 are given");
    error("struct s x;", "t.c:1:10: error: the variable `x` has the incomplete type `struct s`");
    error("int a[-1];", "t.c:1:7: error: the array has -1 elements");
    error(
        "void f(const int c) { c = 1; }",
        "t.c:1:23: error: this object is constant and cannot be assigned to",
    );
    error("_Static_assert(sizeof(int) == 8, \"no\");", "t.c:1:16: error: static assertion failed: no");
    error("int y; int x = y;", "t.c:1:16: error: the initialiser of a static object is not constant");
    error("void f(void) { void g(void) { } }", "t.c:1:21: error: nested functions are not supported");
    // The elements of a vector are no bytes.
    let vector = "typedef int v __attribute__((vector_size(16)));";
    error(&format!("{vector} v x = {{ 1, 2 }};"), "t.c:1:57: error: vectors are not supported");
    error(
        &format!("{vector} struct s {{ v a; }} x = {{ 1, 2 }};"),
        "t.c:1:73: error: vectors are not supported",
    );
    error(&format!("{vector} int f(v x) {{ return x[0]; }}"), "t.c:1:69: error: vectors are not supported");
    error("double _Complex z = 1.0;", "t.c:1:21: error: complex numbers are not supported");
    error(
        "int x; extern int y __attribute__((alias(\"z\")));",
        "t.c:1:19: error: an alias of `z`, which is not defined here",
    );
    for section in [".init_array", ".preinit_array", ".fini_array.7", ".ctors", ".fini"] {
        let program =
            format!("void f(void); __attribute__((section(\"{section}\"))) static void (*p)(void) = f;");
        assert!(
            parse(&program, DataModel::Lp64).expect_err(section).contains("runs before `main` or after it")
        );
    }
    assert!(parse("int x __attribute__((section(\".init.data\")));", DataModel::Lp64).is_ok());
    assert!(parse("int x[3]; extern int y __attribute__((alias(\"x\")));", DataModel::Lp64).is_ok());
    error(
        "int x[3]; extern int y __attribute__((alias(\"x\"))); int f(void) { return y; }",
        "t.c:1:22: error: `y` is declared as `int` here, and as `int [3]` elsewhere",
    );
    error(
        "int x; extern float y __asm__(\"x\");",
        "t.c:1:21: error: `x` is declared as `float` here, and as `int` elsewhere",
    );
    let both = parse("int f(void) { a; b; return 0; }\nint g(void) { return c; }", DataModel::Lp64)
        .expect_err("three");
    assert_eq!(both.matches("error:").count(), 3, "{both}");
}

/// As GCC 12 lays them out with `-m32` and `-m64`.
#[test]
fn alignments_of_gcc() {
    let head = "struct D { char c; double d; double a[2]; } s; struct P { char c; double d; } __attribute__((packed)) p;
struct S8 { char c[8]; }; struct S16 { char c[16]; }; struct S3 { char c[3]; }; double g;
typedef double D16 __attribute__((aligned(16))); _Alignas(double) char ac;
struct A { char c; _Atomic long long a; }; struct B { char c; _Atomic double a; };
struct X { char c; _Atomic struct S8 s; }; struct W { char c; _Atomic long long a[2]; };
#pragma pack(push, 2)
struct T { void *p[3]; char b : 5 __attribute__((aligned(8))); };
#pragma pack(pop)
";
    let facts = [
        ("_Alignof(double)", 4, 8),
        ("_Alignof(long long)", 4, 8),
        ("_Alignof(double[2])", 4, 8),
        ("_Alignof(D16)", 16, 16),
        ("__alignof__(double)", 8, 8),
        ("__alignof__(struct D)", 4, 8),
        ("__alignof__(s.d)", 4, 8),
        ("__alignof__(s.a)", 4, 8),
        ("__alignof__(s.a[0])", 8, 8),
        ("__alignof__(p.d)", 1, 1),
        ("__alignof__(g)", 8, 8),
        ("__alignof__(ac)", 4, 8),
        ("_Alignof(_Atomic long long)", 8, 8),
        ("_Alignof(_Atomic struct S16)", 16, 16),
        ("_Alignof(_Atomic struct S3)", 1, 1),
        ("sizeof(struct A)", 16, 16),
        ("sizeof(struct B)", 16, 16),
        ("sizeof(struct X)", 16, 16),
        ("sizeof(struct W)", 24, 24),
        ("sizeof(struct T)", 14, 26),
        ("__alignof__(struct T)", 2, 2),
    ];
    for (what, narrow, wide) in facts {
        for (model, value) in [(DataModel::Ilp32, narrow), (DataModel::Lp64, wide)] {
            let program = format!("{head}_Static_assert({what} == {value}, \"other\");");
            assert!(parse(&program, model).is_ok(), "{what} is not {value} in {model:?}");
        }
    }
}

#[test]
fn long_chains() {
    let sum = format!("int f(int x) {{ return x{}; }}", " + x".repeat(50_000));
    assert!(parse(&sum, DataModel::Lp64).is_ok());
    let elses = format!("int f(int x) {{ {} return 1; }}", "if (x) x--; else ".repeat(20_000));
    assert!(parse(&elses, DataModel::Lp64).is_ok());
    let conditionals = format!("int f(int x) {{ return {} 3; }}", "x ? 1 : ".repeat(10_000));
    assert!(parse(&conditionals, DataModel::Lp64).is_ok());
    let parentheses = format!("int f(int x) {{ return {}x{}; }}", "(-".repeat(900), ")".repeat(900));
    assert!(parse(&parentheses, DataModel::Lp64).is_ok());
    let deep = format!("int f(int x) {{ return {}x; }}", "(".repeat(100_000));
    assert!(parse(&deep, DataModel::Lp64).is_err());
}
