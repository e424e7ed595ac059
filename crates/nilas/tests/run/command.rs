//! `nilas run` from the command line.

use crate::kit::temporary;
use std::process::{Command, Output};

fn nilas(text: &str, options: &[&str]) -> (Output, String) {
    let path = temporary("run.c");
    std::fs::write(&path, text).unwrap();
    let output =
        Command::new(env!("CARGO_BIN_EXE_nilas")).arg("run").args(options).arg(&path).output().unwrap();
    std::fs::remove_file(&path).unwrap();
    let said = String::from_utf8_lossy(&output.stderr).replace(&path.display().to_string(), "run.c");
    (output, said)
}

#[test]
fn it_prints_and_ends_as_the_program_does() {
    let (output, said) = nilas("#include <stdio.h>\nint main(void) { puts(\"hello\"); return 7; }\n", &[]);
    assert_eq!(output.status.code(), Some(7));
    assert_eq!(output.stdout, b"hello\n");
    assert_eq!(said, "");
}

#[test]
fn undefined_behaviour_is_named_with_its_place() {
    let (output, said) =
        nilas("int main(void) {\n    int a[2] = {1, 2};\n    int i = 2;\n    return a[i];\n}\n", &[]);
    assert_eq!(output.status.code(), Some(10));
    assert!(
        said.starts_with(
            "run.c:4:12: undefined behaviour: read of 4 bytes at offset 8 of `a`, which has 8 bytes"
        ),
        "{said}"
    );
    assert!(said.contains("[out-of-bounds-read, C11 6.5.6p8]"), "{said}");
    assert!(said.contains("`a` comes from run.c:2:9"), "{said}");
}

const INPUTS: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
    int main(void) {\n    int a = __VERIFIER_nondet_int();\n    int b = __VERIFIER_nondet_int();\n    int u;\n\
    if (a == 3 && b == -4 && u == 0) reach_error();\n    return 0;\n}\n";

#[test]
fn inputs_are_given_in_order() {
    let (output, said) = nilas(INPUTS, &["--input", "3,-4"]);
    assert_eq!(output.status.code(), Some(10), "{said}");
    assert!(said.contains("error: `reach_error` is called"), "{said}");
    let (output, _) = nilas(INPUTS, &["--input", "3,4"]);
    assert_eq!(output.status.code(), Some(0));
    let (output, said) = nilas(INPUTS, &["--input", "3"]);
    assert_eq!(output.status.code(), Some(5));
    assert!(
        said.contains("no value is given for this choice: input run.c:5:13 __VERIFIER_nondet_int 0"),
        "{said}"
    );
}

#[test]
fn recorded_choices_repeat_an_execution() {
    let text = "extern int __VERIFIER_nondet_int(void);\n#include <stdio.h>\n\
        int main(void) { int u[3]; for (int i = 0; i < 4; i++) printf(\"%d \", __VERIFIER_nondet_int());\n\
        printf(\"%d %d\\n\", u[0], u[2]); return 0; }\n";
    let source = temporary("recorded.c");
    let choices = temporary("choices");
    std::fs::write(&source, text).unwrap();
    let run = |options: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_nilas"))
            .arg("run")
            .args(options)
            .arg(&source)
            .output()
            .unwrap()
            .stdout
    };
    let path = choices.display().to_string();
    let first = run(&["--seed", "17", "--record", &path]);
    let again = run(&["--choices", &path]);
    assert_eq!(first, again);
    let recorded = std::fs::read_to_string(&choices).unwrap();
    assert_eq!(recorded.lines().filter(|line| line.starts_with("input ")).count(), 4, "{recorded}");
    assert!(
        recorded.lines().any(|line| line.starts_with("uninitialised ") && line.contains(" u 0+8 ")),
        "{recorded}"
    );
    std::fs::remove_file(source).unwrap();
    std::fs::remove_file(choices).unwrap();
}

#[test]
fn a_wrong_file_of_choices_is_refused() {
    let path = temporary("wrong");
    std::fs::write(&path, "input somewhere\n").unwrap();
    let (output, said) = nilas(INPUTS, &["--choices", &path.display().to_string()]);
    std::fs::remove_file(path).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("line 1: "), "{said}");
}

#[test]
fn bounds_end_an_execution() {
    let (output, said) = nilas("int main(void) { for (unsigned i = 0;; i++) ; }\n", &["--steps", "1000"]);
    assert_eq!(output.status.code(), Some(5));
    assert!(said.contains("did not end"), "{said}");
    let (output, said) = nilas("int main(void) { for (;;) ; }\n", &["--steps", "1000"]);
    assert_eq!(output.status.code(), Some(5));
    assert!(said.contains("goes on for ever"), "{said}");
    let (output, said) =
        nilas("int f(int n) { return f(n + 1) + 1; }\nint main(void) { return f(0); }\n", &[]);
    assert_eq!(output.status.code(), Some(5));
    assert!(said.contains("calls are nested too deeply (`f`)"), "{said}");
    let big = "#include <stdlib.h>\nint main(void) { for (;;) if (!malloc(1 << 20)) return 1; }\n";
    let (output, said) = nilas(big, &["--memory", "64"]);
    assert_eq!(output.status.code(), Some(5));
    assert!(said.contains("more memory"), "{said}");
}

#[test]
fn json_has_the_end_and_the_choices() {
    let (output, _) = nilas(INPUTS, &["--json", "--input", "3,-4"]);
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["execution"]["end"], "error");
    assert_eq!(value["choices"][1]["value"], "-4");
}

/// The examples of docs/run.md print what is pasted there, and its table has every kind.
#[test]
fn the_documentation_is_true() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/run.md");
    let text = std::fs::read_to_string(path).unwrap();
    let folder = temporary("docs");
    std::fs::create_dir(&folder).unwrap();
    let (mut program, mut examples) = (String::new(), 0);
    for block in text.split("\n```").collect::<Vec<_>>().chunks(2).filter_map(|pair| pair.get(1)) {
        let (language, body) = block.split_once('\n').unwrap();
        let command = body.lines().next().and_then(|line| line.strip_prefix("$ nilas run "));
        match (language, command) {
            ("c", _) => program = format!("{body}\n"),
            ("text", Some(command)) => {
                let words: Vec<&str> = command.split(' ').collect();
                std::fs::write(folder.join(words.last().unwrap()), &program).unwrap();
                let mut nilas = Command::new(env!("CARGO_BIN_EXE_nilas"));
                let output = nilas.current_dir(&folder).arg("run").args(&words).output().unwrap();
                let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
                let shown: Vec<&str> =
                    body.lines().skip(1).take_while(|line| !line.starts_with("$ ")).collect();
                assert_eq!(said.trim_end(), shown.join("\n"), "{command}");
                examples += 1;
            }
            _ => {}
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
    assert_eq!(examples, 3);
    for kind in nilas_run::UndefinedKind::ALL {
        assert!(text.contains(&format!("| `{kind}` |")), "{kind} is not in the table");
    }
}
