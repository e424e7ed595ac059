//! Functions that are checked alone, with any arguments: `--function`.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;

const LIBRARY: &str = "examples/library/buffer.c";

/// The exit code and what was printed, on standard output and on standard error.
fn nilas(arguments: &[&str]) -> (i32, String, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output =
        Command::new(env!("CARGO_BIN_EXE_nilas")).current_dir(root).args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

/// Checks a text.
fn check(name: &str, text: &str, options: &[&str]) -> (i32, String, String) {
    let path = std::env::temp_dir().join(format!("nilas-functions-{}-{name}.c", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let file = path.display().to_string();
    let answer = nilas(&[&["check", "--timeout", "60", file.as_str()], options].concat());
    std::fs::remove_file(path).unwrap();
    answer
}

#[test]
fn the_example() {
    let (code, said, _) =
        nilas(&["check", "--function", "append", "--property", "memory", "--json", LIBRARY]);
    assert_eq!(code, 10, "{said}");
    let told: serde_json::Value = serde_json::from_str(&said).unwrap();
    let unsafe_places: Vec<String> = told["places"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|place| place["verdict"] == "unsafe")
        .map(|place| format!("{} {}", place["line"], place["property"].as_str().unwrap_or_default()))
        .collect();
    assert_eq!(unsafe_places, ["13 null", "14 bounds", "14 null"], "{said}");
    assert!(said.contains("pointers that `append` is called with are null or point into arrays"), "{said}");
    let (code, said, _) = nilas(&["check", "--function", "check_append", "--pointer-null", "no", LIBRARY]);
    assert_eq!(code, 0, "{said}");
}

/// The reference interpreter runs the same program.
#[test]
fn a_function_runs() {
    let (code, said, told) = nilas(&["run", "--function", "check_append", LIBRARY]);
    assert_eq!((code, said.as_str(), told.as_str()), (0, "", ""));
}

/// Evidence says what the function was called with.
#[test]
fn evidence_is_about_the_same_arguments() {
    let saved = std::env::temp_dir().join(format!("nilas-functions-{}-evidence", std::process::id()));
    let evidence = saved.display().to_string();
    let options = ["--function", "check_append", "--pointer-null", "no", LIBRARY];
    assert_eq!(nilas(&[&["check", "--evidence", evidence.as_str()], &options[..]].concat()).0, 0);
    assert_eq!(nilas(&[&["verify-evidence"], &options[..], &[evidence.as_str()]].concat()).0, 0);
    for other in [
        &["--function", "check_append", LIBRARY][..],
        &["--function", "check_append", "--pointer-null", "no", "--pointer-size", "1", LIBRARY][..],
        &["--function", "check_append", "--pointer-null", "no", "--globals", "any", LIBRARY][..],
        &["--function", "append", "--pointer-null", "no", LIBRARY][..],
    ] {
        let (code, _, told) = nilas(&[&["verify-evidence"], other, &[evidence.as_str()]].concat());
        assert_eq!(code, 2, "{told}");
        assert!(told.contains("the evidence was made with `--function check_append"), "{told}");
    }
    std::fs::remove_file(saved).unwrap();
}

#[test]
fn what_cannot_be_checked_alone() {
    let text = "int put(int x) { return x; }\nint declared(int x);\nint many(int n, ...) { return n; }\n\
                int table(int n, int (*t)[n]) { return t[0][0]; }\nint use(void) { return declared(put(1)) + many(1, 2); }\n";
    for (function, message) in [
        ("putt", "the program has no function of this name"),
        ("putt", "functions with a body: `put`"),
        ("declared", "has no body for it"),
        ("many", "a function with variable arguments"),
        ("table", "whose element has a variable length"),
    ] {
        let (code, _, told) = check(function, text, &["--function", function]);
        assert_eq!(code, 2, "{told}");
        assert!(told.contains(message), "{told}");
    }
    let (code, _, told) = check("alone", text, &["--globals", "any"]);
    assert_eq!(code, 1, "{told}");
}

/// Functions of one name in two files are told apart by the file.
#[test]
fn static_functions_of_two_files() {
    let folder = std::env::temp_dir().join(format!("nilas-functions-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let text = |value: u32| {
        format!(
            "extern void reach_error(void);\nstatic int f(unsigned x) {{ if (x % 4 == {value}) reach_error(); return 0; }}\n\
             int use{value}(void) {{ return f(1); }}\n"
        )
    };
    let paths = [("a.c", 3), ("b.c", 5)].map(|(name, value)| {
        std::fs::write(folder.join(name), text(value)).unwrap();
        folder.join(name).display().to_string()
    });
    let check = |function: &str| nilas(&["check", "--function", function, &paths[0], &paths[1]]);
    let (code, _, told) = check("f");
    assert_eq!(code, 2, "{told}");
    assert!(told.contains("several files define a function of this name"), "{told}");
    assert_eq!(check("f@a.c").0, 10);
    assert_eq!(check("f@b.c").0, 0);
    std::fs::remove_dir_all(folder).unwrap();
}

const SAFE: i32 = 0;
const UNSAFE: i32 = 10;
const UNKNOWN: i32 = 5;

/// What pointers may and may not be.
#[test]
fn what_pointers_point_to() {
    let programs: [(&str, &str, &[&str], i32); 14] = [
        // Two pointers of a type may be equal, unless that is excluded.
        ("alias", "void f(int *a, int *b) { if (a && a == b) reach_error(); }", &[], UNSAFE),
        (
            "apart",
            "void f(int *a, int *b) { if (a && a == b) reach_error(); }",
            &["--pointer-alias", "no"],
            SAFE,
        ),
        // They may be different as well: nothing is said of their order then.
        (
            "two",
            "void f(int *a, int *b) { if (a && b && a != b) { *a = 1; *b = 2; if (*a == 1) reach_error(); } }",
            &[],
            UNSAFE,
        ),
        // Neighbours in one array.
        (
            "next",
            "void f(char *a, char *b) { if (a && b && a + 1 == b) { a[1] = 7; if (*b == 7) reach_error(); } }",
            &[],
            UNSAFE,
        ),
        (
            "single",
            "void f(char *a, char *b) { if (a && b) { *a = 1; *b = 2; if (*a != 2 && a == b) reach_error(); } }",
            &["--pointer-size", "1"],
            SAFE,
        ),
        // Pointers of different types never are.
        (
            "types",
            "void f(int *a, long *b) { if (a && b) { *b = 1; *a = 2; if (*b != 1) reach_error(); } }",
            &[],
            SAFE,
        ),
        // A list of three, and one that ends nowhere.
        (
            "list",
            "struct n { struct n *next; int v; }; void f(struct n *p) { if (p && p->next && p->next->next && p->next->next->v == 9) reach_error(); }",
            &[],
            UNSAFE,
        ),
        (
            "cycle",
            "struct n { struct n *next; int v; }; void f(struct n *p) { if (p && p->next == p) reach_error(); }",
            &[],
            UNSAFE,
        ),
        (
            "tree",
            "struct n { struct n *l, *r; }; void f(struct n *p) { if (p && p->l && p->l == p->r) reach_error(); }",
            &["--pointer-alias", "no", "--pointer-size", "1"],
            SAFE,
        ),
        // Strings are not terminated, and hold any characters.
        ("string", "void f(const char *s) { if (s && s[0] == 'x') reach_error(); }", &[], UNSAFE),
        // A pointer to a pointer.
        ("double", "void f(int **p) { if (p && *p && **p == 3) reach_error(); }", &[], UNSAFE),
        // What lies deeper is memory that the program does not own.
        (
            "deep",
            "struct a { int *p; }; void f(struct a *a) { if (a && a->p && *a->p == 3) reach_error(); }",
            &["--pointer-depth", "0"],
            UNSAFE,
        ),
        // A null pointer only if it may be one.
        ("null", "void f(int *p) { if (!p) reach_error(); }", &["--pointer-null", "no"], SAFE),
        // A pointer to a function is of unknown origin.
        (
            "code",
            "void f(int (*g)(int)) { if (g && g(1) == 5) reach_error(); }",
            &["--unreplayed", "unknown"],
            UNKNOWN,
        ),
    ];
    for (name, text, options, expected) in programs {
        let text = format!("extern void reach_error(void);\n{text}\n");
        let (code, said, told) = check(name, &text, &[&["--function", "f"], options].concat());
        assert_eq!(code, expected, "{name}: {said}{told}");
        if code == UNSAFE {
            assert!(!said.contains("could not be repeated"), "{name}: {said}");
        }
    }
}

#[test]
fn globals_hold_what_is_asked_for() {
    let text = "extern void reach_error(void);\nstatic int level = 3; static const int most = 4; int seen[2]; struct s { int *p; } s;\n\
                void f(void) { if (WHAT) reach_error(); }\n";
    for (name, what, any, expected) in [
        ("kept", "level != 3", false, SAFE),
        ("any", "level != 3", true, UNSAFE),
        ("const", "most != 4", true, SAFE),
        ("array", "seen[1] == 8", true, UNSAFE),
        ("zero", "seen[1] == 8", false, SAFE),
        ("pointer", "s.p && *s.p == 2", true, UNSAFE),
        ("local", "({ static int calls; calls == 7; })", true, UNSAFE),
    ] {
        let text = text.replace("WHAT", what);
        let globals = if any { "any" } else { "initialised" };
        let (code, said, told) = check(name, &text, &["--function", "f", "--globals", globals]);
        assert_eq!(code, expected, "{name}: {said}{told}");
    }
}
