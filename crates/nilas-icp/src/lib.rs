//! `icp`: interval constraint propagation, a solver for Booleans, bit-vectors and exact floats.

pub mod boxes;
pub mod contract;
mod search;
#[cfg(test)]
mod testing;
