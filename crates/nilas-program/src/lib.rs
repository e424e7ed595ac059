//! Control-flow automata with guarded commands: text, interpreter, passes, encodings.

mod automaton;
mod command;
mod ids;
mod span;

pub use automaton::{Automaton, Edge, Havoc, Location, Program, Variable};
pub use command::{Arc, Basic, Command, Origin};
pub use ids::{ArcId, EdgeId, HavocSite, LocationId, NodeId, VarId};
pub use span::Span;
