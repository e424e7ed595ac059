//! Integers with statically known bounds, in two's complement of just the width that the bounds need.

use super::Gates;
use crate::budget::Interrupt;
use crate::sat::{Lit, SatSolver};

/// An integer within bounds. Where the bounds are broken, for operands whose result does not matter, it is
/// some number.
#[derive(Clone)]
pub(super) struct Integer {
    pub(super) bits: Vec<Lit>,
    pub(super) least: i64,
    pub(super) greatest: i64,
}

/// Bits of a two's complement number within bounds.
fn width(least: i64, greatest: i64) -> usize {
    let positive = 64 - greatest.max(0).leading_zeros();
    let negative = 64 - (!least.min(-1)).leading_zeros();
    positive.max(negative) as usize + 1
}

impl<S: SatSolver> Gates<S> {
    pub(super) fn integer(&self, value: i64) -> Integer {
        let bits = (0..width(value, value)).map(|index| self.constant(value >> index & 1 == 1)).collect();
        Integer { bits, least: value, greatest: value }
    }

    /// A natural number of at most `greatest`.
    pub(super) fn natural(&self, bits: &[Lit], greatest: i64) -> Integer {
        let mut bits = bits.to_vec();
        bits.push(!self.truth());
        let bits = self.fit(&bits, width(0, greatest));
        Integer { bits, least: 0, greatest }
    }

    /// The same number, or its lowest bits, in another width.
    pub(super) fn fit(&self, bits: &[Lit], width: usize) -> Vec<Lit> {
        let sign = bits.last().copied().unwrap_or(!self.truth());
        let mut bits = bits.to_vec();
        bits.resize(width, sign);
        bits
    }

    pub(super) fn plus(&mut self, a: &Integer, b: &Integer) -> Result<Integer, Interrupt> {
        let (least, greatest) = (a.least + b.least, a.greatest + b.greatest);
        let width = width(least, greatest);
        let bits = self.add(&self.fit(&a.bits, width), &self.fit(&b.bits, width), !self.truth())?;
        Ok(Integer { bits, least, greatest })
    }

    pub(super) fn minus(&mut self, a: &Integer, b: &Integer) -> Result<Integer, Interrupt> {
        let (least, greatest) = (a.least - b.greatest, a.greatest - b.least);
        let width = width(least, greatest);
        let bits = self.subtract(&self.fit(&a.bits, width), &self.fit(&b.bits, width))?;
        Ok(Integer { bits, least, greatest })
    }

    pub(super) fn plus_constant(&mut self, a: &Integer, b: i64) -> Result<Integer, Interrupt> {
        let b = self.integer(b);
        self.plus(a, &b)
    }

    /// One more where the condition holds.
    pub(super) fn plus_bit(&mut self, a: &Integer, condition: Lit) -> Result<Integer, Interrupt> {
        let bit = self.natural(&[condition], 1);
        self.plus(a, &bit)
    }

    /// Half of it, rounded down.
    pub(super) fn halved(&self, a: &Integer) -> Integer {
        let (least, greatest) = (a.least >> 1, a.greatest >> 1);
        let bits = self.fit(&a.bits[1..], width(least, greatest));
        Integer { bits, least, greatest }
    }

    pub(super) fn integer_less(&mut self, a: &Integer, b: &Integer) -> Result<Lit, Interrupt> {
        if a.greatest < b.least {
            return Ok(self.truth());
        }
        if a.least >= b.greatest {
            return Ok(!self.truth());
        }
        let width = a.bits.len().max(b.bits.len());
        self.signed_less(&self.fit(&a.bits, width), &self.fit(&b.bits, width))
    }

    pub(super) fn integer_less_than(&mut self, a: &Integer, bound: i64) -> Result<Lit, Interrupt> {
        let bound = self.integer(bound);
        self.integer_less(a, &bound)
    }

    pub(super) fn integer_equal(&mut self, a: &Integer, b: &Integer) -> Result<Lit, Interrupt> {
        let width = a.bits.len().max(b.bits.len());
        self.equal(&self.fit(&a.bits, width), &self.fit(&b.bits, width))
    }

    pub(super) fn choose_integer(
        &mut self,
        condition: Lit,
        then: &Integer,
        otherwise: &Integer,
    ) -> Result<Integer, Interrupt> {
        let (least, greatest) = (then.least.min(otherwise.least), then.greatest.max(otherwise.greatest));
        let width = width(least, greatest);
        let bits = self.choose(condition, &self.fit(&then.bits, width), &self.fit(&otherwise.bits, width))?;
        Ok(Integer { bits, least, greatest })
    }

    /// The bits of the number where it is not negative, else zero.
    pub(super) fn positive_part(&mut self, a: &Integer) -> Result<Vec<Lit>, Interrupt> {
        let Some((&sign, bits)) = a.bits.split_last() else { return Ok(Vec::new()) };
        if a.least >= 0 {
            return Ok(bits.to_vec());
        }
        bits.iter().map(|&bit| self.and(bit, !sign)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::width;

    #[test]
    fn widths_are_just_enough() {
        for (least, greatest, expected) in
            [(0, 0, 1), (0, 1, 2), (-1, 0, 1), (-1, 1, 2), (-2, 1, 2), (-2, 2, 3), (3, 4, 4), (-8, -5, 4)]
        {
            assert_eq!(width(least, greatest), expected, "{least} to {greatest}");
        }
    }
}
