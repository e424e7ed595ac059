//! The model of the last check, read on demand.

use crate::blast::Blaster;
use crate::sat::{Lit, SatSolver};
use crate::solver::Reason;
use nilas_term::{Arena, Evaluator, Model, Term, Value};
use rustc_hash::FxHashSet;

/// What has been read of the SAT solver's model, and computed from it.
pub(crate) struct LazyModel {
    evaluator: Evaluator,
    /// Terms whose variables have been read.
    read: FxHashSet<Term>,
    stack: Vec<Term>,
}

impl Default for LazyModel {
    fn default() -> Self {
        LazyModel {
            evaluator: Evaluator::new(Model::new()).with_defaults(),
            read: FxHashSet::default(),
            stack: Vec::new(),
        }
    }
}

impl LazyModel {
    /// The value of a term. The SAT solver must still have the model that this was made for.
    pub(crate) fn value<S: SatSolver>(
        &mut self,
        blaster: &Blaster<S>,
        arena: &Arena,
        term: Term,
    ) -> Result<Value, Reason> {
        if arena.as_variable(term).is_some() {
            return Ok(read(blaster, arena, term));
        }
        self.stack.push(term);
        while let Some(term) = self.stack.pop() {
            if !self.read.insert(term) {
                continue;
            }
            if arena.as_variable(term).is_some() {
                self.evaluator.set(term, read(blaster, arena, term));
            }
            self.stack.extend_from_slice(arena.children(term));
        }
        self.evaluator.eval(arena, term).map_err(|error| Reason::Unsupported(error.to_string()))
    }
}

/// The value of a variable: bits that the model does not care about are false, and so is everything about
/// variables that were never blasted.
fn read<S: SatSolver>(blaster: &Blaster<S>, arena: &Arena, variable: Term) -> Value {
    let bit = |lit: Lit| blaster.gates.sat.value(lit.var()).is_some_and(|value| value == lit.is_positive());
    blaster.variable_value(arena, variable, bit).unwrap_or_else(|| Value::default_of(arena.sort(variable)))
}
