//! Executions that reach the error, repeated on the machine by their harness.

use crate::machine::{self, Folder};
use crate::{MODELS, stages};
use nilas_c::harness::{MARK, Unrepeatable, harness};
use nilas_c::{HavocOrigin, LowerOptions, lower, parse_program};
use nilas_program::HavocSite;
use nilas_term::{BitVec, Sort, Value};
use std::process::Command;

/// Unsafe programs, with inputs in the order of the calls; one function each, so order of sites is order of
/// calls.
const PROGRAMS: &[(&str, &[u64])] = &[
    (
        "extern int __VERIFIER_nondet_int(void); extern void abort(void); void reach_error(void) { abort(); }
         int main(void) { int x = __VERIFIER_nondet_int(); if (x == -5) reach_error(); return 0; }",
        &[0xffff_fffb],
    ),
    (
        "extern unsigned char __VERIFIER_nondet_uchar(); extern _Bool __VERIFIER_nondet_bool(void); extern void __VERIFIER_error(void);
         int main(void) { unsigned n = 0, i; for (i = 0; i < 3; i++) n = n * 7 + __VERIFIER_nondet_uchar();
         if (n == 1 * 49 + 200 * 7 + 3 && __VERIFIER_nondet_bool()) __VERIFIER_error(); return 0; }",
        &[1, 200, 3, 1],
    ),
    (
        "extern double __VERIFIER_nondet_double(void); extern float __VERIFIER_nondet_float(void); extern void __assert_fail(const char *, const char *, unsigned, const char *);
         int main(void) { double d = __VERIFIER_nondet_double(); float f = __VERIFIER_nondet_float();
         if (d * 3.0 == 4.5 && f != f) __assert_fail(\"0\", \"x.c\", 1, \"main\"); return 0; }",
        &[0x3ff8_0000_0000_0000, 0x7fc0_0000],
    ),
    (
        "extern long long __VERIFIER_nondet_longlong(void); extern void __VERIFIER_assume(int); void reach_error();
         int helper(void); void log_it(int *, int);
         int main(void) { long long v = __VERIFIER_nondet_longlong(); __VERIFIER_assume(v < 0); int junk; junk = 3; log_it(0, junk);
         if (v == -9000000000LL && helper() == 12) reach_error(); }",
        &[0xffff_fffd_e78e_e600, 12],
    ),
];

fn values(tree: &nilas_c::tree::Program, text: &str, inputs: &[u64]) -> Result<String, Unrepeatable> {
    let lowered = lower(tree, &LowerOptions::default()).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let automaton = &lowered.program.automaton;
    let initial: Vec<Value> = automaton.variables.iter().map(|v| Value::default_of(&v.sort)).collect();
    let chosen =
        |site: HavocSite| matches!(lowered.origin(site), HavocOrigin::Input(_) | HavocOrigin::Unknown(_));
    let sites: Vec<HavocSite> =
        (0..automaton.havocs.len()).map(HavocSite::new).filter(|&site| chosen(site)).collect();
    let choose = |site: HavocSite, occurrence: usize| {
        let sort = automaton.variable(automaton.havoc(site).variable).sort.clone();
        // A site in a loop has several inputs; those of the sites behind it follow.
        let loops = inputs.len() - sites.len();
        let place = sites.iter().position(|&other| other == site);
        let place = place.map(|place| if place == 0 { occurrence } else { place + loops });
        let input = place.and_then(|place| inputs.get(place).copied()).unwrap_or(0);
        match sort {
            Sort::Bool => Value::Bool(input != 0),
            Sort::BitVec(width) => Value::BitVec(BitVec::new(width, input)),
            Sort::Float(e, s) => Value::float(e, s, BitVec::new(e + s, input)),
            other => Value::default_of(&other),
        }
    };
    harness(tree, &lowered, &initial, &choose, 42)
}

#[test]
fn harnesses_reach_the_error() {
    for model in MODELS {
        if !machine::available(model) {
            continue;
        }
        for (text, inputs) in PROGRAMS {
            let input = nilas_c::Input::Text { name: "test.c".to_owned(), text: text.as_bytes().to_vec() };
            let tree =
                parse_program(&input, &stages::options(model)).unwrap_or_else(|f| panic!("{}", f.render()));
            let harness = values(&tree, text, inputs).unwrap_or_else(|reason| panic!("{reason}\n{text}"));
            let folder = Folder::new();
            let (first, second, binary) =
                (folder.file("harness.c"), folder.file("program.c"), folder.file("program"));
            std::fs::write(&first, &harness).unwrap();
            std::fs::write(&second, text).unwrap();
            machine::compile(&first, &binary, model, &["-Wl,-z,muldefs"], Some(&second))
                .unwrap_or_else(|message| panic!("{message}\n{harness}\n{text}"));
            let output = Command::new(&binary).output().unwrap();
            let printed = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(42), "{printed}\n{harness}\n{text}");
            assert_eq!(printed.trim(), MARK);
        }
    }
}

#[test]
fn garbage_and_pointers_are_not_repeated() {
    for (text, expected) in [
        (
            "void reach_error(void); int main(void) { int x; if (x == 0) reach_error(); return 0; }",
            Unrepeatable::Garbage,
        ),
        (
            "void reach_error(void); int main(int argc) { if (argc < 1) reach_error(); return 0; }",
            Unrepeatable::Garbage,
        ),
        (
            "void reach_error(void); void f(int *); int main(void) { int x = 1; f(&x); if (x == 0) reach_error(); return 0; }",
            Unrepeatable::Garbage,
        ),
        ("int main(void) { return 0; }", Unrepeatable::NoExecution),
        (
            "void reach_error(void); void *__VERIFIER_nondet_pointer(void); int main(void) { void *p = __VERIFIER_nondet_pointer(); if (!p) reach_error(); return 0; }",
            Unrepeatable::Result {
                function: "__VERIFIER_nondet_pointer".to_owned(),
                ty: "void *".to_owned(),
            },
        ),
    ] {
        let model = nilas_c::types::DataModel::Lp64;
        let input = nilas_c::Input::Text { name: "test.c".to_owned(), text: text.as_bytes().to_vec() };
        let tree =
            parse_program(&input, &stages::options(model)).unwrap_or_else(|f| panic!("{}", f.render()));
        assert_eq!(values(&tree, text, &[0, 0, 0]), Err(expected), "{text}");
    }
}
