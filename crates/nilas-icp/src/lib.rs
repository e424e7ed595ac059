//! `icp`: interval constraint propagation, a solver for Booleans, bit-vectors and exact floats, and for bounded
//! mathematical integers and reals.
//!
//! After §2.3 of *ICP and IC3 with Stronger Generalization*. `boxes` are intervals over the orders of a sort,
//! `contract` narrows them and loses no solution, `search` is CDCL over bounds, `decompose` brings terms
//! there, and [`Icp`] is the whole as a solver of `nilas-smt`. Formulas over integers and reals go to `numbers`.

pub mod boxes;
pub mod contract;
mod decompose;
mod numbers;
pub mod outward;
mod proof;
mod search;
mod simple;
mod solver;
#[cfg(test)]
mod testing;

pub use proof::{Proof, prove};
pub use simple::{Reading, Side, SimpleBound};
pub use solver::{Analysis, Asked, Icp, Options, Refutation};
