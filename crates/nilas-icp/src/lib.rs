//! `icp`: interval constraint propagation, a solver for Booleans, bit-vectors and exact floats.

pub mod boxes;
pub mod contract;
#[cfg(test)]
mod testing;
