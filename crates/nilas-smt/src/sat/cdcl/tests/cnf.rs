//! Clauses without structure: every solver behind the trait against brute force.

use super::*;
use crate::sat::drat::Checker;
use crate::sat::{ProofLog, ProofStep};

/// Random clauses over few variables, added and asked about in turn.
fn against_brute_force(make: &dyn Fn() -> Box<dyn SatSolver>, cases: u64) {
    for seed in 0..cases {
        let mut random = Random(seed);
        let mut solver = make();
        let vars = 3 + random.below(8);
        let all: Vec<Var> = (0..vars).map(|_| solver.new_var()).collect();
        let mut clauses: Vec<Vec<Lit>> = Vec::new();
        for _ in 0..4 {
            for _ in 0..random.below(2 * vars) {
                let clause: Vec<Lit> = (0..1 + random.below(4))
                    .map(|_| Lit::new(all[random.below(vars)], random.bool()))
                    .collect();
                if clause.len() > 1 || random.chance(30) {
                    solver.add_clause(&clause);
                    clauses.push(clause);
                }
            }
            let assumptions: Vec<Lit> =
                (0..random.below(4)).map(|_| Lit::new(all[random.below(vars)], random.bool())).collect();
            let has_model = |fixed: &[Lit]| {
                (0u32..1 << vars).any(|model| {
                    let holds = |lit: &Lit| (model >> lit.var().0 & 1 == 1) == lit.is_positive();
                    fixed.iter().all(holds) && clauses.iter().all(|c| c.iter().any(holds))
                })
            };
            match check(&mut *solver, &assumptions) {
                SatAnswer::Sat => {
                    let holds = |lit: &Lit| solver.value(lit.var()) == Some(lit.is_positive());
                    assert!(
                        clauses.iter().all(|c| { c.iter().any(holds) || c.iter().any(|l| c.contains(&!*l)) }),
                        "seed {seed}: model"
                    );
                    assert!(assumptions.iter().all(holds), "seed {seed}: assumptions");
                }
                SatAnswer::Unsat => {
                    let core = solver.core().to_vec();
                    assert!(core.iter().all(|lit| assumptions.contains(lit)), "seed {seed}: {core:?}");
                    assert!(!has_model(&core), "seed {seed}: core {core:?} of {assumptions:?}");
                }
                SatAnswer::Unknown(why) => panic!("seed {seed}: {why}"),
            }
        }
    }
}

#[test]
fn all_solvers_against_brute_force() {
    against_brute_force(&|| Box::new(Cdcl::new()), 3000);
    against_brute_force(&|| Box::new(Cdcl::without_cone()), 500);
    against_brute_force(&|| Box::new(Hard::new()), 200);
    against_brute_force(&|| Box::new(Batsat::new()), 200);
}

/// Random 3-SAT at the threshold, with more conflicts than brute force can follow.
#[test]
fn threshold_formulas_against_cadical_with_proofs() {
    let mut unsat = 0;
    for seed in 0..60 {
        let mut random = Random(seed);
        let vars = 60 + random.below(40);
        let mut ours = Cdcl::new();
        let log = ProofLog::new();
        ours.set_proof(Box::new(log.clone()));
        let mut theirs = Hard::new();
        let all: Vec<Var> = (0..vars).map(|_| ours.new_var()).collect();
        for _ in 0..vars {
            theirs.new_var();
        }
        let mut clauses = Vec::new();
        for _ in 0..vars * 43 / 10 {
            let clause: Vec<Lit> = (0..3).map(|_| Lit::new(all[random.below(vars)], random.bool())).collect();
            ours.add_clause(&clause);
            theirs.add_clause(&clause);
            clauses.push(clause);
        }
        let answer = check(&mut ours, &[]);
        assert_eq!(answer, check(&mut theirs, &[]), "seed {seed}");
        let mut checker = Checker::new();
        assert_eq!(checker.check(&log.take()), Ok(()), "seed {seed}");
        assert_eq!(checker.is_refuted(), answer == SatAnswer::Unsat, "seed {seed}");
        unsat += u32::from(answer == SatAnswer::Unsat);
    }
    assert!((10..50).contains(&unsat), "{unsat} of 60 unsatisfiable: not at the threshold");
}

#[test]
fn pigeons_do_not_fit_and_the_proof_says_so() {
    for holes in 1..=6 {
        let mut solver = Cdcl::new();
        let log = ProofLog::new();
        solver.set_proof(Box::new(log.clone()));
        pigeonhole(&mut solver, holes);
        assert_eq!(check(&mut solver, &[]), SatAnswer::Unsat);
        assert_eq!(solver.core(), []);
        let mut checker = Checker::new();
        assert_eq!(checker.check(&log.take()), Ok(()), "{holes} holes");
        assert!(checker.is_refuted());
    }
}

/// Calls that are long enough to forget clauses and to collect them while literals rest on others.
#[test]
fn forgetting_within_a_call_is_sound() {
    for seed in 0..6 {
        let mut random = Random(seed);
        let mut ours = Cdcl::new();
        let log = ProofLog::new();
        ours.set_proof(Box::new(log.clone()));
        let mut theirs = Hard::new();
        for _ in 0..170 {
            ours.new_var();
            theirs.new_var();
        }
        for _ in 0..170 * 44 / 10 {
            let clause: Vec<Lit> =
                (0..3).map(|_| Lit::new(Var(random.below(170) as u32), random.bool())).collect();
            ours.add_clause(&clause);
            theirs.add_clause(&clause);
        }
        let answer = check(&mut ours, &[]);
        assert_eq!(answer, check(&mut theirs, &[]), "seed {seed}");
        let counters = ours.counters();
        if answer == SatAnswer::Unsat {
            assert!(counters.reductions > 0 && counters.collections > 0, "seed {seed}: {counters:?}");
        }
        assert_eq!(Checker::new().check(&log.take()), Ok(()), "seed {seed}");
    }
}

#[test]
fn a_proof_with_a_clause_left_out_is_rejected() {
    let mut solver = Cdcl::new();
    let log = ProofLog::new();
    solver.set_proof(Box::new(log.clone()));
    pigeonhole(&mut solver, 4);
    assert_eq!(check(&mut solver, &[]), SatAnswer::Unsat);
    let mut steps = log.take();
    let at = steps.iter().position(|step| matches!(step, ProofStep::Original(_)));
    steps.remove(at.expect("there are clauses"));
    assert!(Checker::new().check(&steps).is_err());
}

#[test]
fn contradictory_and_repeated_assumptions() {
    let mut solver = Cdcl::new();
    let (a, b) = (solver.new_var().lit(), solver.new_var().lit());
    assert_eq!(check(&mut solver, &[b, a, a, !a]), SatAnswer::Unsat);
    let core = solver.core();
    assert!(core.contains(&a) && core.contains(&!a) && !core.contains(&b));
    solver.add_clause(&[!a]);
    assert_eq!(check(&mut solver, &[b, a]), SatAnswer::Unsat);
    assert_eq!(solver.core(), [a]);
    assert_eq!(check(&mut solver, &[b, b]), SatAnswer::Sat);
    assert_eq!(solver.value(a.var()), Some(false));
    solver.add_clause(&[]);
    assert_eq!(check(&mut solver, &[b]), SatAnswer::Unsat);
    assert_eq!(solver.core(), []);
}

#[test]
fn variables_that_nobody_made_are_made() {
    let mut solver = Cdcl::new();
    for clause in [&[1, 2][..], &[-1, 7], &[-2, 7], &[1, 1], &[3, -3]] {
        solver.add_clause(&lits(clause));
    }
    assert_eq!(check(&mut solver, &lits(&[-7])), SatAnswer::Unsat);
    assert_eq!(check(&mut solver, &lits(&[9])), SatAnswer::Sat);
    assert_eq!(solver.value(Var(6)), Some(true));
    assert_eq!(solver.value(Var(100)), None);
}
