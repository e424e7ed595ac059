//! Control-flow automata with guarded commands: text, interpreter, passes, encodings.

mod automaton;
mod command;
mod conditions;
mod disjoint;
mod dot;
pub mod encode;
pub mod graph;
mod ids;
pub mod interpret;
pub mod machine;
pub mod passes;
pub mod procedures;
pub mod random;
pub mod source;
mod state;
pub mod system;
mod targets;
pub mod text;
pub mod wellformed;
pub mod wep;

pub use automaton::{Automaton, Edge, Havoc, Location, Program, Variable};
pub use command::{Arc, Basic, Command, Origin};
pub use dot::to_dot;
pub use encode::{Encoding, Input, InputKind, encode, encode_within, transition_formula};
pub use graph::{Graph, LocationSet, cutset};
pub use ids::{ArcId, CallId, EdgeId, HavocSite, LocationId, NodeId, ProcedureId, VarId};
pub use interpret::{InterpretError, Interpreter, Step};
pub use machine::Machine;
pub use passes::{
    BackMap, LiveVariables, PassSize, Recoded, Simplified, Vanished, few_values, large_blocks,
    large_blocks_within, simplify,
};
pub use procedures::Module;
pub use source::{Diagnostic, Span};
pub use state::State;
pub use system::{
    ProgramCounter, StateVariable, SymbolicAutomaton, SymbolicEdge, TransitionSystem, solve_for,
};
pub use targets::Targets;
pub use text::{
    parse_bytes, parse_module, parse_module_bytes, parse_program, parse_targets, print_expression,
    print_module, print_program, print_targets,
};
pub use wep::{split, wep};
