//! Shifts by a variable amount: one row of multiplexers per bit of the amount.

use super::gates::Gates;
use crate::budget::Interrupt;
use crate::sat::{Lit, SatSolver};

/// Which way bits move, and what comes in at the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shift {
    /// Towards the high end, zeros below.
    Left,
    /// Towards the low end, zeros above.
    LogicalRight,
    /// Towards the low end, copies of the sign above.
    ArithmeticRight,
}

impl<S: SatSolver> Gates<S> {
    /// `a` shifted by `amount`.
    pub(crate) fn shift(&mut self, kind: Shift, a: &[Lit], amount: &[Lit]) -> Result<Vec<Lit>, Interrupt> {
        let width = a.len();
        let fill = match (kind, a.last()) {
            (Shift::ArithmeticRight, Some(&sign)) => sign,
            _ => !self.truth(),
        };
        let mut bits = a.to_vec();
        let mut stage = 0;
        // Stages by 1, 2, 4, … while such a step leaves a bit of `a` in sight.
        while stage < amount.len() && stage < usize::BITS as usize - 1 && 1 << stage < width {
            let (step, select) = (1usize << stage, amount[stage]);
            let mut next = Vec::with_capacity(width);
            for index in 0..width {
                let source = match kind {
                    Shift::Left => index.checked_sub(step).map(|from| bits[from]),
                    Shift::LogicalRight | Shift::ArithmeticRight => bits.get(index + step).copied(),
                };
                next.push(self.mux(select, source.unwrap_or(fill), bits[index])?);
            }
            bits = next;
            stage += 1;
        }
        let mut beyond = amount[stage..].to_vec();
        let beyond = self.or_all(&mut beyond)?;
        for bit in &mut bits {
            *bit = self.mux(beyond, fill, *bit)?;
        }
        Ok(bits)
    }

    /// `then` where `condition` holds, else `otherwise`.
    pub(crate) fn choose(
        &mut self,
        condition: Lit,
        then: &[Lit],
        otherwise: &[Lit],
    ) -> Result<Vec<Lit>, Interrupt> {
        then.iter().zip(otherwise).map(|(&then, &otherwise)| self.mux(condition, then, otherwise)).collect()
    }
}
