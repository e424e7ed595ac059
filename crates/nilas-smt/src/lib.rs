//! The solver contract of Nilas, and the embedded solver.

pub mod budget;
pub mod sat;
pub mod solver;

pub use budget::{Budget, CancelFlag, Interrupt};
pub use solver::{Activation, Answer, Reason, Solver, SolverStats};
