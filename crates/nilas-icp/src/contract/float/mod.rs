//! Contractors of float operators.
//!
//! A float is a rank and a flag for NaN. Operators are total functions of both. The rank of a result is the
//! operator on the ranks of its operands, whatever their flags, and +0 where that is no number; the flag says
//! that an operand is NaN or that there is no number. So where the flag is set, the rank is a *shadow*: it
//! follows from other ranks and means nothing. Ranges of numbers can be computed before it is known which
//! floats are NaN, and no bound rests on a flag without need.

mod convert;
#[cfg(test)]
mod exhaustive;
mod monotone;
mod operation;
mod order;
mod search;
#[cfg(test)]
mod tests;

pub use convert::{IntegerRange, from_bits, from_integer, to_bits, to_integer};
pub use operation::Operation;
pub use order::{Extreme, absolute, extreme, negated, remainder};

use crate::boxes::interval::Interval;
use monotone::{Contracted, Outcomes};
use nilas_term::{Format, RoundingMode};

/// The columns of a float: its rank, and whether it is NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatBox {
    /// Ranks.
    pub rank: Interval,
    /// 1 for NaN.
    pub nan: Interval,
}

impl FloatBox {
    fn may_be_nan(self) -> bool {
        self.nan.hi == 1
    }

    fn is_nan(self) -> bool {
        self.nan.lo == 1
    }
}

/// The place of a rounding mode among the modes.
#[must_use]
pub fn mode_rank(mode: RoundingMode) -> i128 {
    RoundingMode::ALL.iter().position(|&other| other == mode).map_or(0, |place| place as i128)
}

/// The modes of an interval.
fn modes(range: Interval) -> impl Iterator<Item = (i128, RoundingMode)> {
    (range.lo..=range.hi)
        .filter_map(|place| Some((place, *RoundingMode::ALL.get(usize::try_from(place).ok()?)?)))
}

/// `z = operation(mode, operands)`; `None` when there is no solution.
#[must_use]
pub fn rounded(
    operation: Operation,
    format: Format,
    mode: &mut Interval,
    z: &mut FloatBox,
    operands: &mut [FloatBox],
) -> Option<()> {
    let allowed = Flags::of(z, operands).allowed();
    let mut ranks = [Interval::point(0); 3];
    for (rank, operand) in ranks.iter_mut().zip(&*operands) {
        *rank = operand.rank;
    }
    let mut all = None;
    let mut possible: Option<Interval> = None;
    for (place, mode) in modes(*mode) {
        let found = monotone::contract(operation, format, mode, z.rank, ranks, allowed);
        if found.is_some() {
            let here = Interval::point(place);
            possible = Some(possible.map_or(here, |before| before.hull(here)));
        }
        all = Contracted::join(all, found);
    }
    let Contracted { z: rank, operands: ranks, outcomes } = all?;
    *mode = possible?;
    z.rank = rank;
    for (operand, rank) in operands.iter_mut().zip(ranks) {
        operand.rank = rank;
    }
    settle_flags(outcomes, z, operands)
}

/// The flags of an operator whose result is NaN when an operand is, or when there is no number.
struct Flags {
    result: Interval,
    operand_may_be_nan: bool,
}

impl Flags {
    fn of(z: &FloatBox, operands: &[FloatBox]) -> Self {
        Flags { result: z.nan, operand_may_be_nan: operands.iter().any(|operand| operand.may_be_nan()) }
    }

    fn allowed(&self) -> Outcomes {
        Outcomes { number: self.result.lo == 0 || self.operand_may_be_nan, invalid: self.result.hi == 1 }
    }
}

/// What the outcomes on ranks say about flags.
fn settle_flags(outcomes: Outcomes, z: &mut FloatBox, operands: &mut [FloatBox]) -> Option<()> {
    let (no, yes) = (Interval::point(0), Interval::point(1));
    if operands.iter().any(|operand| operand.is_nan()) || !outcomes.number {
        z.nan = z.nan.meet(yes)?;
    }
    if !outcomes.invalid && !operands.iter().any(|operand| operand.may_be_nan()) {
        z.nan = z.nan.meet(no)?;
    }
    if z.nan == no {
        for operand in operands {
            operand.nan = operand.nan.meet(no)?;
        }
    } else if z.nan == yes && !outcomes.invalid {
        let mut candidates = operands.iter_mut().filter(|operand| operand.may_be_nan());
        match (candidates.next(), candidates.next()) {
            (None, _) => return None,
            (Some(only), None) => only.nan = yes,
            _ => {}
        }
    }
    Some(())
}
