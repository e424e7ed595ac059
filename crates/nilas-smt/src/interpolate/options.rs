//! What kind of interpolant is wanted, and what it may cost.

use super::proof::System;
use crate::budget::Budget;
use crate::weaken::{Step, WeakenOptions};

/// Where interpolants come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// From cores over words; where that finds none, from the proof.
    #[default]
    Auto,
    /// From the refutation proof of a SAT solver.
    Proof,
    /// From unsatisfiable cores with strongest posts and weakest preconditions.
    Word,
}

/// Which side word-level interpolants are made of, and in which direction a path is walked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Style {
    /// From A's consequences, weakened as far as B allows; forwards along a path: strongest posts.
    #[default]
    Post,
    /// From B's consequences, negated; backwards along a path: weakest preconditions.
    Pre,
}

/// See the fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterpolateOptions {
    /// Where interpolants come from.
    pub method: Method,
    /// The side of word-level ones.
    pub style: Style,
    /// The system of proof-based ones.
    pub system: System,
    /// How the literals of word-level interpolants are weakened. No steps, no weakening.
    pub weaken: WeakenOptions,
    /// Solver checks that the word-level way may take per interpolant.
    pub checks: u32,
    /// Cubes that a word-level interpolant may consist of.
    pub cubes: usize,
    /// Conflicts that a single solver check of the word-level way may take.
    pub check_conflicts: u64,
    /// Conflicts that the proof may take.
    pub conflicts: u64,
    /// Nodes that a proof-based interpolant may have.
    pub nodes: usize,
    /// Whether redundant parts of a proof-based interpolant are left out, at the price of some solver checks.
    pub shrink: bool,
}

impl Default for InterpolateOptions {
    fn default() -> Self {
        use Step::{Drop, LowBits, LowestBit, SignedBound, UnsignedBound, WeakerBound};
        InterpolateOptions {
            method: Method::Auto,
            style: Style::Post,
            system: System::McMillan,
            weaken: WeakenOptions {
                steps: vec![Drop, LowestBit, WeakerBound, UnsignedBound, SignedBound, LowBits],
                ..WeakenOptions::default()
            },
            checks: 2000,
            cubes: 32,
            check_conflicts: 5_000,
            conflicts: 200_000,
            nodes: 100_000,
            shrink: true,
        }
    }
}

impl InterpolateOptions {
    /// The budget of the proof.
    pub(super) fn proof_budget(&self, budget: &Budget) -> Budget {
        limited(budget, self.conflicts)
    }

    /// The budget of a word-level check.
    pub(super) fn check_budget(&self, budget: &Budget) -> Budget {
        limited(budget, self.check_conflicts)
    }
}

/// The budget with that conflict limit, if its own is not lower.
fn limited(budget: &Budget, conflicts: u64) -> Budget {
    let conflicts = Some(budget.conflicts.map_or(conflicts, |limit| limit.min(conflicts)));
    Budget { conflicts, ..budget.clone() }
}
