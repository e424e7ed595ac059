//! Scripts: text files whose `; expect:` lines are the output, line by line; and scripts made to break the
//! runner.

#![allow(clippy::unwrap_used)]

use nilas_smt::proof::Transcript;
use nilas_smt::script::{Options, Outcome, Word, run_script};
use nilas_smt::{Budget, Interrupt};
use std::path::Path;

fn run_with(text: &str, options: &Options) -> (String, Outcome) {
    let mut output = Vec::new();
    let outcome = run_script(text, options, &mut output).unwrap();
    (String::from_utf8(output).unwrap(), outcome)
}

fn run(text: &str) -> (String, Outcome) {
    run_with(text, &Options::default())
}

#[test]
fn corpus() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 12, "only {} scripts found", files.len());
    let mut failures = String::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let expected: String = (text.lines())
            .filter_map(|line| line.strip_prefix("; expect: "))
            .flat_map(|line| [line, "\n"])
            .collect();
        let proved = Options { proof: Some(Transcript::default()), ..Options::default() };
        for (name, options) in [("plain", Options::default()), ("proved", proved)] {
            let (found, outcome) = run_with(&text, &options);
            assert_eq!(outcome.rejected_proofs, 0, "{}", file.display());
            if found != expected {
                failures += &format!("--- {}, {name}\nexpected:\n{expected}found:\n{found}", file.display());
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn nesting_does_not_matter() {
    let depth = 100_000;
    let formula = "(not ".repeat(depth) + "p" + &")".repeat(depth);
    let text = format!("(declare-const p Bool)(assert {formula})(check-sat)(get-value (p))");
    let (output, outcome) = run(&text);
    assert_eq!(output, "sat\n((p true))\n");
    assert_eq!(outcome.answers, [Word::Sat]);
    let (output, outcome) = run(&("(".repeat(depth) + &")".repeat(depth)));
    assert!(output.starts_with("(error \"line 1 column 1: "), "{output}");
    assert_eq!(outcome.errors, 1);
    let (output, _) = run(&"(".repeat(depth));
    assert!(output.contains("never closed"), "{output}");
    let (output, _) = run(&")".repeat(depth));
    assert!(output.contains("line 1 column 1"), "{output}");
    let sum = "(bvadd x ".repeat(depth) + "x" + &")".repeat(depth);
    let text = format!("(declare-const x (_ BitVec 4))(assert (= x {sum}))(check-sat)");
    assert_eq!(run(&text).1.answers.len(), 1);
}

#[test]
fn large_scripts_run() {
    let mut text = String::from("(set-logic QF_BV)\n");
    for index in 0..20_000 {
        text.push_str(&format!(
            "(declare-const x{index} (_ BitVec 8))\n(assert (bvult x{index} #x{:02x}))\n",
            1 + index % 255
        ));
    }
    text.push_str("(check-sat)\n(push 3)(assert (= x7 #xff))(check-sat)(pop 3)(check-sat)");
    let (output, outcome) = run(&text);
    assert_eq!(output, "sat\nunsat\nsat\n");
    assert_eq!(outcome.errors, 0);
    // Errors without end take no more than linear time either.
    let (_, outcome) = run(&"(foo |\n(bar x)\n".repeat(5_000));
    assert!(outcome.errors > 0);
    let (_, outcome) = run(&"(assert (x))\n#\n".repeat(20_000));
    assert!(outcome.errors >= 20_000);
}

#[test]
fn junk_is_survived() {
    for junk in [
        "",
        "\0\u{1}\u{7f}",
        "é",
        "(assert \"",
        "|",
        "(check-sat",
        "#",
        ")",
        "(()",
        "( )",
        "42",
        "(42)",
        "(assert)",
    ] {
        let (output, outcome) = run(junk);
        assert_eq!(output.lines().count() as u64, outcome.errors, "{junk:?}: {output}");
        assert!(outcome.answers.is_empty());
    }
    // Pieces of scripts in any order, cut anywhere.
    let whole = "(declare-const x (_ BitVec 8))(push)(assert (! (= x #x01) :named a))(check-sat-assuming ((= x #x02)))\
                 (get-unsat-assumptions)(get-value (x))(pop)(get-model)(define-fun f ((y Bool)) Bool (not y))(reset)";
    for from in 0..whole.len() {
        for length in [1, 7, 30, 90] {
            run(&whole[from..(from + length).min(whole.len())]);
        }
        let spliced = format!("{}{}", &whole[from..], &whole[..from]);
        run(&spliced);
    }
}

#[test]
fn limits_end_as_unknown() {
    let options = Options { budget: Budget::unlimited(), ..Options::default() };
    options.budget.cancel.cancel(Interrupt::Timeout);
    let (output, outcome) =
        run_with("(declare-const p Bool)(assert p)(check-sat)(get-info :reason-unknown)", &options);
    assert_eq!(output, "unknown\n(:reason-unknown \"time limit reached\")\n");
    assert_eq!(outcome.answers, [Word::Unknown]);
}

#[test]
fn contradictions_are_counted() {
    let (output, outcome) =
        run("(set-info :status unsat)\n(check-sat)\n(set-info :status sat)(check-sat)(check-sat)");
    assert!(output.contains("the answer is sat, but the script says unsat"), "{output}");
    assert_eq!((outcome.contradictions, outcome.errors), (1, 1));
}

#[test]
fn proofs_are_written() {
    /// Bytes that the test can read again.
    #[derive(Clone, Default)]
    struct Shared(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);
    impl std::io::Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let shared = Shared::default();
    let transcript = Transcript::to(Box::new(shared.clone()));
    let options = Options { proof: Some(transcript.clone()), ..Options::default() };
    let text = "(set-option :produce-unsat-cores true)(declare-const p Bool)(declare-const q Bool)\
                (assert (! p :named a))(assert (! q :named b))(push)(assert (! (not p) :named c))(check-sat)\
                (get-unsat-core)(pop)(check-sat)(check-sat-assuming ((not q)))(get-unsat-assumptions)";
    let (output, outcome) = run_with(text, &options);
    assert_eq!(output, "unsat\n(a c)\nsat\nunsat\n((not q))\n");
    assert_eq!((outcome.errors, outcome.rejected_proofs), (0, 0));
    transcript.finish().unwrap();
    let proof = String::from_utf8(shared.0.lock().unwrap().clone()).unwrap();
    let lines = |letter: char| proof.lines().filter(|line| line.starts_with(letter)).count();
    assert_eq!((lines('q'), lines('u')), (3, 2), "{proof}");
    assert!(lines('i') > 0, "{proof}");
    assert!(proof.lines().all(|line| line.starts_with('c') || line.ends_with(" 0")), "{proof}");
}
