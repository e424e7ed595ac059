//! IC3 on transition systems that are no automata: random relations against explicit search, and reals
//! through another solver. What it says is checked by questions to fresh solvers and by evaluation.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod support;

use nilas_engine::{Ic3Settings, Silent, SystemVerdict, examine_system, verify_system};
use nilas_evidence::text::{parse_system, print_system};
use nilas_evidence::{SystemEvidence, SystemInvariant, SystemTrace};
use nilas_program::TransitionSystem;
use nilas_smt::pipe::{Features, discover};
use nilas_smt::{Answer, Budget, Embedded, Reason, Solver};
use nilas_term::smtlib::parse_term;
use nilas_term::{Arena, BitVec, Evaluator, Op, Sort, Substitution, Term, Value};
use std::collections::BTreeSet;
use support::Rng;
use support::tamper::{changes, tamper};

const SYSTEMS: u64 = 400;

/// A system of whose relation everything is known.
struct Example {
    arena: Arena,
    system: TransitionSystem,
    /// The whole relation, as given.
    relation: Term,
}

fn example(
    mut arena: Arena,
    variables: &[(Term, Term)],
    inputs: Vec<Term>,
    [initial, relation, bad]: [Term; 3],
) -> Example {
    let system = TransitionSystem::from_relation(&mut arena, variables, inputs, initial, relation, bad);
    Example { arena, system, relation }
}

/// Runs IC3 and checks what it says; whether the system is safe.
#[track_caller]
fn check(
    example: &Example,
    settings: Ic3Settings,
    solver: &mut dyn FnMut() -> Box<dyn Solver>,
    about: &str,
) -> bool {
    let Example { arena, system, relation } = example;
    let checked = system.variables.iter().all(|variable| *arena.sort(variable.current) != Sort::Real);
    let (verdict, _) = verify_system(arena, system, settings, &Budget::unlimited(), &mut Silent);
    let evidence = match verdict {
        SystemVerdict::Safe(evidence) | SystemVerdict::Unsafe(evidence) => evidence,
        // Reals are nothing for the checker.
        SystemVerdict::Unchecked { evidence, why: Reason::Unsupported(_) } if !checked => evidence,
        other => panic!("{about}: {other:?}"),
    };
    if checked {
        // It can be kept, and read again.
        let text = print_system(arena, &evidence);
        let read = parse_system(arena, system, &text).unwrap();
        let verdict = examine_system(arena, system, read, &Budget::unlimited());
        assert!(matches!(verdict, SystemVerdict::Safe(_) | SystemVerdict::Unsafe(_)), "{about}: {verdict:?}");
    }
    match evidence {
        SystemEvidence::Invariant(SystemInvariant { formula: invariant, mut arena, .. }) => {
            let mut next: Substitution =
                system.variables.iter().map(|variable| (variable.current, variable.next)).collect();
            let after = next.apply(&mut arena, invariant);
            let (broken, left) = (arena.not(invariant), arena.not(after));
            for question in
                [vec![system.initial, broken], vec![invariant, *relation, left], vec![invariant, system.bad]]
            {
                let answer = solver().check(&arena, &[], &question, &Budget::unlimited());
                assert_eq!(answer, Answer::Unsat, "{about}: the invariant is none");
            }
            true
        }
        SystemEvidence::Trace(trace) => {
            replay(example, &trace, about);
            false
        }
    }
}

/// Panics unless the trace is an execution from an initial to a bad state.
#[track_caller]
fn replay(example: &Example, trace: &SystemTrace, about: &str) {
    let Example { arena, system, relation } = example;
    for (index, step) in trace.steps.iter().enumerate() {
        let mut evaluator = Evaluator::new(step.state.iter().chain(&step.inputs).cloned().collect());
        if index == 0 {
            assert_eq!(evaluator.holds(arena, system.initial), Ok(true), "{about}: begins elsewhere");
        }
        match trace.steps.get(index + 1) {
            None => assert_eq!(evaluator.holds(arena, system.bad), Ok(true), "{about}: ends elsewhere"),
            Some(after) => {
                for (variable, (_, value)) in system.variables.iter().zip(&after.state) {
                    evaluator.set(variable.next, value.clone());
                }
                assert_eq!(evaluator.holds(arena, *relation), Ok(true), "{about}: step {index} is none");
            }
        }
    }
    assert!(!trace.steps.is_empty(), "{about}: an empty trace");
}

/// A random formula over variables of sort `bv2` and `Bool`.
fn formula(arena: &mut Arena, rng: &mut Rng, words: &[Term], bools: &[Term], depth: usize) -> Term {
    if depth > 0 && rng.chance(45) {
        let left = formula(arena, rng, words, bools, depth - 1);
        let right = formula(arena, rng, words, bools, depth - 1);
        return match rng.below(4) {
            0 => arena.and(&[left, right]),
            1 => arena.xor(left, right),
            _ => arena.or(&[left, right]),
        };
    }
    if rng.chance(30) {
        let variable = bools[rng.below(bools.len())];
        return if rng.chance(50) { arena.not(variable) } else { variable };
    }
    let (left, right) = (word(arena, rng, words, bools, 1), word(arena, rng, words, bools, 1));
    let atom = arena.mk([Op::Eq, Op::BvUlt, Op::BvUle, Op::BvSlt][rng.below(4)], &[left, right]);
    if rng.chance(40) { arena.not(atom) } else { atom }
}

fn word(arena: &mut Arena, rng: &mut Rng, words: &[Term], bools: &[Term], depth: usize) -> Term {
    if depth == 0 || rng.chance(40) {
        return if rng.chance(30) { arena.bv(2, rng.next()) } else { words[rng.below(words.len())] };
    }
    let (left, right) =
        (word(arena, rng, words, bools, depth - 1), word(arena, rng, words, bools, depth - 1));
    match rng.below(5) {
        0 => arena.ite(bools[rng.below(bools.len())], left, right),
        1 => arena.mk(Op::BvMul, &[left, right]),
        2 => arena.mk(Op::BvXor, &[left, right]),
        _ => arena.bv_add(left, right),
    }
}

/// Two state variables and two inputs; some updates, some relations that are none.
fn random_system(rng: &mut Rng) -> Example {
    let mut arena = Arena::new();
    let x = arena.variable("x", &Sort::BitVec(2)).unwrap();
    let b = arena.variable("b", &Sort::Bool).unwrap();
    let i = arena.variable("i", &Sort::BitVec(2)).unwrap();
    let c = arena.variable("c", &Sort::Bool).unwrap();
    let (x_next, b_next) = (arena.prime(x), arena.prime(b));
    let mut conjuncts = Vec::new();
    if rng.chance(50) {
        let update = word(&mut arena, rng, &[x, x, i], &[b, c], 2);
        conjuncts.push(arena.eq(x_next, update));
    }
    if rng.chance(50) {
        let update = formula(&mut arena, rng, &[x, i], &[b, c], 1);
        conjuncts.push(arena.eq(b_next, update));
    }
    for _ in 0..1 + rng.below(3) {
        conjuncts.push(formula(&mut arena, rng, &[x, i, x_next, x_next], &[b, c, b_next], 2));
    }
    let relation = arena.and(&conjuncts);
    let initial = [formula(&mut arena, rng, &[x], &[b], 0), formula(&mut arena, rng, &[x], &[b], 0)];
    let initial = arena.and(&initial);
    let bad = [formula(&mut arena, rng, &[x, i], &[b], 0), formula(&mut arena, rng, &[x], &[b], 0)];
    let bad = arena.and(&bad);
    example(arena, &[(x, x_next), (b, b_next)], vec![i, c], [initial, relation, bad])
}

/// Whether no bad state is reachable, by looking at all of them.
fn explore(example: &Example) -> bool {
    let Example { arena, system, relation } = example;
    let values = |n: u64| [Value::BitVec(BitVec::new(2, n & 3)), Value::Bool(n >> 2 & 1 == 1)];
    let evaluator = |state: u64, input: u64| {
        let mut evaluator = Evaluator::default();
        for (variable, value) in system.variables.iter().zip(values(state)) {
            evaluator.set(variable.current, value);
        }
        for (&variable, value) in system.inputs.iter().zip(values(input)) {
            evaluator.set(variable, value);
        }
        evaluator
    };
    let mut reached: BTreeSet<u64> =
        (0..8).filter(|&state| evaluator(state, 0).holds(arena, system.initial) == Ok(true)).collect();
    let mut queue: Vec<u64> = reached.iter().copied().collect();
    while let Some(state) = queue.pop() {
        for input in 0..8 {
            let mut here = evaluator(state, input);
            if here.holds(arena, system.bad) == Ok(true) {
                return false;
            }
            for next in 0..8 {
                for (variable, value) in system.variables.iter().zip(values(next)) {
                    here.set(variable.next, value);
                }
                if here.holds(arena, *relation) == Ok(true) && reached.insert(next) {
                    queue.push(next);
                }
            }
        }
    }
    true
}

#[test]
fn random_relations_agree_with_explicit_search() {
    let mut counts = [0; 2];
    for seed in 0..SYSTEMS {
        let example = random_system(&mut Rng::new(seed));
        let truth = explore(&example);
        let settings = Ic3Settings { check_frames: true, ..Ic3Settings::default() };
        let safe = check(&example, settings, &mut || Box::new(Embedded::hard()), &format!("seed {seed}"));
        assert_eq!(safe, truth, "seed {seed}");
        counts[usize::from(safe)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 50), "both verdicts must occur: {counts:?}");
}

/// Evidence about systems, changed at random, and of other systems: whatever is accepted is so.
#[test]
fn tampered_evidence_shows_nothing_false() {
    let changes = changes(300);
    let (mut counts, mut done, mut seed) = ([0; 3], 0, 0);
    while done < changes {
        seed += 1;
        let mut rng = Rng::new(seed);
        let example = random_system(&mut rng);
        let settings = Ic3Settings::default();
        let verdict =
            verify_system(&example.arena, &example.system, settings, &Budget::unlimited(), &mut Silent).0;
        let (SystemVerdict::Safe(evidence) | SystemVerdict::Unsafe(evidence)) = verdict else {
            panic!("{verdict:?}")
        };
        let text = print_system(&example.arena, &evidence);
        for _ in 0..10 {
            done += 1;
            // All these systems have the same variables.
            let example =
                if rng.chance(20) { random_system(&mut rng) } else { random_system(&mut Rng::new(seed)) };
            let mut text = tamper(&mut rng, &text);
            if rng.chance(30) {
                text = text.replacen("( always", &format!("( induction {} ) ( always", 1 + rng.below(4)), 1);
            }
            let Ok(read) = parse_system(&example.arena, &example.system, &text) else {
                counts[0] += 1;
                continue;
            };
            let safe = match examine_system(&example.arena, &example.system, read, &Budget::unlimited()) {
                SystemVerdict::Safe(_) => true,
                SystemVerdict::Unsafe(_) => false,
                _ => {
                    counts[1] += 1;
                    continue;
                }
            };
            counts[2] += 1;
            assert_eq!(safe, explore(&example), "seed {seed}: {text}");
        }
    }
    println!("unread, rejected, accepted and confirmed: {counts:?}");
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}

#[test]
fn reals_go_to_another_solver() {
    let able = |features: Features| features.contains(Features::REALS);
    let Some(found) = discover().into_iter().find(|found| able(found.abilities.features)) else {
        println!("skipped: no solver for reals on PATH");
        return;
    };
    for (initial, relation, bad, safe) in [
        // A sum that stays what it was, over any number of steps.
        ("(and (= x 0.0) (= y 0.0))", "(and (= |x'| (+ x i)) (= |y'| (- y i)))", "(> (+ x y) 0.0)", true),
        // The next state is bounded, not given: Fourier–Motzkin.
        ("(= x 0.0)", "(and (>= |x'| (+ x 0.5)) (<= |x'| (+ x 1.0)) (= |y'| y))", "(< x 0.0)", true),
        ("(= x 0.0)", "(and (>= |x'| x) (< |x'| (+ x 1.0)) (not (= |x'| x)))", "(> x 2.5)", false),
        ("(and (>= x 1.0) (= y x))", "(and (= |x'| (* 2.0 x)) (> |y'| y) (< |y'| |x'|))", "(< x y)", true),
        // Zeno's way never gets there, but a longer one does.
        ("(= x 0.0)", "(and (= |x'| (/ (+ x 1.0) 2.0)) (= |y'| y))", "(>= x 1.0)", true),
        ("(= x 0.0)", "(and (= |x'| (/ (+ x 1.0) 2.0)) (= |y'| y))", "(> x 0.9)", false),
    ] {
        let mut arena = Arena::new();
        let [x, y, i] = ["x", "y", "i"].map(|name| arena.variable(name, &Sort::Real).unwrap());
        let variables = [(x, arena.prime(x)), (y, arena.prime(y))];
        let formulas = [initial, relation, bad].map(|text| parse_term(&mut arena, text).unwrap());
        let example = example(arena, &variables, vec![i], formulas);
        // Checking frames would start a process for every lemma and level.
        let found = check(&example, Ic3Settings::default(), &mut || Box::new(found.start()), relation);
        assert_eq!(found, safe, "{relation}");
    }
}
