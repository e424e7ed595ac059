//! Transition systems and Horn clauses: readers, the way to automata and back, writers.
//!
//! VMT, BTOR2 and Horn scripts are read into one form, Horn clauses ([`System`]): a transition system is the
//! case of one predicate. [`to_automaton`] makes an automaton of linear ones, a location per predicate and an
//! edge per clause, so that engines, passes and the evidence checker work on them as on everything else.
//! [`Procedures`] makes a procedure of each predicate instead, for clauses that are not linear.
//! [`Functional`] makes one transition relation of them instead.
//! [`Interpretation`] and [`Derivation`] say what evidence about that automaton means for the clauses.
//!
//! What is never done here: deciding anything. Nothing is searched for, and no evidence is believed.

mod automaton;
mod branch;
pub mod btor2;
mod clausify;
mod control;
mod derivation;
mod functional;
mod horn;
mod model;
mod procedures;
mod quantifiers;
mod script;
mod system;
mod vmt;
pub mod write;

pub use automaton::{Layout, to_automaton, to_plain_automaton};
pub use btor2::read_btor2;
pub use control::Unfolded;
pub use derivation::{Derivation, Fact};
pub use functional::Functional;
pub use horn::{asks_for_model, is_horn, read_horn};
pub use model::{Interpretation, portable};
pub use procedures::Procedures;
pub use system::{Atom, Clause, Form, Goal, GoalId, Predicate, PredicateId, System};
pub use vmt::read_vmt;
