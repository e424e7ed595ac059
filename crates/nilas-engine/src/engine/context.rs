//! What an engine has at hand while it works.

use crate::exchange::Port;
use crate::observer::Observer;
use nilas_smt::Budget;

/// Budget, observer and exchange; the observer hands solvers over ([`Observer::solver`]).
pub struct Context<'a> {
    /// What the work may cost. Everything that takes long looks at it.
    pub budget: &'a Budget,
    /// Who listens.
    pub observer: &'a mut dyn Observer,
    /// What is told to engines that work on the same program, and what they tell.
    pub exchange: &'a mut Port,
}
