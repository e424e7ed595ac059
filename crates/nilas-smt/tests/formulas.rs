//! The solver against the evaluator: random formulas at widths 1 to 8. Models are evaluated, unsat answers
//! are confirmed by trying all assignments, cores are checked again on their own.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Formulas, Rng};
use nilas_smt::sat::{Batsat, Cdcl, Hard, SatSolver};
use nilas_smt::{Answer, Budget, Embedded, Solver};
use nilas_term::{Arena, Term};

fn one_formula<S: SatSolver + Default + 'static>(seed: u64) -> bool {
    let mut rng = Rng::new(seed);
    let width = 1 + u32::try_from(rng.below(8)).unwrap();
    let vectors = match width {
        1..=3 => 3,
        4 | 5 => 2,
        _ => 1,
    };
    let mut arena = Arena::new();
    let formulas = Formulas::new(&mut arena, width, vectors, 1);
    let count = 1 + rng.below(4);
    let terms: Vec<Term> = (0..count).map(|_| formulas.boolean(&mut arena, &mut rng, 4)).collect();
    // Some are asserted, some assumed.
    let split = usize::try_from(rng.below(count + 1)).unwrap();
    let (asserted, assumed) = terms.split_at(split);
    let mut solver = Embedded::<S>::new();
    for &term in asserted {
        solver.assert(&arena, term);
    }
    match solver.check(&arena, &[], assumed, &Budget::unlimited()) {
        Answer::Sat => {
            if let Err(what) = formulas.confirm(&arena, &mut solver, &terms) {
                panic!("seed {seed}: {what}");
            }
            true
        }
        Answer::Unsat => {
            let found = formulas.enumerate(&arena, &terms);
            assert!(found.is_none(), "seed {seed}: unsat, but true under {found:?}");
            let core = [asserted, solver.failed()].concat();
            let found = formulas.enumerate(&arena, &core);
            assert!(found.is_none(), "seed {seed}: the core is true under {found:?}");
            false
        }
        Answer::Unknown(why) => panic!("seed {seed}: unknown, {why}"),
    }
}

fn many<S: SatSolver + Default + 'static>(seeds: std::ops::Range<u64>) {
    let total = seeds.end - seeds.start;
    let sat = seeds.filter(|&seed| one_formula::<S>(seed)).count() as u64;
    // Neither answer is rare, or the test would test little.
    assert!(sat * 10 > total && (total - sat) * 10 > total, "{sat} of {total} are sat");
}

#[test]
fn hard() {
    many::<Hard>(0..3000);
}

#[test]
fn batsat() {
    many::<Batsat>(3000..5000);
}

#[test]
fn cdcl() {
    many::<Cdcl>(5000..7000);
}
