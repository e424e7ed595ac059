//! Sums of floats as linear forms: what single operations forget.
//!
//! `(x + d) - x` is about `d`, but the intervals of `x + d` and of `x` do not know that. A float that is made of
//! others by sums, negations and products with constants is a linear form of them in real numbers, and what was
//! rounded off on the way: an affine form. Less than one unit in the last place goes with every result, in every
//! rounding mode. Where operands come several times, the form says more than the operations one by one.
//!
//! Numbers of the machine do where floats have bits to spare: with sums and products that are rounded outward, they
//! say almost the same as exact ones, in a small part of the time. For the larger formats exact numbers are used,
//! after numbers of the machine have shown that something can be narrowed.
//!
//! Only the result is narrowed, and only where everything is finite and the conditions of the form hold. Ranks
//! follow from ranks whatever the flags of NaN say, so flags do not matter.

use crate::boxes::float::{infinity, largest, magnitude, numbers, rank, value};
use crate::boxes::interval::{Interval, Rank};
use crate::outward::Range;
use nilas_term::{BitVec, FloatValue, Format, RoundingMode};
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive};

/// A linear form. Its columns are `z`, the operands, and the results that were rounded on the way, all ranks;
/// at last the truth values that must be as the form takes them.
#[derive(Clone, Debug, PartialEq)]
pub struct Linear {
    /// The format of `z`.
    format: Format,
    /// The coefficients of the operands, and their formats.
    operands: Vec<Part>,
    /// How often what was rounded off a result counts, and the format of the result.
    rounded: Vec<Part>,
    /// What is added.
    constant: (BigRational, Range),
    /// What the truth values must be.
    conditions: Vec<bool>,
}

/// A coefficient, exactly and between two numbers of the machine, and the format of what it is a multiple of.
#[derive(Clone, Debug, PartialEq)]
struct Part {
    times: BigRational,
    about: Range,
    format: Format,
}

/// Formats of at most so many bits leave enough of those of the machine to spare.
const SPARE: u32 = 24;

/// Two numbers of the machine that another one is between.
fn about(number: &BigRational) -> Range {
    let near = number.to_f64().unwrap_or(f64::NAN);
    match BigRational::from_float(near) {
        Some(same) if same == *number => Range::point(near),
        Some(_) => Range { lo: near.next_down(), hi: near.next_up() },
        None => Range::ALL,
    }
}

impl Linear {
    /// A form of `z`, of a format, with coefficients and formats of operands and of what was rounded off results, and
    /// what truth values must be for it to hold.
    #[must_use]
    pub fn new(
        format: Format,
        operands: Vec<(BigRational, Format)>,
        rounded: Vec<(BigRational, Format)>,
        constant: BigRational,
        conditions: Vec<bool>,
    ) -> Self {
        let parts = |parts: Vec<(BigRational, Format)>| {
            let part = |(times, format): (BigRational, Format)| Part { about: about(&times), times, format };
            parts.into_iter().map(part).collect()
        };
        let constant_about = about(&constant);
        let constant = (constant, constant_about);
        Linear { format, operands: parts(operands), rounded: parts(rounded), constant, conditions }
    }

    /// Narrows `z`; `None` when nothing is left of it.
    #[must_use]
    pub fn contract(&self, columns: &mut [Interval]) -> Option<()> {
        let found = match self.near(&columns[1..]) {
            Some(near) => {
                let found = self.ranks(near.lo, near.hi);
                let narrows = columns[0].lo < found.lo || found.hi < columns[0].hi;
                if !narrows || self.format.significand <= SPARE { found } else { self.exact(columns) }
            }
            None => self.exact(columns),
        };
        columns[0] = columns[0].meet(found)?;
        Some(())
    }

    fn exact(&self, columns: &[Interval]) -> Interval {
        let all = numbers(self.format);
        let Some((lo, hi)) = self.range(&columns[1..]) else { return all };
        let end = |number: &BigRational, mode: RoundingMode| FloatValue::from_real(self.format, number, mode);
        self.between(&end(&lo, RoundingMode::Down), &end(&hi, RoundingMode::Up))
    }

    /// The floats between two numbers of the machine, rounded outward.
    fn ranks(&self, lo: f64, hi: f64) -> Interval {
        let end = |number: f64, mode: RoundingMode| {
            let bits = BitVec::new(64, number.to_bits());
            FloatValue::from_bits(Format::DOUBLE, bits).to_format(self.format, mode)
        };
        self.between(&end(lo, RoundingMode::Down), &end(hi, RoundingMode::Up))
    }

    fn between(&self, lo: &FloatValue, hi: &FloatValue) -> Interval {
        let all = numbers(self.format);
        // Both zeros are 0.
        let lo = match rank(lo) {
            Some(0) => -1,
            Some(rank) => rank,
            None => all.lo,
        };
        let hi = match rank(hi) {
            Some(-1) => 0,
            Some(rank) => rank,
            None => all.hi,
        };
        Interval::new(lo, hi).unwrap_or(all)
    }

    /// The columns of operands and of results, if the conditions hold.
    fn columns<'a>(&self, columns: &'a [Interval]) -> Option<(&'a [Interval], &'a [Interval])> {
        let (operands, results) = columns.split_at_checked(self.operands.len())?;
        let (results, conditions) = results.split_at_checked(self.rounded.len())?;
        let holds = |(&wanted, &truth): (&bool, &Interval)| truth == Interval::point(i128::from(wanted));
        self.conditions.iter().zip(conditions).all(holds).then_some((operands, results))
    }

    /// The same as [`Self::range`] in numbers of the machine, rounded outward; `None` if some float is none of them.
    fn near(&self, columns: &[Interval]) -> Option<Range> {
        let Some((operands, results)) = self.columns(columns) else { return Some(Range::ALL) };
        let mut sum = self.constant.1;
        for (part, &range) in self.operands.iter().zip(operands) {
            let ends = (machine(part.format, range.lo)?, machine(part.format, range.hi)?);
            let (Finite(lo), Finite(hi)) = ends else { return Some(Range::ALL) };
            sum = sum.plus(part.about.times(Range { lo, hi }));
        }
        for (part, &range) in self.rounded.iter().zip(results) {
            let most = magnitude(range.lo).max(magnitude(range.hi));
            if most >= largest(part.format) {
                return Some(Range::ALL);
            }
            let ends = (machine(part.format, most)?, machine(part.format, most + 1)?);
            let (Finite(below), Finite(above)) = ends else { return Some(Range::ALL) };
            // Neighbours: their difference is exact.
            sum = sum.plus(part.about.times(Range::around_zero(above - below)));
        }
        Some(sum)
    }

    /// Between which numbers the exact sum lies, before it is rounded to `z`.
    fn range(&self, columns: &[Interval]) -> Option<(BigRational, BigRational)> {
        let (operands, results) = self.columns(columns)?;
        let (mut lo, mut hi) = (self.constant.0.clone(), self.constant.0.clone());
        for (Part { times: coefficient, format, .. }, &range) in self.operands.iter().zip(operands) {
            let (low, high) = (real(*format, range.lo)?, real(*format, range.hi)?);
            let (one, other) = (coefficient * low, coefficient * high);
            let (less, more) = if coefficient.is_negative() { (other, one) } else { (one, other) };
            lo += less;
            hi += more;
        }
        for (Part { times, format, .. }, &range) in self.rounded.iter().zip(results) {
            let off = unit(*format, range)? * times.abs();
            lo -= &off;
            hi += off;
        }
        Some((lo, hi))
    }
}

/// A float as a number of the machine, or an infinity.
enum Machine {
    Finite(f64),
    Infinite,
}
use Machine::Finite;

/// A float of a format whose numbers are all numbers of the machine.
fn machine(format: Format, rank: Rank) -> Option<Machine> {
    let size = magnitude(rank);
    if format.exponent > Format::DOUBLE.exponent || format.significand > Format::DOUBLE.significand {
        return None;
    }
    if size >= infinity(format) {
        return Some(Machine::Infinite);
    }
    let number = match format {
        Format::SINGLE => f64::from(f32::from_bits(size as u32)),
        Format::DOUBLE => f64::from_bits(size as u64),
        _ => {
            let double = value(format, size).to_format(Format::DOUBLE, RoundingMode::NearestEven);
            f64::from_bits(double.bits.to_u64()?)
        }
    };
    Some(Finite(if rank < 0 { -number } else { number }))
}

/// A finite number.
fn real(format: Format, rank: Rank) -> Option<BigRational> {
    (magnitude(rank) < infinity(format)).then(|| value(format, rank).to_real()).flatten()
}

/// More than what is rounded off results in an interval: the distance of neighbours at its larger end. Beyond the
/// largest number it may be anything.
fn unit(format: Format, range: Interval) -> Option<BigRational> {
    let most = magnitude(range.lo).max(magnitude(range.hi));
    if most >= largest(format) {
        return None;
    }
    Some(real(format, most + 1)? - real(format, most)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Random, samples};
    use num_traits::Zero;

    /// `((a + b) - a) * c + b`, in all rounding modes: the result on points of a box lies in what is left of it.
    #[test]
    fn no_result_is_lost() {
        let mut random = Random(99);
        for format in [Format::new(3, 4), Format::HALF] {
            let width = format.width();
            let finite = |random: &mut Random| loop {
                let bits = random.up_to((1 << width) - 1);
                let float = FloatValue::from_bits(format, crate::boxes::float::bit_vector(width, bits));
                if float.to_real().is_some() {
                    return float;
                }
            };
            let mut narrowed = 0;
            for _ in 0..samples(100_000) {
                let factor = FloatValue::from_unsigned(format, &BitVec::new(3, 3), RoundingMode::NearestEven);
                let factor = if random.below(2) == 0 { factor } else { factor.neg() };
                let mode = RoundingMode::ALL[random.below(5)];
                let (a, b) = (finite(&mut random), finite(&mut random));
                let sum = a.add(&b, mode);
                let difference = sum.add(&a.neg(), mode);
                let product = difference.mul(&factor, mode);
                let z = product.add(&b, mode);
                let Some(ranks) = [&z, &a, &b, &sum, &difference, &product]
                    .map(rank)
                    .into_iter()
                    .collect::<Option<Vec<Rank>>>()
                else {
                    continue;
                };
                let c = factor.to_real().unwrap_or_default();
                let one = BigRational::from_integer(1.into());
                let form = Linear::new(
                    format,
                    vec![(BigRational::zero(), format), (&c + &one, format)],
                    vec![(c.clone(), format), (c, format), (one, format)],
                    BigRational::zero(),
                    Vec::new(),
                );
                let all = crate::boxes::float::numbers(format);
                let around = |random: &mut Random, rank: Rank| Interval {
                    lo: (rank - random.below(9) as Rank).max(all.lo),
                    hi: (rank + random.below(9) as Rank).min(all.hi),
                };
                let mut columns: Vec<Interval> =
                    ranks.iter().map(|&rank| around(&mut random, rank)).collect();
                columns[0] = all;
                assert_eq!(form.contract(&mut columns), Some(()), "{ranks:?}");
                assert!(columns[0].contains(ranks[0]), "{form:?} {columns:?} {ranks:?}");
                narrowed += usize::from(columns[0] != all);
            }
            assert!(narrowed > 0, "nothing is ever narrowed");
        }
    }
}
