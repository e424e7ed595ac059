//! What an engine has at hand while it works.

use crate::observer::Observer;
use nilas_smt::Budget;

/// Budget and observer; the observer hands solvers over ([`Observer::solver`]).
pub struct Context<'a> {
    /// What the work may cost. Everything that takes long looks at it.
    pub budget: &'a Budget,
    /// Who listens.
    pub observer: &'a mut dyn Observer,
}
