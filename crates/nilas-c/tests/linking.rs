//! Linking: what is one object or function in a program of several files, and what is refused.
#![allow(clippy::unwrap_used)]

use nilas_c::Dialect;
use nilas_c::tree::{ExprKind, Program};
use nilas_c::types::DataModel;
use nilas_c::{File, Input, LowerOptions, Options, parse_files};

fn link_with(texts: &[&str], dialect: Dialect) -> Result<Program, String> {
    let file = |(number, text): (usize, &&str)| File {
        input: Input::Text { name: format!("{number}.c"), text: text.as_bytes().to_vec() },
        preprocessor: Options::default().preprocessor,
        dialect,
    };
    let files: Vec<File> = texts.iter().enumerate().map(file).collect();
    parse_files(&files, &Options::default()).map_err(|failure| failure.render())
}

fn link(texts: &[&str]) -> Program {
    link_with(texts, Dialect::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// The first line of the message, and the first of its notes.
fn refused(texts: &[&str]) -> (String, String) {
    let error = link_with(texts, Dialect::default()).expect_err("it should be refused");
    let note = error.lines().find(|line| line.contains(": note: ")).unwrap_or_default();
    (error.lines().next().unwrap_or_default().to_owned(), note.to_owned())
}

/// How many variables of a name there are.
fn variables(program: &Program, name: &str) -> usize {
    program.variables.iter().filter(|variable| variable.name == name).count()
}

/// How many functions of a name there are, and how many have bodies.
fn functions(program: &Program, name: &str) -> (usize, usize) {
    let named = || program.functions.iter().filter(|function| function.name == name);
    (named().count(), named().filter(|function| function.body.is_some()).count())
}

#[test]
fn static_names_stay_apart() {
    let program = link(&[
        "static int x = 1; static int f(void) { return x; } int g(void); int main(void) { return f() + g(); }",
        "static int x = 2; static int f(void) { return x; } int g(void) { return f(); }",
    ]);
    assert_eq!(variables(&program, "x"), 2);
    assert_eq!(functions(&program, "f"), (2, 2));
    assert!(program.variables.iter().filter(|v| v.name == "x").all(|v| v.shared_name));
    // Names of automata tell the file.
    let lowered = nilas_c::lower(&program, &LowerOptions::default()).unwrap();
    assert!(lowered.places.is_empty());
}

#[test]
fn external_names_are_one() {
    let program = link(&[
        "extern int x; int f(int); int main(void) { return f(x); }",
        "int x = 3; int f(int a) { return a + x; }",
    ]);
    assert_eq!(variables(&program, "x"), 1);
    assert_eq!(functions(&program, "f"), (1, 1));
    let declared = |id| program.variables[id].defined;
    let used = program.exprs.iter().filter_map(|expr| match expr.kind {
        ExprKind::Variable(id) if program.variables[id].name == "x" => Some(id),
        _ => None,
    });
    assert!(used.into_iter().all(declared));
    assert!(program.function("main").is_some_and(|main| program.functions[main].body.is_some()));
}

#[test]
fn declarations_of_main_do_not_hide_it() {
    let program = link(&["int main(void); int f(void) { return main(); }", "int main(void) { return 0; }"]);
    assert!(program.function("main").is_some_and(|main| program.functions[main].body.is_some()));
}

#[test]
fn lengths_come_from_other_files() {
    let program = link(&["extern int t[]; int main(void) { return t[2]; }", "int t[4] = { 1, 2, 3, 4 };"]);
    for expr in &program.exprs {
        if let ExprKind::Variable(id) = expr.kind {
            assert_eq!(program.types.size_of(expr.ty), Some(16), "{}", program.variables[id].name);
        }
    }
}

#[test]
fn two_definitions_are_refused() {
    let (error, note) = refused(&["int f(void) { return 1; }", "\nint f(void) { return 2; }"]);
    assert_eq!(error, "1.c:2:5: error: the symbol `f` is defined twice");
    assert_eq!(note, "0.c:1:5: note: first here");
    let (error, _) = refused(&["int x;", "int x;"]);
    assert_eq!(error, "1.c:1:5: error: the symbol `x` is defined twice");
    let common = Dialect { common: true, ..Dialect::default() };
    let program =
        link_with(&["int x; int main(void) { return x; }", "int x;", "int x = 4;"], common).unwrap();
    assert_eq!(variables(&program, "x"), 1);
    assert!(program.variables.iter().any(|v| v.name == "x" && v.init.is_some()));
    assert!(link_with(&["int x = 1;", "int x = 4;"], common).is_err());
}

#[test]
fn types_that_differ_are_refused() {
    for (first, second, message) in [
        ("extern char *p;", "char p[4];", "`p` is declared as `char *` here, and as `char [4]` elsewhere"),
        ("int f(int);", "int f(long a) { return 0; }", "`f` is declared as `int (int)` here"),
        ("extern int f;", "int f(void) { return 0; }", "one is a function, the other an object"),
        ("extern int x;", "_Thread_local int x;", "one object per thread"),
        ("int f();", "int f(float x) { return 0; }", "passes `float` as `double`"),
        (
            "struct s { int a; }; extern struct s v;",
            "struct s { long a; }; struct s v;",
            "different types of one name",
        ),
        ("extern int t[3];", "int t[4];", "`t` is declared as `int [3]` here"),
    ] {
        let (error, note) = refused(&[first, second]);
        assert!(error.starts_with("0.c:1:") && error.contains(message), "{error}");
        assert!(note.starts_with("1.c:1:") && note.ends_with("defined here"), "{note}");
    }
}

#[test]
fn differences_that_nobody_sees_are_told() {
    let program = link(&["extern const int x; int f(char *);", "int x; int f(const char *p) { return *p; }"]);
    assert_eq!(program.differences.len(), 2);
}

#[test]
fn compatible_records_are_one_type() {
    let header =
        "struct node { int value; struct node *next; }; typedef struct { short a; } tag; enum e { A, B };";
    let first = format!(
        "{header} extern struct node n; extern tag t; int f(enum e); int main(void) {{ return f(A); }}"
    );
    let second = format!("{header} struct node n; tag t; int f(enum e x) {{ return x; }}");
    let program = link(&[&first, &second]);
    for name in ["n", "t"] {
        assert_eq!(variables(&program, name), 1);
    }
    let nodes: Vec<_> =
        program.types.ids().filter(|&ty| program.types.display(ty) == "struct node *").collect();
    let used: std::collections::BTreeSet<_> =
        program.exprs.iter().map(|expr| expr.ty).filter(|ty| nodes.contains(ty)).collect();
    assert!(used.len() <= 1, "{used:?}");
}

#[test]
fn incomplete_records_are_what_another_file_says() {
    let program = link(&[
        "struct s; struct s *make(void); int get(struct s *); int main(void) { return get(make()); }",
        "struct s { int a; }; static struct s one; struct s *make(void) { return &one; } int get(struct s *p) { return p->a; }",
    ]);
    let calls = program.exprs.iter().filter(|expr| matches!(expr.kind, ExprKind::Call { .. }));
    for call in calls.filter(|call| program.types.pointee(call.ty).is_some()) {
        let to = program.types.pointee(call.ty).unwrap();
        assert_eq!(program.types.size_of(to), Some(4));
    }
    // Two files with a type of their own under one tag, and a third that only has the tag.
    let program = link(&[
        "struct s; int f(struct s *); struct s *mk(void); int main(void) { return f(mk()); }",
        "struct s { int a; }; static struct s one; struct s *mk(void) { return &one; } int f(struct s *p) { return p->a; }",
        "struct s { char b[9]; }; static struct s mine; int h(void) { return mine.b[0]; }",
    ]);
    assert_eq!(functions(&program, "f"), (1, 1));
}

#[test]
fn strong_definitions_win_over_weak_ones() {
    let program = link(&[
        "__attribute__((weak)) int f(void) { return 1; } int main(void) { return f(); }",
        "int f(void) { return 2; }",
    ]);
    assert_eq!(functions(&program, "f"), (1, 1));
    let kept = program.function("f").unwrap();
    assert_eq!(program.sources.locate(program.functions[kept].span).file, "1.c");
    // An alias means what its own file defines, though the name itself is another file's.
    let program = link(&[
        "int one(void) { return 1; } int f(void) __attribute__((weak, alias(\"one\"))); int g(void) __attribute__((alias(\"one\")));",
        "int f(void) { return 2; } int g(void); int main(void) { return f() + g(); }",
    ]);
    assert_eq!((functions(&program, "f"), functions(&program, "g")), ((1, 1), (0, 0)));
}

#[test]
fn weak_symbols_exist_if_somebody_needs_them() {
    let weak = "extern int x __attribute__((weak)); int main(void) { return &x ? x : 0; }";
    let is_weak = |program: &Program| program.variables.iter().any(|v| v.name == "x" && v.weak);
    assert!(is_weak(&link(&[weak, "int f(void) { return 0; }"])));
    assert!(!is_weak(&link(&[weak, "extern int x; int f(void) { return x; }"])));
    let reference =
        "static int g(void) __attribute__((weakref(\"f\"))); int main(void) { return g ? g() : 0; }";
    let program = link(&[reference, "int f(void) { return 5; }"]);
    assert_eq!((functions(&program, "f"), functions(&program, "g")), ((1, 1), (0, 0)));
    assert!(link(&[reference]).functions.iter().any(|f| f.name == "f" && f.weak));
}

#[test]
fn labels_name_symbols() {
    let program = link(&[
        "extern int a __asm__(\"b\"); int main(void) { return a; }",
        "int b = 7; static int a = 1; int f(void) { return a; }",
    ]);
    assert_eq!((variables(&program, "b"), variables(&program, "a")), (1, 1));
}

#[test]
fn inline_definitions_are_no_definitions_for_others() {
    let inline = "inline int f(int x) { return x * x; } int a(void) { return f(2); }";
    let external =
        "inline int f(int x) {\n  return x * x;\n} extern int f(int); int main(void) { return f(3); }";
    assert_eq!(functions(&link(&[inline, external]), "f"), (1, 1));
    let (error, _) = refused(&[inline, "int f(int x) { return x + x; }"]);
    assert!(error.contains("C leaves open which one is called"), "{error}");
    // Whoever has none means the function of some library.
    assert_eq!(functions(&link(&[inline, "int f(int); int main(void) { return f(3); }"]), "f"), (2, 1));
    // In GNU C89 it is the other way round.
    let old = Dialect { gnu_inline: true, ..Dialect::default() };
    assert!(
        link_with(&["inline int f(void) { return 1; }", "inline int f(void) { return 1; }"], old).is_err()
    );
    let extern_inline = "extern inline int f(void) { return 1; }";
    assert!(link_with(&[extern_inline, "int f(void) { return 1; }"], old).is_ok());
    assert!(link_with(&[extern_inline, "int f(void) { return 1; }"], Dialect::default()).is_err());
    let attribute = "extern inline __attribute__((gnu_inline)) int f(void) { return 1; }";
    assert!(link_with(&[attribute, "int f(void) { return 1; }"], Dialect::default()).is_ok());
}

#[test]
fn library_functions_are_there_once() {
    let use_it = "unsigned long strlen(const char *); ";
    let program = link(&[
        &format!("{use_it} int g(void); int main(void) {{ return strlen(\"ab\") + g(); }}"),
        &format!("{use_it} int g(void) {{ return strlen(\"abc\"); }}"),
    ]);
    assert_eq!(functions(&program, "__nilas_strlen"), (1, 1));
    // The one file's own function is not the library's.
    let program = link(&[
        "static unsigned long strlen(const char *s) { return 7; } int g(void); int main(void) { return strlen(\"\") + g(); }",
        &format!("{use_it} int g(void) {{ return strlen(\"abc\"); }}"),
    ]);
    assert_eq!(functions(&program, "strlen").1, 1);
    assert_eq!(functions(&program, "__nilas_strlen"), (1, 1));
}

#[test]
fn errors_of_all_files_are_told() {
    let error = link_with(&["int f( { }", "int g(void) { return z; }"], Dialect::default()).unwrap_err();
    assert!(error.contains("0.c:1:8: error") && error.contains("1.c:1:22: error"), "{error}");
}

#[test]
fn one_file_keeps_its_types() {
    let program = link(&[
        "void f(void) { struct { int a; } x; struct { int a; } y; x.a = y.a; } int main(void) { return 0; }",
    ]);
    assert_eq!(program.types.model(), DataModel::Lp64);
    let types: std::collections::BTreeSet<_> =
        program.variables.iter().filter(|v| ["x", "y"].contains(&&*v.name)).map(|v| v.ty).collect();
    assert_eq!(types.len(), 2);
}
