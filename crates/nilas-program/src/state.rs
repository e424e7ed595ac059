//! Symbolic states: what each variable holds, as a term over an earlier state.

use crate::automaton::Automaton;
use crate::ids::VarId;
use nilas_term::{Arena, Substitution, Term};
use rustc_hash::FxHashMap;
use std::sync::Arc;

const CHUNK: usize = 32;

/// A term for each variable of an automaton.
///
/// Copies share what they have in common in chunks, so that a state per branch of a large command costs
/// little, and two states are compared by looking only at the chunks that differ.
#[derive(Clone, Debug)]
pub struct State {
    chunks: Vec<Arc<[Term]>>,
    variables: Arc<FxHashMap<Term, VarId>>,
}

impl State {
    /// Each variable holds itself.
    #[must_use]
    pub fn initial(automaton: &Automaton) -> State {
        let terms: Vec<Term> = automaton.variables.iter().map(|variable| variable.term).collect();
        let chunks = terms.chunks(CHUNK).map(Arc::from).collect();
        State { chunks, variables: Arc::new(automaton.variable_index()) }
    }

    /// What a variable holds.
    #[must_use]
    pub fn get(&self, variable: VarId) -> Term {
        self.chunks[variable.index() / CHUNK][variable.index() % CHUNK]
    }

    /// Changes what a variable holds.
    pub fn set(&mut self, variable: VarId, term: Term) {
        if self.get(variable) != term {
            let chunk = &mut self.chunks[variable.index() / CHUNK];
            Arc::make_mut(chunk)[variable.index() % CHUNK] = term;
        }
    }

    /// A term over the automaton's variables, with each replaced by what it holds. Other variables stay.
    pub fn apply(&self, arena: &mut Arena, term: Term) -> Term {
        if let Some(&variable) = self.variables.get(&term) {
            return self.get(variable);
        }
        let mut substitution = Substitution::new();
        for free in arena.free_variables(term) {
            if let Some(&variable) = self.variables.get(&free)
                && self.get(variable) != free
            {
                substitution.insert(free, self.get(variable));
            }
        }
        substitution.apply(arena, term)
    }

    /// The state under whichever condition holds, and the condition that one does. The conditions must
    /// exclude each other; there must be at least one.
    pub fn merge(arena: &mut Arena, ways: &[(Term, &State)]) -> (Term, State) {
        let conditions: Vec<Term> = ways.iter().map(|(condition, _)| *condition).collect();
        let states: Vec<&State> = ways.iter().map(|(_, state)| *state).collect();
        let mut merged = states[states.len() - 1].clone();
        for variable in Self::differences(&states) {
            let mut value = merged.get(variable);
            for (condition, state) in ways.iter().rev().skip(1) {
                value = arena.ite(*condition, state.get(variable), value);
            }
            merged.set(variable, value);
        }
        (arena.or(&conditions), merged)
    }

    /// The variables that do not hold the same in all of the states, in order.
    pub(crate) fn differences(states: &[&State]) -> Vec<VarId> {
        let Some((first, others)) = states.split_first() else { return Vec::new() };
        let mut different = Vec::new();
        for (index, chunk) in first.chunks.iter().enumerate() {
            if others.iter().all(|other| Arc::ptr_eq(chunk, &other.chunks[index])) {
                continue;
            }
            for (offset, term) in chunk.iter().enumerate() {
                if others.iter().any(|other| other.chunks[index][offset] != *term) {
                    different.push(VarId::new(index * CHUNK + offset));
                }
            }
        }
        different
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.chunks == other.chunks
    }
}

impl Eq for State {}
