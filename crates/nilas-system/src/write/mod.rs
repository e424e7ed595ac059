//! Automata as Horn clauses, VMT and BTOR2.
//!
//! What is written means the same when it is read: the error (and what is not modelled) can be reached there
//! if and only if it can be reached in the automaton. What a format cannot say is refused by name.

mod btor2;
mod calls;
mod horn;
mod vmt;

pub use btor2::to_btor2;
pub use calls::to_horn_with_calls;
pub use horn::to_horn;
pub use vmt::to_vmt;

use nilas_program::{Automaton, Program};
use nilas_term::{Op, Sort};
use std::collections::BTreeSet;

/// A name without what SMT-LIB cannot write between bars.
fn writable(name: &str) -> String {
    name.replace(['|', '\\'], "_")
}

/// Whether the unmodelled location stands beside the error.
fn has_unmodelled(automaton: &Automaton) -> bool {
    automaton
        .unmodelled
        .is_some_and(|unmodelled| automaton.edges.iter().any(|edge| edge.target == unmodelled))
}

/// An uninterpreted function that a command applies.
fn function(program: &Program) -> Option<String> {
    let mut stack = Vec::new();
    for edge in &program.automaton.edges {
        for arc in edge.command.arcs() {
            match arc.basic {
                nilas_program::Basic::Assume(term) | nilas_program::Basic::Assign(_, term) => {
                    stack.push(term);
                }
                _ => {}
            }
        }
    }
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            if let Op::Apply(symbol) = program.arena.op(term) {
                return Some(program.arena.signature(symbol).name.to_string());
            }
            stack.extend_from_slice(program.arena.children(term));
        }
    }
    None
}

/// The uninterpreted sorts of variables and functions, by name.
fn own_sorts(program: &Program) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut stack: Vec<&Sort> = program.automaton.variables.iter().map(|variable| &variable.sort).collect();
    for signature in program.arena.symbols() {
        stack.extend(signature.arguments.iter().chain([&signature.result]));
    }
    while let Some(sort) = stack.pop() {
        match sort {
            Sort::Uninterpreted(name) => {
                names.insert(name.to_string());
            }
            Sort::Array(array) => stack.extend([&array.index, &array.element]),
            _ => {}
        }
    }
    names
}
