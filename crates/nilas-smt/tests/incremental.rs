//! Random sequences of assert, activate, retire and check, each check against a fresh solver that is given
//! just what is alive; and long sequences that must not grow.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Formulas, Rng};
use nilas_smt::sat::{Batsat, Cdcl, Hard, SatSolver};
use nilas_smt::{Activation, Answer, Budget, Embedded, Solver};
use nilas_term::{Arena, Sort, Term};

/// Is it satisfiable? Asked of a solver that knows nothing else.
fn fresh(arena: &Arena, terms: &[Term]) -> Answer {
    let mut solver = Embedded::<Batsat>::new();
    for &term in terms {
        solver.assert(arena, term);
    }
    solver.check(arena, &[], &[], &Budget::unlimited())
}

fn sequence<S: SatSolver + Default + 'static>(seed: u64) {
    let mut rng = Rng::new(seed);
    let mut arena = Arena::new();
    let formulas = Formulas::new(&mut arena, 3, 3, 2);
    let mut solver = Embedded::<S>::new();
    let mut forever: Vec<Term> = Vec::new();
    let mut groups: Vec<(Activation, Vec<Term>)> = Vec::new();
    let mut assumable: Vec<Term> = Vec::new();
    for step in 0..60 {
        match rng.below(10) {
            0 if forever.len() < 3 => {
                let a = formulas.boolean(&mut arena, &mut rng, 2);
                let b = formulas.boolean(&mut arena, &mut rng, 2);
                let term = arena.or(&[a, b]);
                forever.push(term);
                solver.assert(&arena, term);
            }
            1 | 2 => groups.push((solver.activation(), Vec::new())),
            3 | 4 if !groups.is_empty() => {
                let index = usize::try_from(rng.below(groups.len() as u64)).unwrap();
                let term = formulas.boolean(&mut arena, &mut rng, 3);
                groups[index].1.push(term);
                solver.assert_under(&arena, groups[index].0, term);
            }
            5 if !groups.is_empty() => {
                let index = usize::try_from(rng.below(groups.len() as u64)).unwrap();
                let (activation, _) = groups.remove(index);
                solver.retire(activation);
            }
            _ => {
                if rng.chance(70) {
                    assumable.push(formulas.boolean(&mut arena, &mut rng, 2));
                }
                let named: Vec<&(Activation, Vec<Term>)> = groups.iter().filter(|_| rng.chance(60)).collect();
                let activations: Vec<Activation> = named.iter().map(|group| group.0).collect();
                let assumptions: Vec<Term> = assumable.iter().copied().filter(|_| rng.chance(40)).collect();
                let mut live = forever.clone();
                live.extend(named.iter().flat_map(|group| group.1.iter().copied()));
                live.extend(&assumptions);
                let answer = solver.check(&arena, &activations, &assumptions, &Budget::unlimited());
                assert_eq!(answer, fresh(&arena, &live), "seed {seed}, step {step}");
                if answer == Answer::Sat {
                    if let Err(what) = formulas.confirm(&arena, &mut solver, &live) {
                        panic!("seed {seed}, step {step}: {what}");
                    }
                } else {
                    let mut core = [forever.as_slice(), solver.failed()].concat();
                    for activation in solver.failed_activations() {
                        let group = named.iter().find(|group| group.0 == *activation).unwrap();
                        core.extend(&group.1);
                    }
                    assert_eq!(fresh(&arena, &core), Answer::Unsat, "seed {seed}, step {step}: core");
                }
            }
        }
    }
}

#[test]
fn random_sequences_on_the_hard_one() {
    (0..150).for_each(sequence::<Hard>);
}

#[test]
fn random_sequences_on_batsat() {
    (150..300).for_each(sequence::<Batsat>);
}

#[test]
fn random_sequences_on_cdcl() {
    (300..500).for_each(sequence::<Cdcl>);
}

/// IC3 in miniature: each query has an activation of its own, with a clause over fresh literals.
fn stays_bounded<S: SatSolver + Default + 'static>() {
    let mut arena = Arena::new();
    let sort = Sort::BitVec(16);
    let x = arena.variable("x", &sort).unwrap();
    let y = arena.variable("y", &sort).unwrap();
    let sum = arena.bv_add(x, y);
    let less = arena.bv_ult(x, y);
    let mut solver = Embedded::<S>::new();
    solver.assert(&arena, less);
    let lasting = solver.activation();
    let (mut variables, mut clauses) = (0, 0);
    for round in 0..100_000u64 {
        let activation = solver.activation();
        let (a, b) = (arena.bv(16, round), arena.bv(16, round % 251));
        let (at, below) = (arena.eq(sum, a), arena.bv_ult(x, b));
        let clause = arena.or(&[at, below]);
        solver.assert_under(&arena, activation, clause);
        if round % 1000 == 0 {
            let limit = arena.bv(16, 0xf000 + round / 1000);
            let lemma = arena.bv_ult(x, limit);
            solver.assert_under(&arena, lasting, lemma);
        }
        let answer = solver.check(&arena, &[lasting, activation], &[below], &Budget::unlimited());
        // Below zero there is nothing.
        assert_eq!(answer == Answer::Unsat, round % 251 == 0, "round {round}");
        solver.retire(activation);
        let stats = solver.stats();
        variables = variables.max(stats.variables);
        clauses = clauses.max(stats.clauses);
    }
    assert!(variables < 60_000 && clauses < 200_000, "{variables} variables, {clauses} clauses at the peak");
    assert!(solver.stats().rebuilds > 0, "nothing was rebuilt");
}

#[test]
fn activations_come_and_go_on_the_hard_one() {
    stays_bounded::<Hard>();
}

#[test]
fn activations_come_and_go_on_batsat() {
    stays_bounded::<Batsat>();
}

#[test]
fn activations_come_and_go_on_cdcl() {
    stays_bounded::<Cdcl>();
}
