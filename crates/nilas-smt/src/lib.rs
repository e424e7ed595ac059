//! The solver contract of Nilas, and the embedded solver.

pub mod budget;
pub mod sat;
