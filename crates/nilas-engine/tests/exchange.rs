//! Engines that take over what others published come to the same verdicts, and their evidence is accepted;
//! whatever is published, true or not.

#![allow(clippy::unwrap_used)]

mod support;

use nilas_engine::{
    Budgets, Exchange, Fact, Port, Preparations, Report, Settings, Silent, Unknown, Verdict, Wants,
    verify_within,
};
use nilas_program::{Program, parse_program};
use nilas_smt::Budget;
use nilas_term::Value;
use support::{Reachable, Rng, explore, random_program};

/// All that take part.
const ENGINES: [&str; 9] =
    ["bmc", "k-ind", "itp", "ic3cfa", "euf", "tree-ic3", "tree-ic3-itp", "tree-itp", "pred-abs"];

fn settings() -> Settings {
    Settings::of(&[
        "bmc.max-depth=20",
        "k-ind.max-depth=20",
        "ic3cfa.check=yes",
        "euf.check=yes",
        "tree.check=yes",
    ])
    .unwrap()
}

fn run(preparations: &Preparations, engine: &str, exchange: &Exchange) -> Report {
    let budgets = Budgets { exchange: Some(exchange.clone()), ..Budgets::default() };
    verify_within(preparations, engine.parse().unwrap(), &settings(), &budgets, &mut Silent)
}

/// What an engine says agrees with what is so.
fn agrees(report: &Report, truth: Reachable, what: &str) {
    match &report.verdict {
        Verdict::Safe(_) => assert!(!truth.error && !truth.unmodelled, "{what}: safe, but {truth:?}"),
        Verdict::Unsafe(_) => assert!(truth.error, "{what}: unsafe, but {truth:?}"),
        Verdict::Unknown(Unknown::Unmodelled { .. }) => assert!(truth.unmodelled, "{what}: {truth:?}"),
        Verdict::Unknown(Unknown::Bound { .. }) => {}
        other => panic!("{what}: {other:?}"),
    }
}

fn program(text: &str) -> Program {
    parse_program(text).unwrap_or_else(|errors| panic!("{}", errors[0].render("text", text)))
}

/// Counts up with a partner; the bound of the partner is what decides.
const PAIR: &str = "var x, y : bv8 var s : bv32 entry a error e location a, b, c, e \
     a -> b { x := 0; y := 0; s := 3 } \
     b -> b { assume x <u 20; x := x + 2; y := y + 2; s := (s == 3 ? 5 : 3) } \
     b -> c { havoc x; assume x == y } \
     c -> e { assume (y & 1) == 1 || s == 4 }";

#[test]
fn each_engine_uses_what_each_other_one_published() {
    let safe = program(PAIR);
    let wrong = program(&PAIR.replace("(y & 1) == 1", "y == 20"));
    let mut used = std::collections::BTreeMap::new();
    for (program, is_safe) in [(&safe, true), (&wrong, false)] {
        for first in ENGINES {
            for second in ENGINES {
                let (preparations, exchange) = (Preparations::new(program.clone()), Exchange::new());
                run(&preparations, first, &exchange);
                let report = run(&preparations, second, &exchange);
                let truth = Reachable { error: !is_safe, unmodelled: false };
                agrees(&report, truth, &format!("{first}, then {second}"));
                *used.entry(second).or_insert(0) += report.counters["facts received and used"];
            }
        }
    }
    for engine in ["bmc", "k-ind", "itp", "ic3cfa", "euf", "tree-ic3", "pred-abs"] {
        assert!(used[engine] > 0, "{engine} has used nothing: {used:?}");
    }
}

#[test]
fn random_automata_after_other_engines() {
    for seed in 0..240 {
        let program = random_program(&mut Rng::new(seed));
        let truth = explore(&program);
        let (preparations, exchange) = (Preparations::new(program), Exchange::new());
        for turn in 0..3 {
            let engine = ENGINES[(seed as usize / 3 + turn * 5) % ENGINES.len()];
            agrees(&run(&preparations, engine, &exchange), truth, &format!("seed {seed}, {engine}"));
        }
    }
}

/// Publishes what is false, about the program as an engine would get it.
fn lie(preparations: &Preparations, exchange: &Exchange, wants: Wants, rng: &mut Rng) {
    let prepared = preparations.get(wants, &Budget::unlimited()).unwrap();
    let (mut arena, automaton) = (prepared.program.arena.clone(), &prepared.program.automaton);
    let mut port = Port::new(exchange, &prepared);
    for location in automaton.location_ids() {
        for variable in &automaton.variables {
            let value = match Value::default_of(&variable.sort) {
                value if rng.chance(50) => arena.constant(value),
                value => {
                    let zero = arena.constant(value);
                    if arena.sort(zero) == &nilas_term::Sort::Bool {
                        arena.not(zero)
                    } else {
                        arena.bv_not(zero)
                    }
                }
            };
            let mut formula = arena.eq(variable.term, value);
            if rng.chance(30) {
                formula = arena.not(formula);
            }
            let fact = match rng.below(3) {
                0 => Fact::Invariant(location, formula),
                1 => Fact::Lemma(location, formula),
                _ => Fact::Predicate(location, formula),
            };
            port.publish(&mut arena, &fact);
            let state = vec![(variable.term, Value::default_of(&variable.sort))];
            port.publish(&mut arena, &Fact::Reached(location, state));
        }
    }
    port.publish(&mut arena, &Fact::Depth(if rng.chance(50) { 3 } else { u64::MAX }));
}

/// A verdict rests on nothing that somebody said.
#[test]
fn lies_reach_no_verdict() {
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let program = random_program(&mut rng);
        let truth = explore(&program);
        let (preparations, exchange) = (Preparations::new(program), Exchange::new());
        for wants in [Wants::Small, Wants::FewValues, Wants::Given] {
            lie(&preparations, &exchange, wants, &mut rng);
        }
        let engine = ENGINES[seed as usize % ENGINES.len()];
        agrees(&run(&preparations, engine, &exchange), truth, &format!("seed {seed}, {engine}"));
    }
}

/// Formulas find their way between programs whose variables are encoded differently.
#[test]
fn codes_are_translated() {
    let (preparations, exchange) = (Preparations::new(program(PAIR)), Exchange::new());
    let unlimited = Budget::unlimited();
    let small = preparations.get(Wants::Small, &unlimited).unwrap();
    let coded = preparations.get(Wants::FewValues, &unlimited).unwrap();
    assert!(coded.back.recoded().next().is_some(), "`s` has few values");
    let [mut one, mut other] = [&small, &coded].map(|prepared| Port::new(&exchange, prepared));
    let (mut wide, mut narrow) = (small.program.arena.clone(), coded.program.arena.clone());
    let s = small.program.automaton.variables[2].term;
    let location = nilas_program::LocationId::new(1);
    let three = wide.bv(32, 3);
    let formula = wide.eq(s, three);
    one.publish(&mut wide, &Fact::Lemma(location, formula));
    let received = other.receive(&mut narrow);
    let [Fact::Lemma(at, code)] = received[..] else { panic!("{received:?}") };
    assert_eq!(narrow.free_variables(code), [coded.program.automaton.variables[2].term]);
    // And back again: the same meaning, where the variable has one of its values.
    let again = narrow.not(code);
    other.publish(&mut narrow, &Fact::Lemma(at, again));
    let received = one.receive(&mut wide);
    let [Fact::Lemma(_, formula)] = received[..] else { panic!("{received:?}") };
    assert_eq!(wide.free_variables(formula), [s]);
    for (value, holds) in [(3, false), (5, true)] {
        let model = [(s, Value::BitVec(nilas_term::BitVec::new(32, value)))].into_iter().collect();
        assert_eq!(nilas_term::Evaluator::new(model).holds(&wide, formula), Ok(holds));
    }
}
