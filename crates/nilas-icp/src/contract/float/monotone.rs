//! Contraction of operations that round once.
//!
//! Operands are cut into *classes*: infinities, zeros and the finite numbers of one sign, as far as the
//! operation needs it. On a tuple of classes the operation is either never a number, or always one and
//! monotone in each operand. So its results lie between those of two corners; and an operand can only be
//! where the operation reaches the result at the corner that favours it, which is a monotone condition whose
//! end is searched. Nothing is ever inverted: all rounding modes and formats are the same to this code.
//!
//! Optimal for the result, and for the operand of unary operations.

use super::operation::Operation;
use super::search::{greatest, least};
use crate::boxes::float::{ZERO, infinity, largest, opposite};
use crate::boxes::interval::{Interval, Rank, hull};
use nilas_term::{Format, RoundingMode};

/// At most three operands.
pub(super) type Operands = [Interval; 3];

/// What may happen: that the result is a number, and that it is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outcomes {
    pub(super) number: bool,
    pub(super) invalid: bool,
}

/// What is left of a result and its operands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contracted {
    pub(super) z: Interval,
    pub(super) operands: Operands,
    pub(super) outcomes: Outcomes,
}

impl Contracted {
    pub(super) fn join(one: Option<Contracted>, other: Option<Contracted>) -> Option<Contracted> {
        let (Some(a), Some(b)) = (one, other) else { return one.or(other) };
        let mut operands = a.operands;
        for (operand, other) in operands.iter_mut().zip(b.operands) {
            *operand = operand.hull(other);
        }
        let outcomes = Outcomes {
            number: a.outcomes.number || b.outcomes.number,
            invalid: a.outcomes.invalid || b.outcomes.invalid,
        };
        Some(Contracted { z: a.z.hull(b.z), operands, outcomes })
    }
}

/// The ranks from which on a new class begins, for an operand.
fn cuts(operation: Operation, index: usize, format: Format) -> Vec<Rank> {
    let (most, infinite) = (largest(format), infinity(format));
    match (operation, index) {
        (Operation::RoundToIntegral | Operation::Convert { .. }, _) => Vec::new(),
        (Operation::Add, _) | (Operation::Fma, 2) => vec![opposite(most), infinite],
        _ => vec![opposite(most), opposite(ZERO), ZERO, ZERO + 1, infinite],
    }
}

fn classes(range: Interval, cuts: &[Rank]) -> Vec<Interval> {
    let mut found = Vec::with_capacity(cuts.len() + 1);
    let mut rest = range;
    for &cut in cuts {
        if cut <= rest.lo {
            continue;
        }
        if cut > rest.hi {
            break;
        }
        found.push(Interval { lo: rest.lo, hi: cut - 1 });
        rest.lo = cut;
    }
    found.push(rest);
    found
}

/// Contracts `z = operation(operands)`, where `z` is +0 if there is no number, with the outcomes allowed.
pub(super) fn contract(
    operation: Operation,
    format: Format,
    mode: RoundingMode,
    z: Interval,
    operands: Operands,
    allowed: Outcomes,
) -> Option<Contracted> {
    let arity = operation.arity();
    let of = operation.operand_format(format);
    let parts: [Vec<Interval>; 3] = std::array::from_fn(|index| {
        if index < arity {
            classes(operands[index], &cuts(operation, index, of))
        } else {
            vec![operands[index]]
        }
    });
    let mut result = None;
    for &x in &parts[0] {
        for &y in &parts[1] {
            for &c in &parts[2] {
                let tuple = Tuple { operation, format, mode, classes: [x, y, c] };
                result = Contracted::join(result, tuple.contract(z, allowed));
            }
        }
    }
    result
}

/// A tuple of classes.
struct Tuple {
    operation: Operation,
    format: Format,
    mode: RoundingMode,
    classes: Operands,
}

impl Tuple {
    /// Whether the result rises with an operand.
    fn rises(&self, index: usize) -> bool {
        let positive = |index: usize| self.classes[index].lo >= 0;
        match (self.operation, index) {
            (Operation::Multiply | Operation::Fma | Operation::Divide, 0) => positive(1),
            (Operation::Multiply | Operation::Fma, 1) => positive(0),
            (Operation::Divide, 1) => !positive(0),
            _ => true,
        }
    }

    fn corner(&self, up: bool) -> [Rank; 3] {
        std::array::from_fn(|index| {
            let class = self.classes[index];
            if self.rises(index) == up { class.hi } else { class.lo }
        })
    }

    fn apply(&self, operands: [Rank; 3]) -> Option<Rank> {
        self.operation.apply(self.format, self.mode, &operands[..self.operation.arity()])
    }

    fn contract(&self, z: Interval, allowed: Outcomes) -> Option<Contracted> {
        let (lowest, highest) = (self.corner(false), self.corner(true));
        let (Some(lo), Some(hi)) = (self.apply(lowest), self.apply(highest)) else {
            let outcomes = Outcomes { number: false, invalid: true };
            let z = z.meet(Interval::point(ZERO)).filter(|_| allowed.invalid)?;
            return Some(Contracted { z, operands: self.classes, outcomes });
        };
        if !allowed.number {
            return None;
        }
        let range = Interval::new(lo, hi)?;
        let z = z.meet(range)?;
        let mut operands = self.classes;
        if z != range {
            for (index, operand) in operands.iter_mut().take(self.operation.arity()).enumerate() {
                *operand = self.operand(index, z, lowest, highest)?;
            }
        }
        Some(Contracted { z, operands, outcomes: Outcomes { number: true, invalid: false } })
    }

    /// What of an operand lets the result reach into `z`.
    fn operand(&self, index: usize, z: Interval, lowest: [Rank; 3], highest: [Rank; 3]) -> Option<Interval> {
        let class = self.classes[index];
        if class.is_point() {
            // The corners of the other operands were looked at with this one.
            return Some(class);
        }
        let at = |corner: [Rank; 3], rank: Rank| {
            let mut operands = corner;
            operands[index] = rank;
            self.apply(operands)
        };
        let reaches = |rank: Rank| at(highest, rank).is_none_or(|result| result >= z.lo);
        let stays = |rank: Rank| at(lowest, rank).is_none_or(|result| result <= z.hi);
        let guess = |target: Rank, corner: [Rank; 3]| {
            let end = if self.rises(index) { class.lo } else { class.hi };
            self.guess(index, target, corner).unwrap_or(end)
        };
        if self.rises(index) {
            let lo = least(class, guess(z.lo, highest), reaches)?;
            let hi = greatest(class, guess(z.hi, lowest), stays)?;
            Interval::new(lo, hi)
        } else {
            let hi = greatest(class, guess(z.lo, highest), reaches)?;
            let lo = least(class, guess(z.hi, lowest), stays)?;
            Interval::new(lo, hi)
        }
    }

    /// About where an operand must be for a result, the others being as in the corner.
    fn guess(&self, index: usize, target: Rank, others: [Rank; 3]) -> Option<Rank> {
        let mode = RoundingMode::NearestEven;
        let apply = |operation: Operation, operands: &[Rank]| operation.apply(self.format, mode, operands);
        let [x, y, c] = others;
        match (self.operation, index) {
            (Operation::Add, _) => apply(Operation::Add, &[target, opposite(others[1 - index])]),
            (Operation::Multiply, _) => apply(Operation::Divide, &[target, others[1 - index]]),
            (Operation::Divide, 0) => apply(Operation::Multiply, &[target, y]),
            (Operation::Divide, _) => apply(Operation::Divide, &[x, target]),
            (Operation::Sqrt, _) => apply(Operation::Multiply, &[target, target]),
            (Operation::Fma, 2) => apply(Operation::Fma, &[opposite(x), y, target]),
            (Operation::Fma, _) => {
                let product = apply(Operation::Add, &[target, opposite(c)])?;
                apply(Operation::Divide, &[product, others[1 - index]])
            }
            (Operation::RoundToIntegral, _) => Some(target),
            (Operation::Convert { from }, _) => {
                Operation::Convert { from: self.format }.apply(from, mode, &[target])
            }
        }
    }
}

/// The end of what conversions that are no operations of floats need: `z = map(x)` for a monotone map.
pub(super) fn contract_map(
    z: Interval,
    x: Interval,
    map: impl Fn(Rank) -> Rank,
    guess: impl Fn(Rank) -> Rank,
) -> Option<(Interval, Interval)> {
    let range = Interval::new(map(x.lo), map(x.hi))?;
    let z = z.meet(range)?;
    if z == range {
        return Some((z, x));
    }
    let lo = least(x, guess(z.lo), |rank| map(rank) >= z.lo)?;
    let hi = greatest(x, guess(z.hi), |rank| map(rank) <= z.hi)?;
    let x = Interval::new(lo, hi)?;
    Some((z.meet(Interval::new(map(x.lo), map(x.hi))?)?, x))
}

/// The hull of pairs that may be missing.
pub(super) fn join_pairs(
    one: Option<(Interval, Interval)>,
    other: Option<(Interval, Interval)>,
) -> Option<(Interval, Interval)> {
    let z = hull(one.map(|pair| pair.0), other.map(|pair| pair.0))?;
    let x = hull(one.map(|pair| pair.1), other.map(|pair| pair.1))?;
    Some((z, x))
}
