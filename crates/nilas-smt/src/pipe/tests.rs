//! Programs that do not behave: whatever they do, a check ends in time, and the next one starts anew.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::budget::CancelFlag;
use std::path::Path;

/// A shell script in the place of a solver.
fn fake(script: &str) -> Piped {
    let abilities = Abilities {
        features: Features::BIT_VECTORS.union(Features::ARRAYS),
        unsat_assumptions: true,
        push_pop: true,
        conflict_limits: false,
    };
    let arguments = vec!["-c".to_owned(), script.to_owned()];
    Piped::with_command(Kind::Cvc5, Path::new("/bin/sh").to_owned(), arguments, abilities)
}

/// Reads lines up to a check; then does `then`.
fn at_check(then: &str) -> String {
    format!("while read -r line; do case \"$line\" in '(check-sat'*) {then};; esac; done")
}

fn stage() -> (Arena, Term) {
    let mut arena = Arena::new();
    let p = arena.variable("p", &Sort::Bool).unwrap();
    (arena, p)
}

fn within(millis: u64) -> Budget {
    Budget { deadline: Some(Instant::now() + Duration::from_millis(millis)), ..Budget::default() }
}

/// What a script makes of a check without limits (there is one, so that a bug does not hang the test).
fn answer(script: &str) -> Answer {
    let (arena, p) = stage();
    let mut solver = fake(script);
    solver.assert(&arena, p);
    let answer = solver.check(&arena, &[], &[p], &within(60_000));
    assert!(solver.failed().is_empty() || answer == Answer::Unsat);
    answer
}

fn fails(script: &str, with: &str) {
    match answer(script) {
        Answer::Unknown(Reason::Failed(what)) if what.contains(with) => {}
        other => panic!("`{script}`: {other:?}, not a failure with `{with}`"),
    }
}

#[test]
fn failures_are_named() {
    fails("exit 3", "ended without an answer (exit status: 3)");
    fails(&at_check("exit 0"), "ended without an answer");
    fails(&at_check("kill -SEGV $$"), "signal");
    fails(&at_check("echo Segmentation fault"), "Segmentation");
    fails(&at_check("echo '(error \"no\n  way\")'"), "no way");
    fails(&at_check("echo 'satisfied'"), "no answer but `satisfied`");
    fails(&at_check("printf '(((('; exit"), "ended without an answer");
    fails("exec >&-; exec sleep 60", "closed its output");
    let mut missing =
        Piped::with_command(Kind::Z3, "/nonexistent/solver".into(), Vec::new(), Abilities::default());
    let (arena, p) = stage();
    match missing.check(&arena, &[], &[p], &within(60_000)) {
        Answer::Unknown(Reason::Failed(what)) => assert!(what.contains("cannot be started"), "{what}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn endless_output_is_no_answer() {
    fails(&at_check("yes '('"), "a response of more than");
    fails(&at_check("head -c 100000000 /dev/zero | tr '\\0' 'x'; echo"), "a response of more than");
}

#[test]
fn a_hanging_program_ends_with_the_budget() {
    let (arena, p) = stage();
    for script in [at_check("exec sleep 60"), "exec sleep 60".to_owned()] {
        let mut solver = fake(&script);
        let answer = solver.check(&arena, &[], &[p], &within(100));
        assert_eq!(answer, Answer::Unknown(Reason::Interrupted(Interrupt::Timeout)));
        let cancel = CancelFlag::new();
        let budget = Budget { cancel: cancel.clone(), ..within(60_000) };
        let watchdog = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            cancel.cancel(Interrupt::Cancelled);
        });
        let answer = solver.check(&arena, &[], &[p], &budget);
        watchdog.join().unwrap();
        assert_eq!(answer, Answer::Unknown(Reason::Interrupted(Interrupt::Cancelled)));
    }
}

#[test]
fn a_program_that_does_not_read_ends_with_the_budget() {
    let (mut arena, p) = stage();
    let mut solver = fake("exec sleep 60");
    // More than any pipe holds.
    let mut term = p;
    for index in 0..40_000 {
        let q = arena.variable(&format!("q{index}"), &Sort::Bool).unwrap();
        term = arena.or(&[term, q]);
    }
    solver.assert(&arena, term);
    let answer = solver.check(&arena, &[], &[], &within(100));
    assert_eq!(answer, Answer::Unknown(Reason::Interrupted(Interrupt::Timeout)));
}

#[test]
fn after_a_crash_what_is_alive_is_told_again() {
    let folder = std::env::temp_dir().join(format!("nilas-pipe-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (crashed, log) = (folder.join("crashed"), folder.join("log"));
    let then = format!("if [ -e {0} ]; then echo sat; else touch {0}; exit 1; fi", crashed.display());
    let script = format!(
        "while read -r line; do echo \"$line\" >> {}; case \"$line\" in '(check-sat'*) {then};; esac; done",
        log.display()
    );
    let (mut arena, p) = stage();
    let q = arena.variable("q", &Sort::Bool).unwrap();
    let mut solver = fake(&script);
    let (kept, gone) = (solver.activation(), solver.activation());
    solver.assert(&arena, p);
    solver.assert_under(&arena, kept, q);
    solver.assert_under(&arena, gone, q);
    let first = solver.check(&arena, &[kept, gone], &[], &within(60_000));
    assert!(matches!(first, Answer::Unknown(Reason::Failed(_))), "{first:?}");
    solver.retire(gone);
    std::fs::write(&log, "").unwrap();
    assert_eq!(solver.check(&arena, &[kept], &[], &within(60_000)), Answer::Sat);
    let told = std::fs::read_to_string(&log).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(told.contains("(assert x0)") && told.contains("(assert (=> a0 x1))"), "{told}");
    assert!(!told.contains("a1"), "{told}");
    assert_eq!(solver.stats().rebuilds, 1);
}

#[test]
fn a_program_that_dies_between_checks_is_replaced() {
    let (arena, p) = stage();
    let mut solver = fake(&at_check("echo sat; exit 0"));
    for _ in 0..3 {
        assert_eq!(solver.check(&arena, &[], &[p], &within(60_000)), Answer::Sat);
        // Until it has gone.
        let session = solver.session.as_mut().unwrap();
        while session.is_alive() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let value = solver.value(&arena, p);
        assert!(matches!(value, Err(Reason::Failed(_))), "{value:?}");
    }
}

#[test]
fn no_process_is_left_behind() {
    let (arena, p) = stage();
    let mut solver = fake(&format!("echo $$; {}", at_check("exec sleep 60")));
    // The first response is its process number.
    let answer = solver.check(&arena, &[], &[p], &within(60_000));
    let Answer::Unknown(Reason::Failed(what)) = answer else { panic!("{answer:?}") };
    let number: u32 = what.split('`').nth(1).unwrap().parse().unwrap();
    drop(solver);
    assert!(!Path::new(&format!("/proc/{number}")).exists(), "process {number} is there");
}

#[test]
fn unknown_cores_are_all_assumptions() {
    let (mut arena, p) = stage();
    let q = arena.variable("q", &Sort::Bool).unwrap();
    for then in ["echo unsat", "echo unsat; echo '(error \"no\")'", "echo unsat; echo '(p99)'; exit"] {
        let mut solver = fake(&at_check(then));
        if then == "echo unsat" {
            solver.abilities.unsat_assumptions = false;
        }
        assert_eq!(solver.check(&arena, &[], &[p, q, p], &within(60_000)), Answer::Unsat, "{then}");
        assert_eq!(solver.failed(), [p, q], "{then}");
    }
}

#[test]
fn what_it_cannot_do_is_not_sent() {
    let (mut arena, p) = stage();
    let i = arena.variable("i", &Sort::Int).unwrap();
    let zero = arena.constant(Value::Int(0.into()));
    let negative = arena.mk(nilas_term::Op::Lt, &[i, zero]);
    let mut solver = fake(&at_check("echo sat"));
    let unlimited = within(60_000);
    let answer = solver.check(&arena, &[], &[negative], &unlimited);
    assert!(matches!(answer, Answer::Unknown(Reason::Unsupported(_))), "{answer:?}");
    assert!(solver.session.is_none());
    assert_eq!(solver.check(&arena, &[], &[p], &unlimited), Answer::Sat);
}
