//! Sums of floats as linear forms: what single operations forget.
//!
//! `(x + d) - x` is about `d`, but the intervals of `x + d` and of `x` do not know that. A float that is made of
//! others by sums, negations and products with constants is a linear form of them in real numbers, and what was
//! rounded off on the way: an affine form. Less than one unit in the last place goes with every result, in every
//! rounding mode. Where operands come several times, the form says more than the operations one by one.
//!
//! Only the result is narrowed, and only where everything is finite and the conditions of the form hold. Ranks
//! follow from ranks whatever the flags of NaN say, so flags do not matter.

use crate::boxes::float::{infinity, largest, magnitude, rank, value};
use crate::boxes::interval::{Interval, Rank};
use nilas_term::{FloatValue, Format, RoundingMode};
use num_rational::BigRational;
use num_traits::Signed;

/// A linear form. Its columns are `z`, the operands, and the results that were rounded on the way, all ranks;
/// at last the truth values that must be as the form takes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linear {
    /// The format of `z`.
    pub format: Format,
    /// The coefficients of the operands, and their formats.
    pub operands: Vec<(BigRational, Format)>,
    /// How often what was rounded off a result counts, and the format of the result.
    pub rounded: Vec<(BigRational, Format)>,
    /// What is added.
    pub constant: BigRational,
    /// What the truth values must be.
    pub conditions: Vec<bool>,
}

impl Linear {
    /// Narrows `z`; `None` when nothing is left of it.
    #[must_use]
    pub fn contract(&self, columns: &mut [Interval]) -> Option<()> {
        let Some((lo, hi)) = self.range(&columns[1..]) else { return Some(()) };
        let end = |number: &BigRational, mode: RoundingMode| {
            rank(&FloatValue::from_real(self.format, number, mode)).unwrap_or_default()
        };
        // Both zeros are 0.
        let lo = match end(&lo, RoundingMode::Down) {
            0 => -1,
            rank => rank,
        };
        let hi = match end(&hi, RoundingMode::Up) {
            -1 => 0,
            rank => rank,
        };
        columns[0] = columns[0].meet(Interval::new(lo, hi)?)?;
        Some(())
    }

    /// Between which numbers the exact sum lies, before it is rounded to `z`.
    fn range(&self, columns: &[Interval]) -> Option<(BigRational, BigRational)> {
        let (operands, results) = columns.split_at_checked(self.operands.len())?;
        let (results, conditions) = results.split_at_checked(self.rounded.len())?;
        let holds = |(&wanted, &truth): (&bool, &Interval)| truth == Interval::point(i128::from(wanted));
        if !self.conditions.iter().zip(conditions).all(holds) {
            return None;
        }
        let (mut lo, mut hi) = (self.constant.clone(), self.constant.clone());
        for ((coefficient, format), &range) in self.operands.iter().zip(operands) {
            let (low, high) = (real(*format, range.lo)?, real(*format, range.hi)?);
            let (one, other) = (coefficient * low, coefficient * high);
            let (less, more) = if coefficient.is_negative() { (other, one) } else { (one, other) };
            lo += less;
            hi += more;
        }
        for ((times, format), &range) in self.rounded.iter().zip(results) {
            let off = unit(*format, range)? * times.abs();
            lo -= &off;
            hi += off;
        }
        Some((lo, hi))
    }
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
    use nilas_term::BitVec;
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
                let form = Linear {
                    format,
                    operands: vec![(BigRational::zero(), format), (&c + &one, format)],
                    rounded: vec![(c.clone(), format), (c, format), (one, format)],
                    constant: BigRational::zero(),
                    conditions: Vec::new(),
                };
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
