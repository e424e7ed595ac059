//! What a person and a machine get to see of `nilas check`: first lines, reports, the command itself.

#![allow(clippy::unwrap_used)]

mod schema;

use serde_json::Value as Json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const RING: &str = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nint a[3];\nint main(void) {\n  \
                    int i = __VERIFIER_nondet_int();\n  if (i >= 0 && i <= 3) a[i] = 1;\n  assert(i != 1);\n  \
                    assert(a[0] >= 0);\n  return 0;\n}\n";
const LOOP: &str = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int i = 0;\n  \
                    while (__VERIFIER_nondet_int())\n    if (i < 9) i++;\n  assert(i >= 0 && i <= 9);\n  return 0;\n}\n";

/// Nobody shows soon that 2^62 - 57 is prime.
const HARD: &str = "extern void reach_error(void);\nextern unsigned long long __VERIFIER_nondet_ulonglong(void);\n\
                    int main(void) {\n  unsigned long long a = __VERIFIER_nondet_ulonglong();\n  unsigned long long \
                    b = __VERIFIER_nondet_ulonglong();\n  if (a > 1 && b > 1 && a < 4294967296 && b < 4294967296)\n    \
                    if (a * b == 4611686018427387847) reach_error();\n  return 0;\n}\n";

fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("nilas-reports-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn file(name: &str, text: &str) -> PathBuf {
    let path = folder().join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn nilas(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nilas"));
    command.args(arguments);
    command
}

fn check(path: &Path, options: &[&str]) -> (i32, String) {
    let limit: &[&str] = if options.contains(&"--timeout") { &[] } else { &["--timeout", "60"] };
    let output = nilas(&["check"]).args(limit).args(options).arg(path).output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
}

fn first(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

#[test]
fn the_first_line_says_what_was_found() {
    let ring = file("ring.c", RING);
    let (code, said) = check(&ring, &[]);
    let expected = format!("unsafe: assertion failed at {}:7: i != 1", ring.display());
    assert_eq!((code, first(&said)), (10, &*expected), "{said}");
    // What ends the execution is the last line.
    assert!(said.lines().last().unwrap().contains("ring.c:7: assert(i != 1);   // fails: i = 1"), "{said}");

    let (code, said) = check(&file("loop.c", LOOP), &[]);
    assert_eq!(code, 0, "{said}");
    assert_eq!(
        first(&said),
        "safe: no assertion fails, provided that no undefined behaviour occurs (not checked: --property undefined)"
    );
    let nothing = file("nothing.c", "int x;\nint main(void) { while (1) x++; }\n");
    let (code, said) = check(&nothing, &[]);
    assert_eq!(code, 0, "{said}");
    assert!(first(&said).starts_with("safe: nothing to check: the program has no assertion"), "{said}");
    assert!(first(&said).contains("--property"), "{said}");
    assert!(!said.contains("every execution ends"), "{said}");
    let (code, said) = check(&nothing, &["--quiet"]);
    assert_eq!((code, &*said), (0, "safe\n"));
    let literal = file("literal.c", "int main(void) { char *p = \"abc\"; *p = 'x'; return 0; }\n");
    let (code, said) = check(&literal, &["--property", "undefined"]);
    assert_eq!(code, 10, "{said}");
    assert!(first(&said).starts_with("unsafe: write to a string literal at "), "{said}");
}

#[test]
fn invariants_are_ranges() {
    let (code, said) = check(&file("range.c", LOOP), &["--engine", "ic3cfa"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("range.c:5, `while (__VERIFIER_nondet_int())`: 0 <= i && i <= 9\n"), "{said}");
}

#[test]
fn every_object_is_as_the_schema_says() {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/answer.schema.json");
    let schema: Json = serde_json::from_str(&std::fs::read_to_string(schema).unwrap()).unwrap();
    let ring = file("schema.c", RING);
    let looped = file("schema_loop.c", LOOP);
    let broken = file("schema_broken.c", "int main(void) { return 0 }\n");
    let automaton = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/p_false.cfa");
    let slow = file("schema_slow.c", HARD);
    for (path, options, code) in [
        (&ring, &[][..], 10),
        (&ring, &["--quiet"], 10),
        (&ring, &["--engine", "bmc", "--explain", "--stats"], 10),
        (&ring, &["--property", "assert,bounds"], 10),
        (&looped, &["--engine", "ic3cfa"], 0),
        (&looped, &["--property", "memory"], 0),
        (&broken, &[], 2),
        (&automaton, &[], 10),
        (&slow, &["--timeout", "1", "--engine", "ic3cfa"], 5),
    ] {
        let (exit, said) = check(path, &[&["--json"], options].concat());
        assert_eq!(exit, code, "{options:?}: {said}");
        let object: Json = serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error}: {said}"));
        if let Err(wrong) = schema::check(&schema, &schema, &object, "answer") {
            panic!("{options:?}: {wrong}\n{said}");
        }
    }
    // The schema is one that refuses something.
    let wrong: Json = serde_json::from_str("{\"version\": 1, \"file\": \"x\"}").unwrap();
    assert!(schema::check(&schema, &schema, &wrong, "answer").is_err());
    let (_, said) = check(&broken, &["--json"]);
    let object: Json = serde_json::from_str(&said).unwrap();
    assert_eq!(object["error"]["kind"], "input");
    let (_, said) = check(&ring, &["--json"]);
    let object: Json = serde_json::from_str(&said).unwrap();
    assert_eq!(object["violation"]["line"], 7);
    let verdicts: Vec<&str> =
        object["places"].as_array().unwrap().iter().map(|it| it["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["unsafe", "unknown"]);
}

#[test]
fn reports_are_written() {
    let ring = file("written.c", RING);
    let (sarif, junit) = (folder().join("out.sarif"), folder().join("out.xml"));
    let reports = ["--sarif", sarif.to_str().unwrap(), "--junit", junit.to_str().unwrap()];
    let (code, _) = check(&ring, &[&["--quiet", "--property", "assert,bounds"], &reports[..]].concat());
    assert_eq!(code, 10);
    let log: Json = serde_json::from_str(&std::fs::read_to_string(&sarif).unwrap()).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let failed: Vec<&Json> = results.iter().filter(|it| it["kind"] == "fail").collect();
    assert_eq!(failed.len(), 2, "{log:#}");
    let steps = failed[0]["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
    let last = steps.last().unwrap();
    assert_eq!(last["location"]["physicalLocation"]["region"]["startLine"], 6);
    let xml = std::fs::read_to_string(&junit).unwrap();
    assert!(xml.contains("failures=\"2\"") && xml.contains("type=\"bounds\""), "{xml}");
    // A program that is refused has reports, too.
    let broken = file("refused.c", "int main(void) { return 0 }\n");
    let (code, _) = check(&broken, &reports);
    assert_eq!(code, 2);
    let log: Json = serde_json::from_str(&std::fs::read_to_string(&sarif).unwrap()).unwrap();
    assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], false);
    assert!(std::fs::read_to_string(&junit).unwrap().contains("errors=\"1\""));
}

#[test]
fn many_programs_in_one_call() {
    let (ring, looped) = (file("batch_ring.c", RING), file("batch_loop.c", LOOP));
    let broken = file("batch_broken.c", "int main(void) { return 0 }\n");
    let paths = [looped.to_str().unwrap(), ring.to_str().unwrap()];
    let output = nilas(&["check", "--batch", "--timeout", "60"]).args(paths).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(10), "{said}");
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].starts_with(&format!("{}: safe: no assertion fails", paths[0])), "{said}");
    assert!(lines[1].starts_with(&format!("{}: unsafe: assertion failed at ", paths[1])), "{said}");
    assert!(lines[2].starts_with("2 programs: 1 safe, 1 unsafe"), "{said}");
    let output = nilas(&["check", "--batch", "--json"]).arg(&looped).arg(&broken).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let object: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["programs"][0]["verdict"], "safe");
    assert_eq!(object["programs"][1]["error"]["kind"], "input");
}

fn fed(text: &str, arguments: &[&str]) -> Output {
    let mut child =
        nilas(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn a_program_may_come_from_standard_input() {
    let output = fed(RING, &["check", "--timeout", "60", "-"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(10), "{said}");
    assert_eq!(first(&said), "unsafe: assertion failed at <stdin>:7: i != 1");
}

#[test]
fn colours_are_for_terminals() {
    let ring = file("colour.c", RING);
    assert!(!check(&ring, &[]).1.contains('\x1b'));
    assert!(check(&ring, &["--color", "always"]).1.starts_with("\x1b[1;31munsafe\x1b[0m: assertion"));
}

#[test]
fn options_of_other_checkers_are_answered() {
    for (option, way) in [("--unwind", "--engine bmc"), ("--bounds-check", "--property bounds")] {
        let output = nilas(&["check", option, "5", "x.c"]).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("\nhint: instead of `") && said.contains(way), "{said}");
        assert!(!said.contains("similar"), "{said}");
    }
}

#[test]
fn scripts_and_pages_come_from_the_options() {
    for shell in ["bash", "zsh", "fish"] {
        let output = nilas(&["completions", shell]).output().unwrap();
        assert!(String::from_utf8(output.stdout).unwrap().contains("verify-evidence"), "{shell}");
    }
    let page = String::from_utf8(nilas(&["man"]).output().unwrap().stdout).unwrap();
    assert!(
        page.starts_with(".") && page.contains("NILAS CHECK") && page.contains("malloc\\-may\\-fail"),
        "{page}"
    );
}

/// Witnesses of both verdicts are confirmed in a process of their own, and changed ones are not.
#[test]
fn witnesses_are_written_and_validated() {
    let validate = |program: &Path, witness: &Path| {
        let output =
            nilas(&["validate"]).arg(program).args(["--timeout", "60"]).arg(witness).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        (output.status.code().unwrap(), said.into_owned())
    };
    let (looped, ring) = (file("witness_loop.c", LOOP), file("witness_ring.c", RING));
    let (proof, bug) = (folder().join("proof.yml"), folder().join("bug.yml"));
    let (code, said) = check(&looped, &["--engine", "ic3cfa", "--witness", proof.to_str().unwrap()]);
    assert_eq!(code, 0, "{said}");
    let text = std::fs::read_to_string(&proof).unwrap();
    assert!(text.contains("type: loop_invariant") && text.contains("(0 <= i && i <= 9)"), "{text}");
    let (code, said) = validate(&looped, &proof);
    assert_eq!(code, 0, "{said}{text}");
    assert!(said.starts_with("confirmed: 1 invariant holds"), "{said}");
    let wrong = file("wrong.yml", &text.replace("i <= 9", "i <= 5"));
    let (code, said) = validate(&looped, &wrong);
    assert_eq!(code, 10, "{said}");
    assert!(said.starts_with("refuted: "), "{said}");
    // What would change the program is not put into it.
    let (code, said) = validate(&looped, &file("assigns.yml", &text.replace("i <= 9", "(i = 9)")));
    assert_eq!(code, 5, "{said}");

    let (code, said) = check(&ring, &["--witness", bug.to_str().unwrap()]);
    assert_eq!(code, 10, "{said}");
    let text = std::fs::read_to_string(&bug).unwrap();
    assert!(text.contains("\\\\result == 1") && text.contains("type: target"), "{text}");
    let (code, said) = validate(&ring, &bug);
    assert_eq!(code, 0, "{said}{text}");
    assert!(said.starts_with("confirmed: the assertion `i != 1` does not hold"), "{said}");
    let (code, said) = validate(&ring, &file("other.yml", &text.replace("result == 1", "result == 2")));
    assert_eq!(code, 10, "{said}");
    // The witness of a bug is refuted where there is none.
    let (code, said) = validate(&looped, &bug);
    assert_eq!(code, 10, "{said}");
}

/// What is known is told when the user interrupts.
#[cfg(unix)]
#[test]
fn an_interrupted_check_says_what_is_known() {
    let slow = file("interrupted.c", HARD);
    let child = nilas(&["check"]).arg(&slow).stdout(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_secs(4));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(5), "{said}");
    assert!(said.starts_with("unknown: interrupted\n"), "{said}");
}

/// Programs of the kind that embedded engineers write, each with a bug: kind, place and expression of it.
/// (The executions are told word for word in `crates/nilas-report/tests/embedded.rs`.)
#[test]
fn bugs_in_embedded_programs_are_named() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/embedded");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .filter_map(|entry| Some(entry.unwrap().file_name().to_str()?.strip_suffix(".c")?.to_owned()))
        .collect();
    names.sort();
    assert!(names.len() >= 15, "{names:?}");
    let mut told = String::new();
    for name in names {
        let expected = std::fs::read_to_string(folder.join(format!("{name}.expected"))).unwrap();
        let options: &[&str] =
            if first(&expected).contains("undefined") { &["--property", "undefined"] } else { &[] };
        let path = folder.join(format!("{name}.c"));
        let (code, said) = check(&path, options);
        assert_eq!(code, 10, "{name}: {said}");
        told += &first(&said).replace(path.to_str().unwrap(), &format!("{name}.c"));
        told += "\n";
    }
    let path = folder.join("headlines.txt");
    if std::env::var_os("NILAS_WRITE").is_some() {
        std::fs::write(&path, &told).unwrap();
    }
    assert_eq!(told, std::fs::read_to_string(&path).unwrap());
}
