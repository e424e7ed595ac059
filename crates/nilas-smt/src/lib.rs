//! The solver contract of Nilas, and the embedded solver.

mod blast;
pub mod conformance;
mod embedded;
pub mod euf;
pub mod interpolate;
pub mod pipe;
pub mod proof;
pub mod record;
pub mod sat;
pub mod script;
pub mod solver;
pub mod weaken;

pub use embedded::{Embedded, SatCore};
pub use euf::Euf;
pub use nilas_term::budget::{self, Budget, CancelFlag, Holdings, Interrupt, Turn, Turns};
pub use pipe::Piped;
pub use record::Recorder;
pub use solver::{Activation, Answer, Reason, Solver, SolverStats};
