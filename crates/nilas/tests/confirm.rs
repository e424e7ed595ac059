//! Executable counterexamples: tests that `nilas check` writes (`--harness`), and runs only if it is asked to
//! (`--confirm`).

#![allow(clippy::unwrap_used, clippy::print_stderr)]

use serde_json::Value as Json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const NONDET: &str = "extern int __VERIFIER_nondet_int(void);\n";

/// A folder of its own for a test, removed when it passes.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("nilas-confirm-test-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}

/// Whether there is a compiler that makes programs with these flags; says so if not.
fn compiles(flags: &[&str]) -> bool {
    let folder = Folder::new(&format!("probe{}", flags.concat().replace(['=', ','], "-")));
    let source = folder.write("probe.c", "#include <stdlib.h>\nint main(void) { return abs(0); }\n");
    let program = folder.file("probe");
    let output = Command::new("cc").args(flags).args([&source, "-o", &program]).output();
    let built = output.is_ok_and(|it| it.status.success());
    let runs = built && Command::new(&program).status().is_ok_and(|it| it.success());
    if !runs {
        eprintln!("skipped: cc {flags:?} makes no programs here");
    }
    runs
}

fn check(options: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_nilas"))
        .args(["check", "--timeout", "120"])
        .args(options)
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

/// The last line that `--confirm` prints.
fn confirmed(path: &str, options: &[&str]) -> String {
    let (code, said, complaints) = check(&[&["--confirm", path], options].concat());
    assert_eq!(code, 10, "{said}{complaints}");
    said.lines().last().unwrap().to_owned()
}

#[test]
fn a_harness_is_compiled_with_the_program_and_fails() {
    if !compiles(&[]) {
        return;
    }
    let folder = Folder::new("plain");
    // The program defines its own input and its own error; neither is defined twice.
    let text = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nextern double __VERIFIER_nondet_double(void);\n\
                static int seed = 3;\nint __VERIFIER_nondet_short(void) { return seed; }\nextern int unknown(int *, int);\n\
                extern void nothing(int);\nextern int limit;\n\
                int main(void) {\n  int x = __VERIFIER_nondet_int();\n  double d = __VERIFIER_nondet_double();\n  \
                nothing(x);\n  if (x == -2147483647 - 1 && d * 2.0 == 3.0 && unknown(&seed, 1) == 12 && limit == 77)\n    \
                assert(__VERIFIER_nondet_short() == 4);\n  return 0;\n}\n";
    let (program, harness) = (folder.write("program.c", text), folder.file("harness.c"));
    let (code, said, complaints) =
        check(&[&program, "--harness", &harness, "--unknown-functions", "nothing"]);
    assert_eq!(code, 10, "{said}{complaints}");
    assert!(!said.contains("confirmed"), "{said}");
    let binary = folder.file("program");
    let built = Command::new("cc").args(["-w", &harness, &program, "-o", &binary]).output().unwrap();
    let harness = std::fs::read_to_string(&harness).unwrap();
    assert!(built.status.success(), "{}\n{harness}", String::from_utf8_lossy(&built.stderr));
    let run = Command::new(&binary).output().unwrap();
    let printed = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(!run.status.success() && run.status.code().is_none(), "{printed}\n{harness}");
    assert!(printed.contains("program.c:14: __VERIFIER_nondet_short() == 4"), "{printed}");
    let said = confirmed(&program, &["--unknown-functions", "nothing"]);
    assert!(said.starts_with("confirmed by running it: "), "{said}");
}

#[test]
fn errors_are_reached_whatever_their_functions_do() {
    for flag in ["--64", "--32"] {
        if !compiles(&[if flag == "--32" { "-m32" } else { "-m64" }]) {
            continue;
        }
        let folder = Folder::new(&format!("own{flag}"));
        let text = format!(
            "{NONDET}extern void abort(void);\nvoid reach_error(void) {{ }}\nvoid assume_abort_if_not(int c) {{ if (!c) abort(); }}\n\
             void __VERIFIER_assert(int c) {{ if (!c) {{ reach_error(); abort(); }} }}\n\
             int main(void) {{ int i, s = 0; for (i = 0; i < 3; i++) {{ int x = __VERIFIER_nondet_int();\n  \
             assume_abort_if_not(x > i); s = s * 7 + x; }} __VERIFIER_assert(s != 7 * 7 * 3 + 7 * 2 + 5); return 0; }}\n"
        );
        let (path, harness) = (folder.write("own.c", &text), folder.file("harness.c"));
        let said = confirmed(&path, &[flag, "--harness", &harness]);
        assert_eq!(said, "confirmed by running it: reach_error", "{flag}");
        // As its first lines say.
        let text = std::fs::read_to_string(&harness).unwrap();
        let call = text.lines().find_map(|line| line.trim().strip_prefix("cc ")).unwrap();
        let words = call.split_whitespace().filter(|word| word.starts_with('-'));
        let binary = folder.file("own");
        let built = Command::new("cc").args(words).args(["-w", &harness, &path, "-o", &binary]).status();
        assert!(built.unwrap().success(), "{call}");
        assert!(!Command::new(&binary).output().unwrap().status.success());
    }
}

#[test]
fn sanitisers_show_undefined_behaviour() {
    if !compiles(&["-fsanitize=address,undefined"]) {
        return;
    }
    let folder = Folder::new("sanitisers");
    let programs = [
        (
            "bounds",
            "int a[4]; int main(void) { int i = __VERIFIER_nondet_int();\n  if (i >= 0 && i < 5) a[i] = 1;\n  return 0; }",
        ),
        (
            "signed-overflow",
            "int main(void) { int i = __VERIFIER_nondet_int();\n  int y = i + 1;\n  return y > 0; }",
        ),
        ("division", "int main(void) { int i = __VERIFIER_nondet_int();\n  return i >= 0 ? 100 / i : 1; }"),
        (
            "null",
            "int main(void) { int x, *p = __VERIFIER_nondet_int() > 5 ? &x : 0;\n  *p = 3;\n  return 0; }",
        ),
        (
            "use-after-free",
            "#include <stdlib.h>\nint main(void) { int *p = malloc(4);\n  *p = 3;\n  free(p);\n  return *p; }",
        ),
        (
            "double-free",
            "#include <stdlib.h>\nint main(void) { int *p = malloc(4);\n  if (__VERIFIER_nondet_int() == 9) free(p);\n  free(p);\n  return 0; }",
        ),
        (
            "shift",
            "int main(void) { int i = __VERIFIER_nondet_int();\n  return i >= 0 && i < 99 ? 1u >> i : 1; }",
        ),
        ("string-literal-write", "int main(void) { char *p = \"abc\";\n  *p = 'x';\n  return 0; }"),
    ];
    for (property, text) in programs {
        let path = folder.write(&format!("{property}.c"), &format!("{NONDET}{text}\n"));
        let said = confirmed(&path, &["--property", property]);
        assert!(said.starts_with("confirmed by running it: "), "{property}: {said}");
    }
    let text =
        format!("{NONDET}int main(void) {{ unsigned i = __VERIFIER_nondet_int();\n  return i + 1 == 0; }}\n");
    let said = confirmed(&folder.write("wraps.c", &text), &["--property", "unsigned-overflow"]);
    assert_eq!(said, "could not be reproduced: no sanitiser of gcc shows the property `unsigned-overflow`");
}

#[test]
fn functions_are_called_with_the_arguments() {
    if !compiles(&["-fsanitize=address,undefined"]) {
        return;
    }
    let folder = Folder::new("functions");
    let text = "#include <assert.h>\nstruct s { int n; struct s *next; int v[4]; };\n\
                int f(struct s *s, short k, float d) {\n  if (s && s->n == 7 && k == -9 && d == 2.5f)\n    s->v[s->n] = 1;\n  \
                return 0;\n}\nstatic void hidden(int x) {\n  assert(x != 5);\n}\nvoid shown(int x) { hidden(x + 1); }\n\
                int main(void) { return 0; }\n";
    let path = folder.write("library.c", text);
    let said = confirmed(&path, &["--function", "f", "--property", "bounds"]);
    assert!(said.starts_with("confirmed by running it: index 7 out of bounds"), "{said}");
    let said = confirmed(&path, &["--function", "shown"]);
    assert!(said.starts_with("confirmed by running it: "), "{said}");
    let said = confirmed(&path, &["--function", "hidden"]);
    assert_eq!(said, "could not be reproduced: `hidden` is static: a test in another file cannot call it");
}

#[test]
fn what_a_test_cannot_choose_is_the_reason() {
    if !compiles(&[]) {
        return;
    }
    let folder = Folder::new("open");
    let text = "extern void reach_error(void);\nint main(void) { int x; int *p = &x; if (*p == 41) reach_error(); return 0; }\n";
    let said = confirmed(&folder.write("open.c", text), &[]);
    assert!(said.starts_with("could not be reproduced: the program ends with status 0; "), "{said}");
    assert!(said.contains("uninitialised memory of `x`") && said.ends_with("holds 41"), "{said}");
    let text = "extern void reach_error(void);\nvolatile int flag;\nvoid tick(void) { flag = 1; }\n\
                int main(void) { flag = 0; if (flag) reach_error(); return 0; }\n";
    let said = confirmed(&folder.write("tick.c", text), &["--interrupt", "tick"]);
    assert_eq!(said, "could not be reproduced: a test cannot choose when interrupts come");
}

#[test]
fn several_files_and_standard_input_are_compiled() {
    if !compiles(&[]) {
        return;
    }
    let folder = Folder::new("several");
    let first = folder.write(
        "first.c",
        "#include <assert.h>\nint twice(int);\nextern int __VERIFIER_nondet_int(void);\n\
                int main(void) { assert(twice(__VERIFIER_nondet_int()) != 34); return 0; }\n",
    );
    let second =
        folder.write("second.c", "#ifndef FACTOR\n#error\n#endif\nint twice(int x) { return FACTOR * x; }\n");
    let (code, said, complaints) = check(&["--confirm", "-DFACTOR=2", &first, &second]);
    assert_eq!(code, 10, "{said}{complaints}");
    assert!(said.lines().last().unwrap().starts_with("confirmed by running it: "), "{said}");
    let mut child = Command::new(env!("CARGO_BIN_EXE_nilas"))
        .args(["check", "--confirm", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let text = format!(
        "{NONDET}#include <nilas.h>\nint main(void) {{ if (__VERIFIER_nondet_int() == 8) reach_error(); return 0; }}\n"
    );
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.lines().last().unwrap().starts_with("confirmed by running it: reach_error"), "{said}");
}

#[test]
fn reports_say_what_the_run_showed() {
    if !compiles(&[]) {
        return;
    }
    let folder = Folder::new("reports");
    let path = folder.write("a.c", &format!("#include <assert.h>\n{NONDET}int main(void) {{ assert(__VERIFIER_nondet_int() != 4); return 0; }}\n"));
    let (sarif, junit) = (folder.file("a.sarif"), folder.file("a.xml"));
    let (_, said, _) = check(&["--confirm", "--json", "--sarif", &sarif, "--junit", &junit, &path]);
    let answer: Json = serde_json::from_str(&said).unwrap();
    assert_eq!(answer["places"][0]["confirmation"]["confirmed"], true, "{said}");
    let sarif: Json = serde_json::from_str(&std::fs::read_to_string(sarif).unwrap()).unwrap();
    assert_eq!(sarif["runs"][0]["results"][0]["properties"]["confirmed"], true, "{sarif}");
    let junit = std::fs::read_to_string(junit).unwrap();
    assert!(junit.contains("confirmed by running it: "), "{junit}");
}

/// A compiler that notes how it is called stands in for all of them.
#[cfg(unix)]
#[test]
fn nothing_is_compiled_or_run_without_being_asked() {
    use std::os::unix::fs::PermissionsExt;
    if !compiles(&[]) {
        return;
    }
    let folder = Folder::new("asked");
    let log = folder.file("log");
    let bin = folder.0.join("bin");
    std::fs::create_dir_all(&bin).unwrap();
    for name in ["cc", "gcc"] {
        let script = bin.join(name);
        std::fs::write(&script, format!("#!/bin/sh\necho \"$@\" >> {log}\nexec /usr/bin/cc \"$@\"\n"))
            .unwrap();
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    if !Path::new("/usr/bin/cc").exists() {
        return;
    }
    let ran = folder.file("ran");
    let text = format!(
        "#include <stdio.h>\n#include <assert.h>\n{NONDET}int main(void) {{ FILE *f = fopen(\"{ran}\", \"w\"); (void)f;\n  \
         assert(__VERIFIER_nondet_int() != 4); return 0; }}\n"
    );
    let path = folder.write("a.c", &text);
    let run = |options: &[&str]| {
        let search = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
        let output = Command::new(env!("CARGO_BIN_EXE_nilas"))
            .args(["check", "--timeout", "120", &path])
            .args(options)
            .env("PATH", search)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(10), "{}", String::from_utf8_lossy(&output.stdout));
    };
    run(&["--harness", &folder.file("h.c"), "--sarif", &folder.file("s"), "--witness", &folder.file("w")]);
    let called = std::fs::read_to_string(&log).unwrap();
    assert!(!called.is_empty() && called.lines().all(|line| line.starts_with("-E ")), "{called}");
    assert!(!Path::new(&ran).exists());
    run(&["--confirm"]);
    let called = std::fs::read_to_string(&log).unwrap();
    assert!(called.lines().any(|line| !line.starts_with("-E ")), "{called}");
    assert!(Path::new(&ran).exists());
}
