//! Programs of several files, compilation databases and flags of compilers, from the command line.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Command;

/// The exit code and what was printed, on standard output and on standard error.
fn nilas(arguments: &[&str]) -> (i32, String, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output =
        Command::new(env!("CARGO_BIN_EXE_nilas")).current_dir(root).args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

/// A folder with files, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Folder {
        let folder = std::env::temp_dir().join(format!("nilas-projects-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for (name, text) in files {
            std::fs::write(folder.join(name), text).unwrap();
        }
        Folder(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const PROJECT: &str = "examples/project";

#[test]
fn the_example_is_safe() {
    let (code, said, told) = nilas(&["check", "--project", PROJECT]);
    assert_eq!((code, told.as_str()), (0, ""));
    assert!(said.starts_with("safe"), "{said}");
}

#[test]
fn the_example_with_more_rounds_loses_items() {
    let (code, said, _) = nilas(&["check", "--project", PROJECT, "-DROUNDS=5"]);
    assert_eq!(code, 10, "{said}");
    let headline = "unsafe: assertion failed at examples/project/src/main.c:24: got == last\n";
    assert!(said.starts_with(headline), "{said}");
    assert!(said.contains("next() returns 0; input 0"), "{said}");
}

#[test]
fn evidence_is_about_all_files() {
    let folder = Folder::new("evidence", &[]);
    let evidence = folder.path("evidence");
    let (code, ..) = nilas(&["check", "--project", PROJECT, "--evidence", &evidence]);
    assert_eq!(code, 0);
    let (code, said, _) = nilas(&["verify-evidence", "--project", PROJECT, &evidence]);
    assert_eq!((code, said.as_str()), (0, "safe: the evidence is accepted\n"));
    let files = ["examples/project/src/main.c", "examples/project/src/queue.c"];
    let flags = ["-I", "examples/project/include", "-DROUNDS=3"];
    let verify = |size: &str| {
        nilas(&["verify-evidence", flags[0], flags[1], flags[2], size, files[0], files[1], &evidence])
    };
    assert_eq!(verify("-DQUEUE_SIZE=4").0, 0);
    let (code, _, told) = verify("-DQUEUE_SIZE=5");
    assert_eq!(code, 2);
    assert!(told.contains("the evidence is about another program"), "{told}");
}

#[test]
fn places_are_in_their_files() {
    let folder = Folder::new(
        "places",
        &[
            ("a.c", "int f(int);\nint main(void) { return f(3); }\n"),
            ("b.c", "\n\nint f(int i) {\n    int a[3] = {0};\n    return a[i];\n}\n"),
        ],
    );
    let (code, _, told) = nilas(&["run", &folder.path("a.c"), &folder.path("b.c")]);
    assert_eq!(code, 10);
    let told = told.replace(&folder.path(""), "");
    assert!(told.starts_with("b.c:5:12: undefined behaviour"), "{told}");
    assert!(told.contains(" 5 |     return a[i];"), "{told}");
    assert!(told.contains("called from `main` at a.c:2:25"), "{told}");
}

#[test]
fn statics_of_two_files_are_told_apart() {
    let text = |start: &str, rest: &str| format!("extern void reach_error(void);\n{start}\n{rest}\n");
    let first = text(
        "extern int __VERIFIER_nondet_int(void); void other(void); static int n;",
        "int main(void) { while (__VERIFIER_nondet_int()) { if (n < 5) n++; other(); if (n > 5) reach_error(); } return 0; }",
    );
    let second = text("static int n = 10;", "void other(void) { if (n > 3) n--; if (n < 3) reach_error(); }");
    let folder = Folder::new("statics", &[("a.c", &first), ("b.c", &second)]);
    let (code, said, _) = nilas(&["check", "--engine", "ic3cfa", &folder.path("a.c"), &folder.path("b.c")]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("n@a.c") && said.contains("n@b.c"), "{said}");
}

#[test]
fn differences_are_told() {
    let folder = Folder::new(
        "differences",
        &[
            ("a.c", "extern const int x;\nint main(void) { return x; }\n"),
            ("b.c", "int x = 3;\n"),
            ("c.c", "long x;\n"),
        ],
    );
    let (code, _, told) = nilas(&["run", &folder.path("a.c"), &folder.path("b.c")]);
    assert_eq!(code, 3);
    assert!(told.contains("a.c:1:18: warning: `x` is declared as `const int` here"), "{told}");
    let (code, _, told) = nilas(&["run", &folder.path("a.c"), &folder.path("c.c")]);
    assert_eq!(code, 2);
    assert!(
        told.contains("a.c:1:18: error: `x` is declared as `const int` here, and as `long` elsewhere"),
        "{told}"
    );
    assert!(told.contains("c.c:1:6: note: defined here"), "{told}");
}

#[test]
fn flags_are_those_of_compilers() {
    let folder = Folder::new(
        "flags",
        &[
            (
                "a.c",
                "#include <sub.h>\n#ifdef GONE\n#error\n#endif\nint main(void) { return FROM_INCLUDE + SUB + (int)sizeof(long); }\n",
            ),
            ("first.h", "#define FROM_INCLUDE 10\n"),
            ("sub.h", "#define SUB 20\n"),
        ],
    );
    let (file, first, dir) = (folder.path("a.c"), folder.path("first.h"), folder.path(""));
    let flags = ["-include", &first, "-isystem", &dir, "-DGONE", "-UGONE", "-std=c99", "-O2", "-Wall"];
    let run = |more: &[&str]| nilas(&[&["run"][..], &flags, more, &[&file]].concat());
    assert_eq!(run(&[]).0, 38);
    assert_eq!(run(&["-m32"]).0, 34);
    let (code, _, told) = run(&["-fopenmp"]);
    assert_eq!(code, 1);
    assert!(told.contains("`-fopenmp` is not supported"), "{told}");
}

#[test]
fn the_machine_is_read_from_the_compiler() {
    let program = "#include <stddef.h>\nenum e { A };\nstruct s { char a; long long b; };\nint main(void) {\n\
        char c = (char)200;\nreturn (c > 0) + 2 * (sizeof(enum e) == 1) + 4 * (offsetof(struct s, b) == 8) + 8 * (sizeof(long) == 4);\n}\n";
    let folder = Folder::new("machine", &[("a.c", program)]);
    let file = folder.path("a.c");
    assert_eq!(nilas(&["run", &file]).0, 4);
    assert_eq!(nilas(&["run", "-funsigned-char", &file]).0, 5);
    assert_eq!(nilas(&["run", "--cc", "gcc -m32", &file]).0, 8);
    assert_eq!(nilas(&["run", "--cc", "gcc -m32 -malign-double -funsigned-char -fshort-enums", &file]).0, 15);
    let (code, _, told) = nilas(&["run", "--cc", "/no/such/compiler -mthumb", &file]);
    assert_eq!(code, 2);
    assert!(told.contains("the C compiler `/no/such/compiler` cannot be run"), "{told}");
}

#[cfg(unix)]
#[test]
fn other_machines_are_refused() {
    use std::os::unix::fs::PermissionsExt;
    // A compiler that does not say that the least significant byte comes first.
    let script = "#!/bin/sh\ngcc \"$@\" 2>&1 | grep -v 'nilas:1:' >&2\nexit 1\n";
    let folder = Folder::new("big", &[("a.c", "int main(void) { return 0; }\n"), ("cc.sh", script)]);
    let compiler = folder.path("cc.sh");
    std::fs::set_permissions(&compiler, std::fs::Permissions::from_mode(0o755)).unwrap();
    let (code, _, told) = nilas(&["check", "--cc", &compiler, &folder.path("a.c")]);
    assert_eq!(code, 2);
    assert!(told.contains("is not supported: its most significant byte comes first"), "{told}");
}

#[test]
fn databases_are_read_with_care() {
    let file =
        |name: &str| format!("{{\"directory\": \".\", \"file\": \"{name}\", \"command\": \"cc -c {name}\"}}");
    let (a, b) = (file("a.c"), file("b.c"));
    let twice = a.replace("cc -c", "cc -DX -c");
    let folder = Folder::new(
        "databases",
        &[
            ("a.c", "int f(void);\nint main(void) { return f(); }\n"),
            ("b.c", "int f(void) { return 9; }\n"),
            ("both.json", &format!("[{a}, {b}, {a}]")),
            ("twice.json", &format!("[{a}, {b}, {twice}]")),
            ("none.json", "[]"),
            ("list.json", "{}"),
            ("text.json", "nothing"),
            ("empty.json", "[{}]"),
            ("assembler.json", &format!("[{}]", file("x.s"))),
            ("mixed.json", &format!("[{a}, {}]", b.replace("cc -c", "cc -m32 -c"))),
        ],
    );
    let run = |name: &str| nilas(&["run", "--project", &folder.path(name)]);
    assert_eq!(run("both.json").0, 9);
    for (name, message) in [
        ("twice.json", "entry 3: `a.c` is compiled a second time, with other flags"),
        ("none.json", "names no file"),
        ("list.json", "a list of commands expected"),
        ("text.json", "expected"),
        ("empty.json", "entry 1: `file` is missing"),
        ("assembler.json", "a file that ends in `.c` or `.i` expected"),
        ("mixed.json", "b.c` is compiled for another machine than the files before it: ilp32"),
        ("missing.json", "No such file"),
    ] {
        let (code, _, told) = run(name);
        assert_eq!(code, 2, "{name}: {told}");
        assert!(told.contains(message), "{name}: {told}");
    }
    let (code, _, told) = nilas(&["run", "--project", &folder.path("both.json"), "z.c"]);
    assert_eq!(code, 2);
    assert!(told.contains("says nothing about `z.c`"), "{told}");
}

#[test]
fn automata_stay_alone() {
    let (code, _, told) = nilas(&["check", "examples/lock.cfa", "examples/deep.cfa"]);
    assert_eq!(code, 2);
    assert!(told.contains("a file that ends in `.c` or `.i` expected"), "{told}");
}

/// Options that change a text do so where it has no directives, too; a preprocessed file stays as it is.
#[test]
fn macros_reach_files_without_directives() {
    let text = "extern void reach_error(void);\nint size = 4;\nint main(void) { if (size == 5) reach_error(); return 0; }\n";
    let folder =
        Folder::new("plain", &[("plain.c", text), ("plain.i", text), ("first.h", "#define size 5\n")]);
    let code = |file: &str, flags: &[&str]| {
        let path = folder.path(file);
        nilas(&[&["check", "--quiet", &path], flags].concat()).0
    };
    assert_eq!(code("plain.c", &[]), 0);
    assert_eq!(code("plain.c", &["-D__unused=1"]), 0);
    assert_eq!(code("plain.c", &["-Dreach_error=other"]), 0);
    let first = folder.path("first.h");
    // `int 5 = 4;` is no C.
    assert_eq!(code("plain.c", &["-include", &first]), 2);
    assert_eq!(code("plain.i", &["-include", &first]), 0);
}
