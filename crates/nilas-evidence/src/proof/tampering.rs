//! Accepted proofs, changed at random: whatever the database still takes must be implied, says somebody else.
//!
//! `NILAS_TAMPERED=20000 cargo test --release -p nilas-evidence tampered` makes so many changes.

use super::clauses::{ClauseId, Clauses};
use nilas_smt::Budget;
use nilas_smt::sat::{Antecedents, Batsat, Cdcl, Lit, ProofSink, SatAnswer, SatSolver, Var};
use std::sync::{Arc, Mutex};

/// A derived clause and its antecedents, by their literals.
type Step = (Vec<Lit>, Vec<Vec<Lit>>);

#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Vec<Step>>>);

impl ProofSink for Recorder {
    fn original(&mut self, _: &[Lit]) {}
    fn derived(&mut self, clause: &[Lit], antecedents: &Antecedents) {
        self.0.lock().unwrap().push((clause.to_vec(), antecedents.iter().map(<[Lit]>::to_vec).collect()));
    }
    fn deleted(&mut self, _: &[Lit]) {}
    fn wants_antecedents(&self) -> bool {
        true
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

const VARIABLES: u32 = 24;

/// Random clauses of three literals that contradict each other, and a proof of it.
fn refuted(random: &mut Random) -> (Vec<Vec<Lit>>, Vec<Step>) {
    loop {
        let mut literal = || Lit::new(Var(random.below(VARIABLES as usize) as u32), random.below(2) == 0);
        let clauses: Vec<Vec<Lit>> = (0..130).map(|_| vec![literal(), literal(), literal()]).collect();
        let (mut solver, recorder) = (Cdcl::alone(), Recorder::default());
        solver.set_proof(Box::new(recorder.clone()));
        for _ in 0..VARIABLES {
            solver.new_var();
        }
        for clause in &clauses {
            solver.add_clause(clause);
        }
        if solver.solve(&[], &Budget::unlimited()) == SatAnswer::Unsat {
            let steps = std::mem::take(&mut *recorder.0.lock().unwrap());
            return (clauses, steps);
        }
    }
}

fn sorted(clause: &[Lit]) -> Vec<Lit> {
    let mut clause = clause.to_vec();
    clause.sort_unstable();
    clause
}

/// Steps through a proof; the clauses that were taken.
fn accepted(given: &[Vec<Lit>], steps: &[Step]) -> Vec<Vec<Lit>> {
    let mut clauses = Clauses::default();
    let mut names: Vec<(Vec<Lit>, ClauseId)> =
        given.iter().map(|clause| (sorted(clause), clauses.give(clause).unwrap())).collect();
    let mut taken = Vec::new();
    for (clause, antecedents) in steps {
        let find = |antecedent: &Vec<Lit>| {
            let antecedent = sorted(antecedent);
            names.iter().rev().find(|(literals, _)| *literals == antecedent).map(|(_, id)| *id)
        };
        let mut from: Vec<ClauseId> = antecedents.iter().filter_map(find).collect();
        // A clause that is known is told without antecedents.
        from.extend(find(clause));
        if let Ok(id) = clauses.derive(clause, &from) {
            names.push((sorted(clause), id));
            taken.push(clause.clone());
        }
    }
    taken
}

fn implied(given: &[Vec<Lit>], clause: &[Lit]) -> bool {
    let mut solver = Batsat::new();
    for _ in 0..VARIABLES {
        solver.new_var();
    }
    for clause in given {
        solver.add_clause(clause);
    }
    let negated: Vec<Lit> = clause.iter().map(|&lit| !lit).collect();
    solver.solve(&negated, &Budget::unlimited()) == SatAnswer::Unsat
}

#[test]
fn tampered_proofs_show_nothing_false() {
    let changes: usize =
        std::env::var("NILAS_TAMPERED").ok().and_then(|text| text.parse().ok()).unwrap_or(300);
    let mut random = Random(0x7a3);
    let (mut refused, mut done) = (0, 0);
    while done < changes {
        let (given, steps) = refuted(&mut random);
        assert!(accepted(&given, &steps).contains(&Vec::new()), "the proof as it is");
        for _ in 0..50 {
            done += 1;
            // What was given is changed, too: then the same steps would show what is not so.
            let (mut given, mut steps) = (given.clone(), steps.clone());
            for _ in 0..=random.below(3) {
                let at = random.below(steps.len());
                match random.below(7) {
                    0 => drop(steps.remove(at)),
                    1 if !steps[at].0.is_empty() => {
                        let place = random.below(steps[at].0.len());
                        steps[at].0.remove(place);
                    }
                    2 if !steps[at].0.is_empty() => {
                        let place = random.below(steps[at].0.len());
                        steps[at].0[place] = !steps[at].0[place];
                    }
                    3 if !steps[at].1.is_empty() => {
                        let place = random.below(steps[at].1.len());
                        steps[at].1.remove(place);
                    }
                    4 if steps[at].1.len() > 1 => steps[at].1.reverse(),
                    5 => {
                        let other = random.below(steps.len());
                        steps.swap(at, other);
                    }
                    _ => {
                        let place = random.below(given.len());
                        given.remove(place);
                    }
                }
                if steps.is_empty() {
                    break;
                }
            }
            let taken = accepted(&given, &steps);
            refused += usize::from(taken.len() < steps.len());
            // The last ones rest on all the others.
            for clause in taken.iter().rev().take(3) {
                assert!(implied(&given, clause), "{clause:?} is not implied");
            }
        }
    }
    assert!(refused * 2 > changes, "most changes are noticed: {refused} of {done}");
}
