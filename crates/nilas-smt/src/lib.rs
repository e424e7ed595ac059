//! The solver contract of Nilas, and the embedded solver.

mod blast;
pub mod budget;
pub mod conformance;
mod embedded;
pub mod interpolate;
pub mod pipe;
pub mod proof;
pub mod record;
pub mod sat;
pub mod script;
pub mod solver;
pub mod weaken;

pub use budget::{Budget, CancelFlag, Interrupt};
pub use embedded::{Embedded, SatCore};
pub use pipe::Piped;
pub use record::Recorder;
pub use solver::{Activation, Answer, Reason, Solver, SolverStats};
