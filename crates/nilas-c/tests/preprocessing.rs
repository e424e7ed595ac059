//! Programs with directives, through the system's compiler. Without one the tests say so and pass.
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use nilas_c::preprocess::Preprocessor;
use nilas_c::types::DataModel;
use nilas_c::{Input, Options, parse_program};
use std::path::PathBuf;
use std::process::Command;

fn available() -> bool {
    let found = Command::new("cc").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("skipped: needs cc");
    }
    found
}

fn text(text: &str) -> Input {
    Input::Text { name: "user.c".to_owned(), text: text.as_bytes().to_vec() }
}

#[test]
fn assert_works_unchanged() {
    if !available() {
        return;
    }
    let source = "#include <assert.h>\n#include <nilas.h>\n#include <stddef.h>\nint main(void) {\n    int x = __VERIFIER_nondet_int();\n    assert(x != 3);\n    return (int)sizeof(size_t);\n}\n";
    for (model, size) in [(DataModel::Ilp32, 4), (DataModel::Lp64, 8)] {
        let program = match parse_program(&text(source), &Options { model, ..Options::default() }) {
            Ok(program) => program,
            Err(failure) => panic!("{}", failure.render()),
        };
        let main = program.function("main").expect("main");
        let shown = program.show_stmt(program.functions[main].body.expect("a body"));
        assert!(shown.contains("__assert_fail(") && shown.contains(&format!("return {size};")), "{shown}");
        // The failing call is on the user's line.
        let call = program.exprs.iter().find(|e| {
            matches!(&e.kind, nilas_c::tree::ExprKind::Call { callee: nilas_c::tree::Callee::Function(f), .. }
                if program.functions[*f].name == "__assert_fail")
        });
        let place = program.sources.locate(call.expect("the call").span);
        assert_eq!((place.file.as_str(), place.line), ("user.c", 6));
    }
}

#[test]
fn folders_and_definitions_are_passed_on() {
    if !available() {
        return;
    }
    let folder = std::env::temp_dir().join(format!("nilas-include-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    std::fs::write(folder.join("own.h"), "typedef int own_t;\n").expect("a header");
    let preprocessor = Preprocessor {
        include_dirs: vec![folder.clone()],
        defines: vec!["LIMIT=7".to_owned()],
        standard: Some("gnu11".to_owned()),
        ..Preprocessor::default()
    };
    let options = Options { preprocessor, ..Options::default() };
    let source = text("#include \"own.h\"\nown_t x[LIMIT];\n_Static_assert(sizeof x == 28, \"\");\n");
    assert!(parse_program(&source, &options).is_ok());
    let missing = text("#include \"nowhere.h\"\n");
    let failure = parse_program(&missing, &options).expect_err("no such header");
    assert!(failure.render().contains("nowhere.h"), "{}", failure.render());
    std::fs::remove_dir_all(&folder).expect("cleaning up");
}

#[test]
fn what_cannot_be_read_is_named() {
    for (path, reason) in [("/no/such/file.c", "cannot read `/no/such/file.c`"), ("/", "it is a directory")] {
        let failure = parse_program(&Input::Path(PathBuf::from(path)), &Options::default()).expect_err(path);
        assert!(failure.render().contains(reason), "{}", failure.render());
    }
    let preprocessor = Preprocessor { compiler: "/no/cc".into(), ..Preprocessor::default() };
    let failure = parse_program(&text("#define A\n"), &Options { preprocessor, ..Options::default() });
    let shown = failure.expect_err("no compiler").render();
    assert!(shown.contains("`/no/cc` cannot be run") && shown.contains("hint: "), "{shown}");
}

#[test]
fn predefined_macros_need_no_directive() {
    if !available() {
        return;
    }
    let source = "__SIZE_TYPE__ size;\n\
        _Static_assert(sizeof size == __SIZEOF_POINTER__ && __CHAR_BIT__ == 8, \"\");\n\
        _Static_assert(__INT_MAX__ == 2147483647 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, \"\");\n\
        extern int taken(__UINT16_TYPE__);\n\
        _Pragma(\"pack(1)\") struct s { char c; int i; };\n\
        _Static_assert(sizeof(struct s) == 5, \"\");\n\
        const char *file = __FILE__;\n\
        int main(void) { return __LINE__ - linux + taken(65537); }\n";
    for (model, size) in [(DataModel::Ilp32, 4), (DataModel::Lp64, 8)] {
        let options = Options { model, ..Options::default() };
        let program = match parse_program(&text(source), &options) {
            Ok(program) => program,
            Err(failure) => panic!("{}", failure.render()),
        };
        let main = program.function("main").expect("main");
        let shown = program.show_stmt(program.functions[main].body.expect("a body"));
        assert!(shown.contains("7 + taken(1)"), "{shown}");
        let wrong = source.replace("sizeof size ==", &format!("{size} !="));
        assert!(parse_program(&text(&wrong), &options).is_err());
        // An error beside a macro is told at its own place.
        let wrong = source.replace("main(void) {", "main(void) {\n  unknown = 1;");
        let shown = parse_program(&text(&wrong), &options).expect_err("no such variable").render();
        assert!(shown.starts_with("user.c:9:3: error: `unknown` is not declared"), "{shown}");
        assert_eq!(shown.matches("error: ").count(), 1, "{shown}");
    }
    // What a file calls preprocessed is not preprocessed again.
    let folder = std::env::temp_dir().join(format!("nilas-predefined-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let path = folder.join("a.i");
    std::fs::write(&path, "int x = __INT_MAX__;\n").expect("a file");
    let failure = parse_program(&Input::Path(path), &Options::default()).expect_err("preprocessed");
    assert!(failure.render().contains("`__INT_MAX__` is not declared"), "{}", failure.render());
    std::fs::remove_dir_all(&folder).expect("cleaning up");
}

#[test]
fn a_byte_order_mark_is_passed_over() {
    for source in
        ["\u{feff}int main(void) { return 0; }\n", "\u{feff}#define A 0\nint main(void) { return A; }\n"]
    {
        if source.contains('#') && !available() {
            continue;
        }
        if let Err(failure) = parse_program(&text(source), &Options::default()) {
            panic!("{}", failure.render());
        }
    }
}

#[test]
fn a_binary_file_gets_one_message() {
    let input = Input::Text { name: "a.out".to_owned(), text: b"\x7fELF\x02\x01\0\0\x99@\x01".to_vec() };
    let shown = parse_program(&input, &Options::default()).expect_err("no text").render();
    assert!(shown.starts_with("error: `a.out` is no C text: byte 6 is zero\n"), "{shown}");
    assert_eq!(shown.matches("error: ").count(), 1, "{shown}");
}
