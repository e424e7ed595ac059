//! Sums of floats as linear forms.
//!
//! A float that is made of others by sums, negations and products with constants is, in real numbers, a linear
//! form of them and of what was rounded off the results on the way. If all of it is finite, less than the distance
//! to the next larger number was rounded off each of them, whatever the rounding mode. So the exact sum lies
//! between two rational numbers, and the float between these, rounded outward. What cancels out stays in a form
//! with the coefficient 0: it must be finite, too.
//!
//! Trusted: all of this file.

use super::Node;
use super::floats::{Floats, infinity, value};
use super::known::Known;
use nilas_term::{Arena, Format, Op, RoundingMode, Sort, Value};
use num_rational::BigRational;
use std::collections::BTreeMap;

/// Forms with more parts are not followed.
const MOST: usize = 24;

/// Coefficients by the numbers of terms.
type Parts = BTreeMap<usize, BigRational>;

/// See the module's text.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    operands: Parts,
    rounded: Parts,
    constant: BigRational,
}

fn integer(number: i8) -> BigRational {
    BigRational::from_integer(number.into())
}

impl Linear {
    fn constant(constant: BigRational) -> Linear {
        Linear { operands: Parts::new(), rounded: Parts::new(), constant }
    }

    fn as_constant(&self) -> Option<&BigRational> {
        (self.operands.is_empty() && self.rounded.is_empty()).then_some(&self.constant)
    }

    fn times(&self, factor: &BigRational) -> Linear {
        let scaled = |parts: &Parts| parts.iter().map(|(&number, it)| (number, it * factor)).collect();
        Linear {
            operands: scaled(&self.operands),
            rounded: scaled(&self.rounded),
            constant: &self.constant * factor,
        }
    }

    fn plus(&self, other: &Linear) -> Linear {
        let mut sum = self.clone();
        sum.constant += &other.constant;
        for (own, others) in [(&mut sum.operands, &other.operands), (&mut sum.rounded, &other.rounded)] {
            for (&number, coefficient) in others {
                *own.entry(number).or_insert_with(|| integer(0)) += coefficient;
            }
        }
        sum
    }

    /// What of a sum's values is left.
    pub(super) fn narrowed(&self, made: Known, known: &[Known]) -> Known {
        let Known::Float(floats) = made else { return made };
        let Some((lo, hi)) = self.range(known) else { return made };
        let end = |number: &BigRational, mode: RoundingMode| {
            let float = nilas_term::FloatValue::from_real(floats.format, number, mode);
            Floats::one(&float).filter(|it| it.numbers()).map(|it| it.lo)
        };
        let ends = (end(&lo, RoundingMode::Down), end(&hi, RoundingMode::Up));
        let (Some(lo), Some(hi)) = ends else { return made };
        // Both zeros are 0.
        let (lo, hi) = (if lo == 0 { -1 } else { lo }, if hi == -1 { 0 } else { hi });
        Known::Float(floats.meet(Floats { lo, hi, nan: false, ..floats }))
    }

    /// Between which numbers the sum lies before it is rounded; nothing if something may not be finite.
    fn range(&self, known: &[Known]) -> Option<(BigRational, BigRational)> {
        let (mut lo, mut hi) = (self.constant.clone(), self.constant.clone());
        for (&number, coefficient) in &self.operands {
            let floats = finite(known[number])?;
            let ends = [floats.lo, floats.hi].map(|rank| value(floats.format, rank).to_real());
            let [Some(low), Some(high)] = ends else { return None };
            let (one, two) = (coefficient * low, coefficient * high);
            lo += (&one).min(&two);
            hi += (&one).max(&two);
        }
        for (&number, coefficient) in &self.rounded {
            let floats = finite(known[number])?;
            let size = |rank: i128| if rank < 0 { -1 - rank } else { rank };
            let most = size(floats.lo).max(size(floats.hi));
            // The largest number may stand for anything beyond it.
            if most + 1 >= infinity(floats.format) {
                return None;
            }
            let next = value(floats.format, most + 1).to_real()?;
            let off = (next - value(floats.format, most).to_real()?) * coefficient;
            let off = (&off).max(&(-&off)).clone();
            lo -= &off;
            hi += off;
        }
        Some((lo, hi))
    }
}

/// A set of numbers that are all finite.
fn finite(known: Known) -> Option<Floats> {
    let Known::Float(floats) = known else { return None };
    let top = infinity(floats.format);
    (floats.numbers() && !floats.nan && floats.lo > -1 - top && floats.hi < top).then_some(floats)
}

/// Finds the sums whose operands have something in common, and gives them their forms.
pub(super) fn find(arena: &Arena, nodes: &mut [Node]) {
    let mut forms: Vec<Option<Linear>> = Vec::with_capacity(nodes.len());
    for (number, node) in nodes.iter_mut().enumerate() {
        let Sort::Float(exponent, significand) = node.sort else {
            forms.push(None);
            continue;
        };
        if Floats::all(Format::new(exponent, significand)).is_none() {
            forms.push(None);
            continue;
        }
        let itself = || {
            let operands = [(number, integer(1))].into_iter().collect();
            Linear { operands, rounded: Parts::new(), constant: integer(0) }
        };
        let of = |at: usize| node.children.get(at).and_then(|&child| forms[child].as_ref());
        let mut shared = None;
        let made = match node.op {
            Op::Const(id) => match arena.value(id) {
                Value::Float(float) => float.to_real().map(Linear::constant),
                _ => None,
            },
            Op::FpNeg => of(0).map(|form| form.times(&integer(-1))),
            Op::FpAdd => of(1).zip(of(2)).map(|(left, right)| {
                let mut sum = left.plus(right);
                if left.operands.keys().any(|part| right.operands.contains_key(part)) {
                    shared = Some(sum.clone());
                }
                sum.rounded.insert(number, integer(1));
                sum
            }),
            Op::FpMul => of(1).zip(of(2)).and_then(|(left, right)| {
                let mut product = match (left.as_constant(), right.as_constant()) {
                    (Some(factor), _) => right.times(factor),
                    (_, Some(factor)) => left.times(factor),
                    _ => return None,
                };
                product.rounded.insert(number, integer(1));
                Some(product)
            }),
            _ => None,
        };
        let small = |form: &Linear| form.operands.len() + form.rounded.len() <= MOST;
        node.linear = shared.filter(small);
        forms.push(Some(made.filter(small).unwrap_or_else(itself)));
    }
}
