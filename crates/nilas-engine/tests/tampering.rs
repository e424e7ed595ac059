//! Accepted evidence, changed at random, and about programs that were changed at random: whatever the checker
//! still accepts is confirmed by looking at all states.
//!
//! `NILAS_TAMPERED=20000 cargo test --release -p nilas-engine --test tampering` makes so many changes.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod support;

use nilas_engine::{Settings, Silent, Verdict, verify};
use nilas_evidence::text::{parse, parse_answers, print, print_answers};
use nilas_evidence::{
    Account, Answer, Answers, Evidence, Induction, Invariant, Premises, Rejection, Unwinding, check,
    check_answers, check_with,
};
use nilas_program::{Basic, Command, Graph, Location, LocationId, Program, Span, Targets};
use nilas_smt::Budget;
use nilas_term::{Evaluator, Model, Value};
use std::collections::{BTreeMap, BTreeSet};
use support::tamper::{changes, tamper};
use support::{Rng, after, random_program, reachable};

type States = BTreeSet<(LocationId, Vec<Value>)>;

/// Evidence of some engine for a program, if it has any.
fn evidence(rng: &mut Rng, program: &Program) -> Option<Evidence> {
    let engine = ["run", "bmc", "k-ind", "k-ind", "ic3cfa"][rng.below(5)];
    if engine == "run" && !ends_soon(program) {
        return None;
    }
    let simple_paths = rng.chance(50);
    let simple_paths = if simple_paths { "k-ind.simple-paths=yes" } else { "k-ind.simple-paths=no" };
    let premises = if rng.chance(50) { "ic3cfa.premises=yes" } else { "ic3cfa.premises=no" };
    let settings = Settings::of(&["bmc.max-depth=8", "k-ind.max-depth=8", simple_paths, premises]).unwrap();
    match verify(program, engine.parse().unwrap(), &settings, &Budget::unlimited(), &mut Silent).verdict {
        // What is inductive is so for any number of states.
        Verdict::Safe(Evidence::Invariant(invariant)) if rng.chance(40) => {
            let induction =
                Induction { k: (2 + rng.below(2) as u64).try_into().unwrap(), simple: rng.chance(30) };
            Some(Evidence::Invariant(Invariant { induction, ..invariant }))
        }
        // A changed execution may go on for thousands of steps before it is rejected: some of them do.
        Verdict::Unsafe(_) if rng.chance(90) => None,
        Verdict::Safe(evidence) | Verdict::Unsafe(evidence) => Some(evidence),
        Verdict::Unknown(_) => None,
        other => panic!("{engine}: {other:?}"),
    }
}

/// Whether all executions of a program end, so that running it does.
fn ends_soon(program: &Program) -> bool {
    let entry = program.automaton.entry;
    let mut layer: States =
        reachable(program).into_iter().filter(|(location, _)| *location == entry).collect();
    for _ in 0..30 {
        if layer.is_empty() {
            return true;
        }
        layer = layer.iter().flat_map(|(location, state)| after(program, *location, state)).collect();
    }
    false
}

/// Whether a text asks for more work than a test should do: numbers that became large, a run without end.
fn is_much(program: &Program, evidence: &Evidence) -> bool {
    match evidence {
        Evidence::Invariant(invariant) => invariant.induction.k.get() > 6,
        Evidence::Unwinding(unwinding) => unwinding.visits.values().any(|&visits| visits > 40),
        Evidence::Run => !ends_soon(program),
        Evidence::Execution(_) | Evidence::Contracts(_) => false,
    }
}

/// A program that is nearly the same: an edge that leads elsewhere or does something else, an assumption
/// less.
fn changed(rng: &mut Rng, program: &Program) -> Program {
    let mut program = program.clone();
    let automaton = &mut program.automaton;
    let (one, other) = (rng.below(automaton.edges.len()), rng.below(automaton.edges.len()));
    match rng.below(3) {
        0 if !automaton.is_sink(automaton.edges[other].target) => {
            automaton.edges[one].target = automaton.edges[other].target;
        }
        1 => automaton.edges[one].command = automaton.edges[other].command.clone(),
        _ => {
            let command = &automaton.edges[one].command;
            let mut arcs = command.arcs().to_vec();
            if arcs.is_empty() {
                return program;
            }
            let place = rng.below(arcs.len());
            if matches!(arcs[place].basic, Basic::Assume(_)) {
                arcs[place].basic = Basic::Skip;
            }
            automaton.edges[one].command = Command::from_arcs(command.nodes(), arcs).unwrap();
        }
    }
    program
}

/// Panics unless what was accepted is so.
fn confirm(program: &Program, evidence: &Evidence, states: &States, about: &str) {
    let automaton = &program.automaton;
    let reached = |sink: LocationId| states.iter().any(|(location, _)| *location == sink);
    if let Evidence::Execution(_) = evidence {
        assert!(reached(automaton.error), "{about}");
        return;
    }
    assert!(!automaton.sinks().any(reached), "{about}");
    match evidence {
        Evidence::Invariant(invariant) => holds(program, invariant, states, about),
        Evidence::Unwinding(unwinding) => ends(program, unwinding, about),
        _ => {}
    }
}

/// Formulas hold in all reachable states, at all locations that matter.
fn holds(program: &Program, invariant: &Invariant, states: &States, about: &str) {
    let automaton = &program.automaton;
    let relevant = Graph::new(automaton).relevant(automaton);
    let mut arena = invariant.arena.clone();
    for (location, state) in states.iter().filter(|(location, _)| relevant.contains(*location)) {
        let Some(&formula) = invariant.formulas.get(location) else { continue };
        let mut model = Model::new();
        for (variable, value) in automaton.variables.iter().zip(state) {
            model.set(arena.variable(&variable.name, &variable.sort).unwrap(), value.clone());
        }
        assert_eq!(Evaluator::new(model).holds(&arena, formula), Ok(true), "{about}: {state:?}");
    }
}

/// No location has states in more layers than its bound.
fn ends(program: &Program, unwinding: &Unwinding, about: &str) {
    let automaton = &program.automaton;
    let relevant = Graph::new(automaton).relevant(automaton);
    let cut = |location: LocationId| location == automaton.entry || unwinding.visits.contains_key(&location);
    let mut visits: BTreeMap<LocationId, u64> = BTreeMap::new();
    let mut layer: States =
        reachable(program).into_iter().filter(|(location, _)| *location == automaton.entry).collect();
    for _ in 0..10_000 {
        if layer.is_empty() {
            return;
        }
        let mut next = States::new();
        let (mut open, mut seen): (Vec<_>, States) = (layer.into_iter().collect(), States::new());
        while let Some((location, state)) = open.pop() {
            for (target, state) in after(program, location, &state) {
                if !relevant.contains(target) {
                } else if cut(target) {
                    next.insert((target, state));
                } else if seen.insert((target, state.clone())) {
                    open.push((target, state));
                }
            }
        }
        let here: BTreeSet<LocationId> = next.iter().map(|(location, _)| *location).collect();
        for location in here {
            let count = visits.entry(location).or_default();
            *count += 1;
            let bound = unwinding.visits.get(&location).copied().unwrap_or(0);
            assert!(*count <= bound, "{about}: {location:?} in layer {count}");
        }
        layer = next;
    }
    panic!("{about}: it goes on");
}

fn form(evidence: &Evidence) -> &'static str {
    match evidence {
        Evidence::Invariant(invariant) if invariant.induction.simple => "simple k-induction",
        Evidence::Invariant(invariant) if invariant.induction.k.get() > 1 => "k-induction",
        Evidence::Invariant(_) => "invariant",
        Evidence::Unwinding(_) => "unwinding",
        Evidence::Run => "run",
        Evidence::Contracts(_) => "contracts",
        Evidence::Execution(_) => "execution",
    }
}

#[test]
fn tampered_evidence_shows_nothing_false() {
    let changes = changes(600);
    let mut counts: BTreeMap<&str, [u64; 3]> = BTreeMap::new();
    let (mut seed, mut done) = (0, 0);
    while done < changes {
        seed += 1;
        let mut rng = Rng::new(seed);
        let program = random_program(&mut rng);
        let Some(found) = evidence(&mut rng, &program) else { continue };
        let text = print(&program, &found);
        for _ in 0..10 {
            done += 1;
            let program = if rng.chance(40) { changed(&mut rng, &program) } else { program.clone() };
            let text = if rng.chance(80) { tamper(&mut rng, &text) } else { text.clone() };
            let count = counts.entry(form(&found)).or_default();
            let Ok(read) = parse(&program, &text) else {
                count[0] += 1;
                continue;
            };
            if is_much(&program, &read) {
                continue;
            }
            // The form may be another one now.
            let verdict = check(&program, &read, &Budget::unlimited());
            let claims = matches!(
                (&verdict, &read),
                (Ok(nilas_evidence::Verdict::Unsafe), Evidence::Execution(_))
                    | (
                        Ok(nilas_evidence::Verdict::Safe),
                        Evidence::Invariant(_) | Evidence::Unwinding(_) | Evidence::Run
                    )
            );
            count[if claims { 2 } else { 1 }] += 1;
            if claims {
                let about = format!("seed {seed}: {text}\n{:?}", program.automaton);
                confirm(&program, &read, &reachable(&program), &about);
            }
        }
    }
    println!("unread, rejected, accepted and confirmed, by form: {counts:?}");
    for name in ["invariant", "k-induction", "simple k-induction", "unwinding", "run", "execution"] {
        assert!(counts.get(name).is_some_and(|count| count[2] > 0), "{name}: {counts:?}");
    }
    assert!(counts.values().map(|count| count[1]).sum::<u64>() > 0, "{counts:?}");
}

/// Hints that were made up: wrong numbers, too few, too many, about other regions.
fn made_up(rng: &mut Rng, program: &Program, text: &str) -> String {
    let names: Vec<&str> = program.automaton.locations.iter().map(|location| &*location.name).collect();
    let mut text = text.trim_end().strip_suffix(')').unwrap().to_owned();
    for _ in 0..rng.below(8) {
        let (from, to) = (names[rng.below(names.len())], names[rng.below(names.len())]);
        text.push_str(&format!("(premises |{from}| |{to}| {}", rng.below(4)));
        for _ in 0..rng.below(4) {
            text.push_str(&format!(" {}", rng.below(5)));
        }
        text.push(')');
    }
    text.push(')');
    text
}

/// Whatever premises are told, evidence shows what it shows without them, right or wrong.
#[test]
fn hints_decide_nothing() {
    let changes = changes(300);
    let (mut seed, mut done) = (0, 0);
    let (mut accepted, mut rejected, mut told, mut sufficed) = (0, 0, 0, 0);
    while done < changes {
        seed += 1;
        let mut rng = Rng::new(seed);
        let program = random_program(&mut rng);
        let settings = Settings::of(&["ic3cfa.premises=yes"]).unwrap();
        let report =
            verify(&program, "ic3cfa".parse().unwrap(), &settings, &Budget::unlimited(), &mut Silent);
        let Verdict::Safe(Evidence::Invariant(mut invariant)) = report.verdict else { continue };
        if rng.chance(30) {
            invariant.induction = Induction { k: 2.try_into().unwrap(), simple: rng.chance(50) };
        }
        let text = print(&program, &Evidence::Invariant(invariant));
        for _ in 0..10 {
            done += 1;
            let program = if rng.chance(50) { changed(&mut rng, &program) } else { program.clone() };
            let text = made_up(&mut rng, &program, &text);
            let Evidence::Invariant(with) = parse(&program, &text).unwrap() else { panic!("{text}") };
            let without = Invariant { premises: Premises::default(), ..with.clone() };
            let mut account = Account::default();
            let judged = |evidence: Invariant, account: &mut Account| {
                check_with(&program, &Evidence::Invariant(evidence), &Budget::unlimited(), account).is_ok()
            };
            let plain = judged(without, &mut Account::default());
            assert_eq!(judged(with, &mut account), plain, "seed {seed}: {text}");
            if plain {
                accepted += 1;
            } else {
                rejected += 1;
            }
            told += account.counts.told;
            sufficed += account.counts.sufficed;
        }
    }
    println!(
        "accepted {accepted}, rejected {rejected}; {told} questions with hints, which sufficed for {sufficed}"
    );
    assert!(accepted > 0 && rejected > 0 && sufficed > 0 && told > sufficed);
}

/// The program with some ways to the error leading to a second target.
fn two_targets(rng: &mut Rng, mut program: Program) -> Targets {
    let automaton = &mut program.automaton;
    let second = LocationId::new(automaton.locations.len());
    automaton.locations.push(Location { name: "second".into(), span: Span::default() });
    for edge in automaton.edges.iter_mut().filter(|edge| edge.target == automaton.error) {
        if rng.chance(50) {
            edge.target = second;
        }
    }
    let targets = vec![automaton.error, second];
    Targets { program, targets }
}

#[test]
fn tampered_answers_show_nothing_false() {
    let changes = changes(200);
    let mut counts = [0; 3];
    let (mut seed, mut done) = (0, 0);
    while done < changes {
        seed += 1;
        let mut rng = Rng::new(seed);
        let program = random_program(&mut rng);
        let targets = two_targets(&mut rng, program);
        let mut answers = Answers::new();
        for &target in &targets.targets {
            let answer = match evidence(&mut rng, &targets.about(target)) {
                Some(evidence) => Answer::Evidence(evidence),
                None => Answer::Unknown("nothing".into()),
            };
            answers.insert(target, answer);
        }
        let text = print_answers(&targets, &answers);
        for _ in 0..10 {
            done += 1;
            let text = tamper(&mut rng, &text);
            let Ok(answers) = parse_answers(&targets, &text) else {
                counts[0] += 1;
                continue;
            };
            let much = |(&target, answer): (&LocationId, &Answer)| match answer {
                Answer::Evidence(evidence) => is_much(&targets.about(target), evidence),
                Answer::With(_) | Answer::Choices(_) | Answer::Unknown(_) => false,
            };
            if answers.iter().any(much) {
                continue;
            }
            let checked =
                check_answers(&targets, &answers, &Budget::unlimited(), &mut Account::default()).unwrap();
            for (target, checked) in checked {
                let answer = match &answers[&target] {
                    Answer::With(leader) => &answers[leader],
                    answer => answer,
                };
                match (checked, answer) {
                    (Ok(Some(_)), Answer::Evidence(evidence)) => {
                        counts[2] += 1;
                        let program = targets.about(target);
                        confirm(&program, evidence, &reachable(&program), &format!("seed {seed}: {text}"));
                    }
                    (Ok(Some(_)), _) => panic!("seed {seed}: what has no evidence shows something"),
                    (Ok(None), _) => {}
                    (Err(Rejection::Undecided(_)), _) => {}
                    (Err(_), _) => counts[1] += 1,
                }
            }
        }
    }
    println!("unread, rejected, accepted and confirmed: {counts:?}");
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}
