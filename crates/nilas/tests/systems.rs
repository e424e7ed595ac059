//! Transition systems and Horn clauses on the command line: answers, evidence, bad input, and `encode`.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::process::{Command, Output};

fn nilas(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nilas")).args(args).output().unwrap()
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("nilas-systems-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Checks a file: exit code and what is printed.
#[track_caller]
fn check(name: &str, text: &str, options: &[&str], code: i32) -> String {
    let folder = Folder::new(&name.replace('.', "-"));
    let file = folder.file(name, text);
    let output = nilas(&[&["check", file.as_str(), "--timeout", "60"][..], options].concat());
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{said}");
    said
}

/// A counter that goes up to ten in steps of two.
fn horn(bad: &str) -> String {
    format!(
        "(set-logic HORN)
(declare-fun P ((_ BitVec 8)) Bool)
(declare-fun Q ((_ BitVec 8) Bool) Bool)
(assert (forall ((x (_ BitVec 8))) (=> (= x #x00) (P x))))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (P x) (bvult x #x0a) (= y (bvadd x #x02))) (P y))))
(assert (forall ((x (_ BitVec 8)) (b Bool)) (=> (and (P x) (= b (= x #x0a))) (Q x b))))
(assert (forall ((x (_ BitVec 8))) (=> (and (Q x true) {bad}) false)))
(check-sat)
"
    )
}

#[test]
fn horn_clauses() {
    let said = check("safe.smt2", &horn("(= x #x09)"), &["--model"], 0);
    assert!(said.starts_with("sat\n"), "{said}");
    assert!(said.contains("(define-fun P ((x!0 (_ BitVec 8))) Bool"), "{said}");
    assert!(said.contains("(define-fun Q ("), "{said}");
    let said = check("unsafe.smt2", &horn("(= x #x0a)"), &[], 10);
    assert!(said.starts_with("unsat\nderivation:\n  1. P(#x00)   line 4\n"), "{said}");
    assert!(said.contains("Q(#x0a, true)   line 6\n") && said.contains(". false   line 7\n"), "{said}");
}

#[test]
fn rules_and_queries() {
    let text = "(declare-rel p ((_ BitVec 4)))
(declare-rel goal ())
(declare-var x (_ BitVec 4))
(rule (p #x1))
(rule (=> (p x) (p (bvmul x #x3))))
(rule (=> (and (p x) (= x #x2)) goal))
(query goal)
(query (and (p x) (= x #xb)))
";
    let said = check("rules.smt2", text, &["--quiet"], 10);
    assert_eq!(said, "goal: sat\n(and (p x) (= x #xb)): unsat\n");
}

/// The name of a predicate alone asks whether it holds of anything.
#[test]
fn queries_by_name() {
    let rules = |start: &str| {
        format!(
            "(declare-rel p ((_ BitVec 4))) (declare-rel r ((_ BitVec 4) Bool)) (declare-var x (_ BitVec 4))
(rule (p {start})) (rule (=> (p x) (p (bvadd x #x2)))) (rule (=> (and (p x) (= x #x3)) (r x true)))
(query r)"
        )
    };
    check("name-odd.smt2", &rules("#x1"), &[], 10);
    check("name-even.smt2", &rules("#x0"), &[], 0);
}

#[test]
fn quantifiers_where_they_can_stand() {
    let text = "(set-logic HORN)
(declare-fun P ((_ BitVec 4)) Bool)
(assert (forall ((x (_ BitVec 4))) (let ((y (bvadd x x))) (=> (exists ((z (_ BitVec 4))) (= x (bvmul z #x2))) (P y)))))
(assert (not (exists ((x (_ BitVec 4))) (and (P x) (= ((_ extract 0 0) x) #b1)))))
(check-sat)
";
    assert_eq!(check("nested.smt2", text, &[], 0), "sat\n");
}

/// Evidence that was saved passes the same gate; evidence of other clauses is refused.
#[test]
fn evidence_of_clauses_is_verified() {
    let folder = Folder::new("saved");
    let evidence = folder.0.join("evidence").to_str().unwrap().to_owned();
    for (bad, code, other) in
        [("(distinct x #x0a)", 0, "(= x #x0a)"), ("(= x #x0a)", 10, "(distinct x #x0a)")]
    {
        let file = folder.file("clauses.smt2", &horn(bad));
        let checked = nilas(&["check", &file, "--timeout", "60", "--evidence", &evidence]);
        assert_eq!(checked.status.code(), Some(code));
        let verified = nilas(&["verify-evidence", &file, &evidence]);
        let said = String::from_utf8_lossy(&verified.stderr);
        assert_eq!(verified.status.code(), Some(code), "{said}");
        let another = folder.file("another.smt2", &horn(other));
        assert_eq!(nilas(&["verify-evidence", &another, &evidence]).status.code(), Some(2));
    }
}

fn vmt(first: &str, second: &str) -> String {
    format!(
        "(declare-fun x () (_ BitVec 8)) (declare-fun x.next () (_ BitVec 8))
(declare-fun up () Bool)
(define-fun sv () (_ BitVec 8) (! x :next x.next))
(define-fun init () Bool (! (= x #x01) :init true))
(define-fun trans () Bool (! (or (and up (= x.next (bvadd x #x02))) (and (not up) (= x.next x))) :trans true))
(define-fun p0 () Bool (! {first} :invar-property 0))
(define-fun p1 () Bool (! {second} :invar-property 1))
(assert true)
"
    )
}

#[test]
fn vmt_properties_each_get_an_answer() {
    let said = check("two.vmt", &vmt("(= ((_ extract 0 0) x) #b1)", "(distinct x #x05)"), &[], 10);
    assert!(said.contains("property 0: safe  (") && said.contains("property 1: unsafe  ("), "{said}");
    assert!(said.contains("  state 0:\n    x = 1\n") && said.contains("x = 5\n"), "{said}");
    let said = check("json.vmt", &vmt("(distinct x #x00)", "true"), &["--json"], 0);
    let object: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(object["verdict"], "safe");
    assert_eq!(object["goals"].as_array().unwrap().len(), 2);
}

const BTOR2: &str = "1 sort bitvec 4
2 sort bitvec 1
3 input 2 up
4 state 1 count
5 zero 1
6 init 1 4 5
7 inc 1 4
8 ite 1 3 7 4
9 next 1 4 8
10 constd 1 LIMIT
11 eq 2 4 10
12 bad 11 ; reached
13 constd 1 9
14 ulte 2 4 13
15 constraint 14
";

#[test]
fn btor2_with_witness() {
    let said = check("count.btor2", &BTOR2.replace("LIMIT", "2"), &[], 10);
    let witness = "sat\nb0\n#0\n0 0000 count@0\n@0\n0 1 up@0\n@1\n0 1 up@1\n@2\n.\n";
    assert!(said.ends_with(witness), "{said}");
    // The constraint holds at the bad state, too.
    assert!(check("never.btor2", &BTOR2.replace("LIMIT", "11"), &[], 0).starts_with("safe"));
}

#[test]
fn integers_are_unknown() {
    let text = "(set-logic HORN)(declare-fun P (Int) Bool)(assert (P 0))(assert (forall ((x Int)) (=> (P x) (< x 1))))";
    let said = check("int.smt2", text, &[], 5);
    assert!(said.starts_with("unknown: the sort Int is not decided"), "{said}");
}

#[test]
fn bad_input_has_place_and_caret() {
    let vmt = |body: &str| format!("(declare-fun x () Bool)\n(declare-fun y () Bool)\n{body}\n");
    let cases = [
        (
            "a.smt2",
            "(set-logic HORN)\n(declare-fun P (Bool) Bool)\n(assert (P x))".to_owned(),
            ":3:12: error: unknown symbol `x`",
        ),
        ("b.smt2", "(declare-fun P (Bool) Bool)\n(assert (P))".to_owned(), ":2:"),
        (
            "d.smt2",
            "(declare-fun P (Bool) Bool)\n(assert (exists ((x Bool)) (P x)))".to_owned(),
            ":2:10: error: `exists` stands",
        ),
        (
            "e.smt2",
            "(declare-fun f (Bool) (_ BitVec 3))".to_owned(),
            ":1:14: error: a function that is not a predicate",
        ),
        ("f.smt2", "(declare-fun P ((_ BitVec 99999999999)) Bool)".to_owned(), ": error: "),
        ("g.smt2", "(set-logic QF_BV)".to_owned(), "not HORN"),
        ("h.smt2", "(assert".to_owned(), ":1:1: error: this parenthesis is never closed"),
        ("i.vmt", vmt("(define-fun s () Bool (! x :next z))"), ":3:34: error: `z` is no variable"),
        ("j.vmt", vmt("(define-fun i () Bool (! x :init true))"), "there is no `:trans` formula"),
        ("k.vmt", vmt("(define-fun i () Bool (! x :live-property 0))"), "`:live-property` is not supported"),
        ("l.vmt", vmt("(define-fun i () Bool (and (! x :next y) true))"), "stands inside of a formula"),
        ("m.vmt", vmt("(define-fun d () Bool (and d x))"), "unknown symbol `d`"),
        (
            "n.vmt",
            vmt(
                "(define-fun i () Bool (! x :init true))(define-fun t () Bool (! x :trans true))(define-fun p () Bool (! x :invar-property 0))",
            ),
            "mentions the input `x`",
        ),
        (
            "o.btor2",
            "1 sort bitvec 4\n2 state 1\n3 add 1 2 9\n".to_owned(),
            ":3:11: error: the number of an earlier value",
        ),
        ("p.btor2", "1 sort bitvec 0\n".to_owned(), ":1:15: error: a width"),
        ("q.btor2", "1 sort bitvec 4\n2 constd 1 99\n".to_owned(), ":2:12: error: the number does not fit"),
        ("r.btor2", "1 sort bitvec 1\n2 state 1\n3 justice 1 2\n".to_owned(), "`justice` is not supported"),
        ("s.btor2", String::new(), "no BTOR2 model"),
    ];
    for (name, text, expected) in cases {
        let said = check(name, &text, &[], 2);
        assert!(said.contains(expected), "{name}: {said}");
        assert!(
            said.lines().any(|line| line.trim_start_matches([' ', '|']).starts_with('^')),
            "{name}: {said}"
        );
    }
}

/// A `let` that is nested very deep is read without recursion.
#[test]
fn deep_lets() {
    let depth = 100_000;
    let mut body = String::from("(and (P x) ");
    for level in 0..depth {
        let before = if level == 0 { "x".to_owned() } else { format!("y{}", level - 1) };
        body += &format!("(let ((y{level} (bvadd {before} #x01))) ");
    }
    body += &format!("(= y{} #x07)", depth - 1);
    body += &")".repeat(depth + 1);
    let text = format!(
        "(declare-fun P ((_ BitVec 8)) Bool)(assert (P #x00))
         (assert (forall ((x (_ BitVec 8))) (=> {body} false)))"
    );
    assert_eq!(check("deep.smt2", &text, &["--quiet"], 0), "sat\n");
}

/// What is written is read back, and means the same.
#[test]
fn encoded_programs_have_the_same_verdict() {
    let safe = "var x, y : bv8 entry a error e a -> b { x := 0; havoc y } b -> b { assume x <u 9; x := x + 3 } b -> e { assume x == 10 }";
    let unsafe_ = safe.replace("x == 10", "x == 9 && y == 4");
    for (name, text, code) in [("safe.cfa", safe, 0), ("unsafe.cfa", &unsafe_, 10)] {
        let folder = Folder::new(&format!("encode-{code}"));
        let file = folder.file(name, text);
        for (format, extension) in [("horn", "smt2"), ("vmt", "vmt"), ("btor2", "btor2")] {
            for blocks in [&[][..], &["--large-blocks"]] {
                let output = nilas(&[&["encode", file.as_str(), "--to", format][..], blocks].concat());
                assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
                let written = String::from_utf8(output.stdout).unwrap();
                let again = folder.file(&format!("again.{extension}"), &written);
                let output = nilas(&["check", &again, "--timeout", "60"]);
                assert_eq!(output.status.code(), Some(code), "{written}\n{output:?}");
                // And once more, into another format.
                let output = nilas(&["encode", &again, "--to", "horn"]);
                let twice = folder.file("twice.smt2", &String::from_utf8(output.stdout).unwrap());
                let output = nilas(&["check", &twice, "--timeout", "60"]);
                assert_eq!(output.status.code(), Some(code), "{output:?}");
            }
        }
    }
}

/// The edge of a clause that leaves nothing to do: its variables are still told to the clause.
#[test]
fn facts_with_variables_of_their_own() {
    let text = "(set-logic HORN)
(declare-fun P ((_ BitVec 8)) Bool)
(assert (forall ((a (_ BitVec 8)) (x (_ BitVec 8))) (=> (= a (bvadd #x01 x)) (P x))))
(assert (forall ((x (_ BitVec 8))) (=> (and (P x) (= x #x07)) false)))
(check-sat)
";
    assert_eq!(check("own.smt2", text, &["--quiet"], 10), "unsat\n");
}

/// A relation made from clauses: a truth value per clause says whether its body holds, with inputs of its own.
fn functional(bad: &str) -> String {
    format!(
        "(declare-fun at () Bool) (declare-fun at+ () Bool) (declare-fun x () (_ BitVec 8)) (declare-fun x+ () (_ BitVec 8))
(declare-fun e () Bool) (declare-fun e+ () Bool) (declare-fun c1 () Bool) (declare-fun c2 () Bool)
(declare-fun i () (_ BitVec 8)) (declare-fun m () (Array (_ BitVec 8) (_ BitVec 8)))
(declare-fun n () (Array (_ BitVec 8) (_ BitVec 8))) (declare-fun j () (_ BitVec 8))
(define-fun .0 () Bool (! at :next at+)) (define-fun .1 () (_ BitVec 8) (! x :next x+)) (define-fun .2 () Bool (! e :next e+))
(define-fun .i () Bool (! (and at (not e) (= x #x00)) :init true))
(define-fun .t () Bool (! (and
  (= c1 (and at (= n (store m #x03 (bvadd x #x02))) (= i (select n #x03))))
  (= c2 (and at (= j (bvadd x #x01)) (= j {bad})))
  (= at+ c1) (= x+ (ite c1 i x)) (= e+ (ite c1 false c2))) :trans true))
(define-fun .p () Bool (! (not e) :invar-property 0))
"
    )
}

#[test]
fn relations_made_from_clauses() {
    for engine in ["ic3cfa", "ic3ia", "ic3"] {
        let said = check("even.vmt", &functional("#x04"), &["--quiet", "--engine", engine], 0);
        assert_eq!(said, "safe\n", "{engine}");
        let said = check("odd.vmt", &functional("#x05"), &["--quiet", "--engine", engine], 10);
        assert_eq!(said, "unsafe\n", "{engine}");
    }
}

/// Clauses as one relation (Alg. 9 of the EUFORIA thesis): the same answers, with evidence about the clauses.
/// `z` and `w` are chosen by steps, in the place of an argument and beside it.
#[test]
fn clauses_as_one_relation() {
    let clauses = |bad: &str| {
        format!(
            "(set-logic HORN)
(declare-fun P ((_ BitVec 8)) Bool)
(declare-fun |Q'| ((_ BitVec 8) Bool) Bool)
(assert (P #x00))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (P x) (bvult x #x0a) (= y (bvadd x #x02))) (P y))))
(assert (forall ((x (_ BitVec 8)) (z (_ BitVec 8))) (=> (and (P x) (bvule z #x04)) (P (bvadd z z)))))
(assert (forall ((x (_ BitVec 8)) (w (_ BitVec 8))) (=> (and (P x) (= w #x01)) (|Q'| (bvadd x (bvmul w w)) (= x #x0a)))))
(assert (forall ((x (_ BitVec 8))) (=> (and (|Q'| x true) {bad}) false)))
(check-sat)
"
        )
    };
    for engine in ["ic3", "ic3cfa", "ic3ia", "euf", "bmc", "k-ind", "itp", "tree-ic3", "pred-abs"] {
        let options = ["--one-relation", "--engine", engine];
        let said = check("unsat.smt2", &clauses("(= x #x0b)"), &options, 10);
        assert!(said.starts_with("unsat\nderivation:\n  1. P(#x00)   line 4\n"), "{engine}: {said}");
        assert!(
            said.contains("Q'(#x0b, true)   line 7\n") && said.contains(". false   line 8\n"),
            "{engine}: {said}"
        );
        if engine != "bmc" {
            let said = check("sat.smt2", &clauses("(bvugt x #x0b)"), &options, 0);
            assert_eq!(said, "sat\n", "{engine}");
        }
    }
    let said = check("sat.smt2", &clauses("(bvugt x #x0b)"), &["--one-relation", "--model"], 0);
    assert!(said.contains("(define-fun P ((x!0 (_ BitVec 8))) Bool\n"), "{said}");
    assert!(said.contains("(define-fun |Q'| ((x!0 (_ BitVec 8)) (x!1 Bool)) Bool\n"), "{said}");
    // Without facts nothing goes on. With one everything does, since it can be derived again.
    let ending =
        "(declare-fun P ((_ BitVec 8)) Bool)(assert (forall ((x (_ BitVec 8))) (=> (P x) (= x #x05))))";
    assert_eq!(check("ends.smt2", ending, &["--one-relation", "--engine", "bmc"], 0), "sat\n");
    let said = check("no.vmt", &vmt("true", "true"), &["--one-relation"], 1);
    assert!(said.contains("--one-relation is for Horn clauses"), "{said}");

    let folder = Folder::new("one-relation");
    for (bad, code) in [("(bvugt x #x0b)", 0), ("(= x #x0b)", 10)] {
        let file = folder.file("clauses.smt2", &clauses(bad));
        for (format, extension) in [("horn", "smt2"), ("vmt", "vmt"), ("btor2", "btor2")] {
            let output = nilas(&["encode", &file, "--to", format, "--one-relation"]);
            assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
            let again =
                folder.file(&format!("again.{extension}"), &String::from_utf8(output.stdout).unwrap());
            let output = nilas(&["check", &again, "--timeout", "60"]);
            assert_eq!(output.status.code(), Some(code), "{output:?}");
        }
    }
}

/// `nilas smt` answers a script of Horn clauses as `nilas check` does, within the limits that it is given.
#[test]
fn scripts_of_horn_clauses() {
    let folder = Folder::new("smt");
    let run = |text: &str, options: &[&str]| {
        let file = folder.file("script.smt2", text);
        let output = nilas(&[&["smt", file.as_str()][..], options].concat());
        let said =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        (output.status.code(), said)
    };
    let safe = horn("(= x #x09)");
    assert_eq!(run(&safe, &["--timeout", "60"]), (Some(0), "sat\n".to_owned()));
    let (code, said) = run(&format!("{safe}( get-model )"), &[]);
    assert!(code == Some(0) && said.contains("(define-fun P ("), "{said}");
    // A comment asks for nothing.
    assert_eq!(run(&format!("{safe}; (get-model)"), &[]), (Some(0), "sat\n".to_owned()));
    let (code, said) = run(&horn("(= x #x0a)"), &["--cpu-timeout", "60"]);
    assert!(code == Some(10) && said.starts_with("unsat\nderivation:\n  1. P(#x00)   line 4\n"), "{said}");
    let (code, said) = run(&safe, &["--timeout", "0.000001"]);
    assert!(code == Some(5) && said.starts_with("unknown: "), "{code:?} {said}");
    let (code, said) = run(&safe, &["--proof"]);
    assert!(code == Some(2) && said.contains("--proof"), "{said}");
}

/// A loop whose counter is two bits, `a` and `b`, and a state `s` of three constants.
fn counted(bad: &str) -> String {
    format!(
        "(declare-fun a () Bool) (declare-fun a+ () Bool) (declare-fun b () Bool) (declare-fun b+ () Bool)
(declare-fun s () (_ BitVec 8)) (declare-fun s+ () (_ BitVec 8))
(declare-fun x () (_ BitVec 8)) (declare-fun x+ () (_ BitVec 8)) (declare-fun go () Bool)
(define-fun .0 () Bool (! a :next a+)) (define-fun .1 () Bool (! b :next b+))
(define-fun .2 () (_ BitVec 8) (! s :next s+)) (define-fun .3 () (_ BitVec 8) (! x :next x+))
(define-fun .i () Bool (! (and (not a) (not b) (= x #x00) (= s #x05)) :init true))
(define-fun .t () Bool (! (and
  (= a+ (and (not b) (or (not a) go))) (= b+ (and a (not go)))
  (= s+ (ite a (ite (= s #x05) #x07 (ite (= s #x07) #x09 #x05)) s))
  (= x+ (ite a (bvadd x #x02) x))) :trans true))
(define-fun .p () Bool (! (not (and b {bad})) :invar-property 0))
"
    )
}

/// With control as locations the verdicts are the same, and evidence is about the states as read.
#[test]
fn control_as_locations() {
    for (bad, verdict, code) in
        [("(= x #x07)", "safe", 0), ("(= s #x09) (= x #x04)", "unsafe", 10), ("(= s #x06)", "safe", 0)]
    {
        for engine in ["ic3cfa", "ic3"] {
            for options in
                [&["--quiet", "--engine", engine][..], &["--quiet", "--unfold", "--engine", engine]]
            {
                let said = check("counted.vmt", &counted(bad), options, code);
                assert_eq!(said, format!("{verdict}\n"), "{bad} {options:?}");
            }
        }
    }
    let said = check("trace.vmt", &counted("(= s #x09) (= x #x04)"), &["--unfold"], 10);
    assert!(said.contains("  state 0:\n") && said.contains("s = 9"), "{said}");
    let said = check("model.vmt", &counted("(= x #x07)"), &["--unfold", "--model"], 0);
    assert!(said.contains("(define-fun state (") || said.contains("; no interpretation"), "{said}");
    let refused = nilas(&["check", "examples/c/lock.c", "--unfold"]);
    assert_ne!(refused.status.code(), Some(0));
}
