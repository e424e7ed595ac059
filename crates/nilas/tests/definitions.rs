//! What competitions use: task definitions, property files, witnesses of both formats, the module for
//! BenchExec and the archive.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const UNREACH: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
const OVERFLOW: &str = "CHECK( init(main()), LTL(G ! overflow) )\n";
const MEMORY: &str = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
                      CHECK( init(main()), LTL(G valid-memtrack) )\n";
const CLEANUP: &str = "CHECK( init(main()), LTL(G valid-memcleanup) )\n";
const TERMINATION: &str = "CHECK( init(main()), LTL(F end) )\n";

/// A loop that stays below ten, on a machine of 32 bits only.
const LOOP: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n  int i = 0;\n  \
                    while (__VERIFIER_nondet_int())\n    if (i < 9) i++;\n  if (i < 0 || i > 9 || sizeof(long) != 4) reach_error();\n  \
                    return 0;\n}\n";
const BUG: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n  \
                   int x = __VERIFIER_nondet_int();\n  int y = __VERIFIER_nondet_int();\n  if (x == 17 && y > 4)\n    \
                   reach_error();\n  return 0;\n}\n";

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("nilas-definitions-{}-{name}", std::process::id()));
        std::fs::create_dir_all(path.join("properties")).unwrap();
        let folder = Folder(path);
        for (name, text) in [
            ("unreach-call", UNREACH),
            ("no-overflow", OVERFLOW),
            ("valid-memsafety", MEMORY),
            ("valid-memcleanup", CLEANUP),
            ("termination", TERMINATION),
        ] {
            folder.write(&format!("properties/{name}.prp"), text);
        }
        folder
    }

    fn write(&self, name: &str, text: &str) -> String {
        std::fs::write(self.0.join(name), text).unwrap();
        self.file(name)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    /// A task definition with properties and verdicts.
    fn definition(&self, name: &str, file: &str, properties: &[(&str, bool)]) -> String {
        let mut text = format!("format_version: '2.0'\n\ninput_files: '{file}'\n\nproperties:\n");
        for (property, expected) in properties {
            text +=
                &format!("  - property_file: properties/{property}.prp\n    expected_verdict: {expected}\n");
        }
        self.write(name, &(text + "\noptions:\n  language: C\n  data_model: ILP32\n"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}

fn nilas(arguments: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_nilas")).args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap(), text(&output.stdout) + &text(&output.stderr))
}

#[test]
fn definitions_are_checked() {
    let folder = Folder::new("check");
    folder.write("loop.c", LOOP);
    // The data model is that of the definition: with 64 bits, the error is reached.
    let safe = folder.definition("loop.yml", "loop.c", &[("termination", true), ("unreach-call", true)]);
    let (code, said) = nilas(&["check", &safe]);
    assert_eq!(code, 0, "{said}");
    let (code, said) = nilas(&["check", "--64", &safe]);
    assert_eq!(code, 10, "{said}");
    let termination = folder.definition("ends.yml", "loop.c", &[("termination", true)]);
    let (code, said) = nilas(&["check", &termination]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("termination is not checked"), "{said}");
    let (code, said) = nilas(&["check", &safe, &folder.file("properties/termination.prp")]);
    assert_eq!((code, said.contains("termination is not checked")), (2, true), "{said}");
    let (code, said) = nilas(&["check", &safe, &folder.file("loop.c")]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("names all files of its program"), "{said}");
    let (code, said) = nilas(&["check", &folder.file("missing.yml")]);
    assert_eq!(code, 2, "{said}");
}

#[test]
fn property_files_say_what_is_asked() {
    let folder = Folder::new("properties");
    let prp = |name: &str| folder.file(&format!("properties/{name}.prp"));
    let sum = folder.write(
        "sum.c",
        "extern int __VERIFIER_nondet_int(void);\nint main(void) { int x = __VERIFIER_nondet_int(); return x + 1; }\n",
    );
    let (code, said) = nilas(&["check", &sum, &prp("no-overflow")]);
    assert_eq!(code, 10, "{said}");
    assert!(said.starts_with("unsafe: signed overflow at "), "{said}");
    // A shift that overflows, and one that is invalid otherwise: neither is a proof, nor a violation.
    for (name, shifted) in [("over", "1 << (x & 31)"), ("far", "x >> 40")] {
        let text = format!(
            "extern int __VERIFIER_nondet_int(void);\nint main(void) {{ int x = __VERIFIER_nondet_int(); return {shifted}; }}\n"
        );
        let file = folder.write(&format!("{name}.c"), &text);
        let saved = folder.file(&format!("{name}.ev"));
        let (code, said) = nilas(&["check", &file, &prp("no-overflow"), "--evidence", &saved]);
        assert_eq!(code, 5, "{said}");
        let (code, said) = nilas(&["verify-evidence", &file, &prp("no-overflow"), &saved]);
        assert_ne!(code, 10, "{said}");
    }
    let (code, said) = nilas(&["check", &sum, &prp("unreach-call")]);
    assert_eq!(code, 0, "{said}");
    let kept = folder.write(
        "kept.c",
        "#include <stdlib.h>\nint *keep;\nint main(void) { keep = malloc(4); if (keep) *keep = 1; return 0; }\n",
    );
    let (code, said) = nilas(&["check", &kept, &prp("valid-memcleanup")]);
    assert_eq!(code, 10, "{said}");
    // Something still points to it: that is no violation of `valid-memtrack`, and none of the others.
    let (code, said) = nilas(&["check", &kept, &prp("valid-memsafety")]);
    assert_eq!(code, 5, "{said}");
    assert!(said.contains("whether something points to it at the end is not looked at"), "{said}");
    let freed = folder.write(
        "freed.c",
        "#include <stdlib.h>\nint main(void) { int *p = malloc(4); if (p) { *p = 1; free(p); } return 0; }\n",
    );
    let (code, said) = nilas(&["check", &freed, &prp("valid-memsafety")]);
    assert_eq!(code, 0, "{said}");
    let used = folder
        .write("used.c", "#include <stdlib.h>\nint main(void) { int *p = malloc(4); free(p); return *p; }\n");
    let (code, said) = nilas(&["check", &used, &prp("valid-memsafety")]);
    assert_eq!(code, 10, "{said}");
}

#[test]
fn definitions_are_measured() {
    let folder = Folder::new("bench");
    folder.write("loop.c", LOOP);
    folder.write("bug.c", BUG);
    folder.definition("loop.yml", "loop.c", &[("unreach-call", true)]);
    folder.definition("bug.yml", "bug.c", &[("termination", true), ("unreach-call", false)]);
    folder.definition("other.yml", "bug.c", &[("termination", true)]);
    let set = folder.write("all.set", "# all of them\n*.yml\n");
    let (code, said) = nilas(&["bench", &set, "--timeout", "60"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains('2') && !said.contains("wrong: "), "{said}");
    // A wrong verdict shows.
    let wrong = folder.definition("wrong.yml", "bug.c", &[("unreach-call", true)]);
    let (code, said) = nilas(&["bench", &wrong, "--timeout", "60"]);
    assert_eq!(code, 6, "{said}");
    let (code, said) = nilas(&["bench", &folder.write("none.set", "missing.yml\n")]);
    assert_eq!(code, 2, "{said}");
}

/// Witnesses of both formats are confirmed by a fresh process, and what is changed in them is not.
#[test]
fn witnesses_are_validated() {
    let folder = Folder::new("witnesses");
    let (proof, bug) = (folder.write("loop.c", LOOP), folder.write("bug.c", BUG));
    let validate =
        |program: &str, witness: &str| nilas(&["validate", "--32", "--timeout", "60", program, witness]);
    for ending in ["yml", "graphml"] {
        let (safe, unsafe_) =
            (folder.file(&format!("safe.{ending}")), folder.file(&format!("unsafe.{ending}")));
        let (code, said) = nilas(&["check", "--32", "--engine", "ic3cfa", &proof, "--witness", &safe]);
        assert_eq!(code, 0, "{said}");
        let (code, said) = validate(&proof, &safe);
        assert_eq!(code, 0, "{ending}: {said}");
        assert!(said.contains("1 invariant holds"), "{said}");
        let text = std::fs::read_to_string(&safe).unwrap();
        let changed = text.replace("9)", "8)");
        assert_ne!(text, changed, "{text}");
        let (code, said) = validate(&proof, &folder.write(&format!("false.{ending}"), &changed));
        assert_eq!(code, 10, "{ending}: {said}");

        let (code, said) = nilas(&["check", "--32", &bug, "--witness", &unsafe_]);
        assert_eq!(code, 10, "{said}");
        let (code, said) = validate(&bug, &unsafe_);
        assert_eq!(code, 0, "{ending}: {said}");
        let text = std::fs::read_to_string(&unsafe_).unwrap();
        let changed = text.replace("== 17", "== 18");
        assert_ne!(text, changed, "{text}");
        let (code, said) = validate(&bug, &folder.write(&format!("other.{ending}"), &changed));
        // With this value the error is not reached. Of GraphML, what was understood may not be what was
        // meant.
        assert_eq!(code, if ending == "yml" { 10 } else { 5 }, "{ending}: {said}");
    }
    let text = std::fs::read_to_string(folder.file("unsafe.graphml")).unwrap();
    let branch = text.replacen("</edge>", "<data key=\"control\">condition-false</data></edge>", 1);
    let (code, said) = validate(&bug, &folder.write("branch.graphml", &branch));
    assert_eq!(code, 5, "{said}");
    assert!(said.contains("there is no branch"), "{said}");
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn python(script: &str) -> Option<Output> {
    let output = Command::new("python3").args(["-c", script]).current_dir(root()).output();
    if output.is_err() {
        eprintln!("skipped: no python3");
    }
    output.ok()
}

/// The module for BenchExec, with what it needs of BenchExec written down here.
#[test]
fn the_tool_info_module_calls_nilas_and_reads_its_answers() {
    let script = r#"
import sys, types, collections
result = types.ModuleType("benchexec.result")
for name, value in dict(RESULT_DONE="done", RESULT_UNKNOWN="unknown", RESULT_ERROR="ERROR", RESULT_TRUE_PROP="true", RESULT_FALSE_PROP="false", RESULT_FALSE_REACH="false(unreach-call)", RESULT_FALSE_OVERFLOW="false(no-overflow)", RESULT_FALSE_DEREF="false(valid-deref)", RESULT_FALSE_FREE="false(valid-free)", RESULT_FALSE_MEMCLEANUP="false(valid-memcleanup)").items():
    setattr(result, name, value)
template = types.ModuleType("benchexec.tools.template")
class BaseTool2: pass
class UnsupportedFeatureException(Exception): pass
template.BaseTool2, template.UnsupportedFeatureException = BaseTool2, UnsupportedFeatureException
package, tools = types.ModuleType("benchexec"), types.ModuleType("benchexec.tools")
package.result, package.tools, tools.template = result, tools, template
sys.modules.update({"benchexec": package, "benchexec.result": result, "benchexec.tools": tools, "benchexec.tools.template": template})
sys.path.insert(0, "competition")
import importlib
tool = importlib.import_module("nilas").Tool()
Task = collections.namedtuple("Task", "input_files_or_identifier property_file options")
Limits = collections.namedtuple("Limits", "cputime memory")
task = Task(["a.c", "b.c"], "p.prp", {"language": "C", "data_model": "ILP32"})
print(tool.cmdline("nilas", ["--quiet"], task, Limits(900, 15000000000)))
Run = collections.namedtuple("Run", "exit_code output was_timeout")
Code = collections.namedtuple("Code", "value signal")
for code, lines in [(0, ["safe: no assertion fails"]), (10, ["unsafe: assertion failed at a.c:7: x"]), (10, ["unsafe: signed overflow at a.c:7: x + 1"]), (10, ["unsafe: access out of bounds at a.c:7: a[i]"]), (10, ["unsafe: memory never freed at a.c:7"]), (10, ["unsafe: `reach_error` is called at a.c:7"]), (5, ["unknown: time limit reached"]), (2, []), (6, [])]:
    print(tool.determine_result(Run(Code(code, None), lines, False)))
try:
    tool.cmdline("nilas", [], Task(["A.java"], None, {"language": "Java"}), Limits(None, None))
except UnsupportedFeatureException:
    print("refused")
"#;
    let Some(output) = python(script) else { return };
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    let lines: Vec<&str> = said.lines().collect();
    let call = "['nilas', 'check', '--quiet', '--unknown-functions', 'nothing', '--32', '--cpu-timeout', '900', '--memory-limit', \
                '15000', 'a.c', 'b.c', 'p.prp']";
    assert_eq!(lines[0], call);
    assert_eq!(
        &lines[1..],
        [
            "true",
            "false(unreach-call)",
            "false(no-overflow)",
            "false(valid-deref)",
            "false(valid-memcleanup)",
            "false(unreach-call)",
            "unknown",
            "ERROR",
            "ERROR",
            "refused"
        ]
    );
}

/// The archive holds a program that answers a task, found from its own folder.
#[cfg(unix)]
#[test]
fn the_archive_answers_a_task() {
    let folder = Folder::new("archive");
    let archive = folder.file("nilas.zip");
    let script = root().join("competition/archive.sh");
    let output =
        Command::new("sh").arg(&script).args([env!("CARGO_BIN_EXE_nilas"), &archive]).output().unwrap();
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    if said.contains("needs zip") {
        eprintln!("skipped: no zip");
        return;
    }
    assert!(output.status.success(), "{said}");
    assert!(said.contains("smoke test: safe and unsafe tasks are answered"), "{said}");
    assert!(Path::new(&archive).is_file());
}

/// What the hook and the action make of a safe, an unsafe and an undecided program.
#[cfg(unix)]
#[test]
fn hooks_fail_where_a_program_is_unsafe() {
    let folder = Folder::new("hooks");
    let (safe, bug) =
        (folder.write("safe.c", &LOOP.replace(" || sizeof(long) != 4", "")), folder.write("bug.c", BUG));
    // Nobody shows soon that 2^62 - 57 is prime.
    let hard = folder.write(
        "hard.c",
        "extern void reach_error(void);\nextern unsigned long long __VERIFIER_nondet_ulonglong(void);\nint main(void) {\n  \
         unsigned long long a = __VERIFIER_nondet_ulonglong(), b = __VERIFIER_nondet_ulonglong();\n  \
         if (a > 1 && b > 1 && a < 4294967296 && b < 4294967296)\n    if (a * b == 4611686018427387847) reach_error();\n  \
         return 0;\n}\n",
    );
    let script = |name: &str, variables: &[(&str, &str)], arguments: &[&str]| {
        let output = Command::new("sh")
            .arg(root().join("hooks").join(name))
            .args(arguments)
            .env("NILAS", env!("CARGO_BIN_EXE_nilas"))
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        (output.status.code().unwrap(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let hook = |arguments: &[&str]| script("pre-commit.sh", &[], arguments);
    assert_eq!(hook(&[&safe]).0, 0);
    let (code, said) = hook(&[&safe, &bug]);
    assert_eq!(code, 10, "{said}");
    assert!(said.contains("bug.c: unsafe: "), "{said}");
    let (code, said) = hook(&["--timeout", "1", &hard]);
    assert_eq!(code, 0, "{said}");

    let (sarif, output) = (folder.file("out.sarif"), folder.file("output"));
    let files = format!("{}/bu*.c", folder.0.display());
    let variables = [("NILAS_FILES", &*files), ("NILAS_SARIF", &sarif), ("GITHUB_OUTPUT", &output)];
    let (code, said) =
        script("action.sh", &[&variables[..], &[("NILAS_OPTIONS", "--property assert")]].concat(), &[]);
    assert_eq!(code, 10, "{said}");
    assert_eq!(std::fs::read_to_string(&output).unwrap(), "verdict=unsafe\n");
    assert!(std::fs::read_to_string(&sarif).unwrap().contains("\"fail\""));
    let (code, said) = script("action.sh", &[("NILAS_FILES", &hard), ("NILAS_SECONDS", "1")], &[]);
    assert_eq!(code, 0, "{said}");
    let strict = [("NILAS_FILES", &*hard), ("NILAS_SECONDS", "1"), ("NILAS_UNKNOWN", "fail")];
    assert_eq!(script("action.sh", &strict, &[]).0, 5);
    let both = format!("{safe} {bug}");
    let batch = [("NILAS_FILES", &*both), ("NILAS_BATCH", "true")];
    assert_eq!(script("action.sh", &batch, &[]).0, 10);
}
