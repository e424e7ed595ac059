//! Equality and order.
//!
//! `a < b` is the borrow out of `a - b`. Only strict order has a circuit: `a <= b` is the complement of
//! `b < a`, so that a literal and its negation in normal form share their gates.

use super::gates::Gates;
use crate::budget::Interrupt;
use crate::sat::{Lit, SatSolver};

impl<S: SatSolver> Gates<S> {
    /// Equality of bit-vectors: one wide gate over the bits' equivalences.
    pub(crate) fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Result<Lit, Interrupt> {
        let mut same = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            same.push(self.iff(a, b)?);
        }
        self.and_all(&mut same)
    }

    /// Unsigned `a < b`.
    pub(crate) fn less(&mut self, a: &[Lit], b: &[Lit]) -> Result<Lit, Interrupt> {
        let mut run = Run { borrow: !self.truth(), lits: Vec::new(), conjunction: false };
        for (&a, &b) in a.iter().zip(b) {
            self.borrow(&mut run, !a, b)?;
        }
        self.finish_run(&mut run)
    }

    /// Signed `a < b`: the sign bits change their roles.
    pub(crate) fn signed_less(&mut self, a: &[Lit], b: &[Lit]) -> Result<Lit, Interrupt> {
        let (Some((&sign_a, a)), Some((&sign_b, b))) = (a.split_last(), b.split_last()) else {
            return Ok(!self.truth());
        };
        let mut run = Run { borrow: !self.truth(), lits: Vec::new(), conjunction: false };
        for (&a, &b) in a.iter().zip(b) {
            self.borrow(&mut run, !a, b)?;
        }
        self.borrow(&mut run, sign_a, !sign_b)?;
        self.finish_run(&mut run)
    }

    /// One bit more: the borrow becomes the majority of `x`, `y` and the borrow below. Where one of `x` and
    /// `y` is constant this is an `and` or an `or`, and a run of the same kind becomes one wide gate:
    /// comparison with a constant, the most frequent literal of all, takes one gate per run of equal bits in
    /// the constant.
    fn borrow(&mut self, run: &mut Run, x: Lit, y: Lit) -> Result<(), Interrupt> {
        let (constant, other) = match (self.as_constant(x), self.as_constant(y)) {
            (Some(constant), _) => (constant, y),
            (_, Some(constant)) => (constant, x),
            _ => {
                let below = self.finish_run(run)?;
                run.borrow = self.majority(x, y, below)?;
                return Ok(());
            }
        };
        // majority(1, o, c) = o or c; majority(0, o, c) = o and c.
        if run.conjunction == constant {
            self.finish_run(run)?;
            run.conjunction = !constant;
        }
        if self.as_constant(run.borrow) == Some(constant) && run.lits.is_empty() {
            return Ok(());
        }
        run.lits.push(other);
        Ok(())
    }

    fn finish_run(&mut self, run: &mut Run) -> Result<Lit, Interrupt> {
        if !run.lits.is_empty() {
            run.lits.push(run.borrow);
            run.borrow =
                if run.conjunction { self.and_all(&mut run.lits)? } else { self.or_all(&mut run.lits)? };
            run.lits.clear();
        }
        Ok(run.borrow)
    }
}

/// A borrow, and the literals it is still to be joined with by one wide gate.
struct Run {
    borrow: Lit,
    lits: Vec<Lit>,
    conjunction: bool,
}
