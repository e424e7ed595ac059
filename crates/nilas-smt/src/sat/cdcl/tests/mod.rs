//! Tests of the solver against brute force, against other solvers, and through the proof checker.

mod circuit;
mod cnf;
mod limits;

use super::Cdcl;
use crate::budget::Budget;
use crate::sat::{Batsat, Hard, Lit, SatAnswer, SatSolver, Var};

/// A small generator of random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number below `bound`.
    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn bool(&mut self) -> bool {
        self.chance(50)
    }
}

fn check(solver: &mut dyn SatSolver, assumptions: &[Lit]) -> SatAnswer {
    solver.solve(assumptions, &Budget::unlimited())
}

fn lits(numbers: &[i32]) -> Vec<Lit> {
    numbers.iter().map(|&n| Lit::new(Var(n.unsigned_abs() - 1), n > 0)).collect()
}

/// The clauses that say that `holes + 1` pigeons fit into `holes` holes.
fn pigeonhole(solver: &mut dyn SatSolver, holes: usize) {
    let at: Vec<Vec<Lit>> =
        (0..=holes).map(|_| (0..holes).map(|_| solver.new_var().lit()).collect()).collect();
    for pigeon in &at {
        solver.add_clause(pigeon);
    }
    for (index, one) in at.iter().enumerate() {
        for other in &at[..index] {
            for (&here, &there) in one.iter().zip(other) {
                solver.add_clause(&[!here, !there]);
            }
        }
    }
}
