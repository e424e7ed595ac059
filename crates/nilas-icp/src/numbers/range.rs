//! Sets of mathematical numbers: intervals with exact ends, each of which may be open, or missing.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;

/// Where an interval ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct End {
    pub(super) at: BigRational,
    /// Whether the number itself is left out.
    pub(super) open: bool,
}

impl End {
    pub(super) fn closed(at: BigRational) -> End {
        End { at, open: false }
    }

    fn plus(&self, other: &End) -> End {
        End { at: &self.at + &other.at, open: self.open || other.open }
    }

    fn negated(&self) -> End {
        End { at: -&self.at, open: self.open }
    }
}

/// An interval. A missing end is infinite. It may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) lo: Option<End>,
    pub(super) hi: Option<End>,
}

/// An end of an interval as a factor: infinite ends have a sign.
#[derive(Clone, Debug)]
enum Factor {
    Finite(End),
    Infinite { negative: bool },
}

impl Factor {
    fn sign(&self) -> i32 {
        match self {
            Factor::Finite(end) if end.at.is_zero() => 0,
            Factor::Finite(end) if end.at.is_negative() => -1,
            Factor::Infinite { negative: true } => -1,
            _ => 1,
        }
    }

    fn times(&self, other: &Factor) -> Factor {
        let zero = |factor: &Factor| matches!(factor, Factor::Finite(end) if end.at.is_zero() && !end.open);
        match (self, other) {
            (Factor::Finite(one), Factor::Finite(two)) => {
                // A zero that is in the interval makes the product zero with whatever the other is.
                let open = (one.open || two.open) && !zero(self) && !zero(other);
                Factor::Finite(End { at: &one.at * &two.at, open })
            }
            _ if self.sign() == 0 || other.sign() == 0 => {
                let open = !zero(self) && !zero(other);
                Factor::Finite(End { at: BigRational::zero(), open })
            }
            _ => Factor::Infinite { negative: self.sign() * other.sign() < 0 },
        }
    }
}

impl Range {
    pub(super) const ALL: Range = Range { lo: None, hi: None };

    pub(super) fn point(number: BigRational) -> Range {
        Range { lo: Some(End::closed(number.clone())), hi: Some(End::closed(number)) }
    }

    pub(super) fn closed(lo: BigRational, hi: BigRational) -> Range {
        Range { lo: Some(End::closed(lo)), hi: Some(End::closed(hi)) }
    }

    /// The one number that is left.
    pub(super) fn value(&self) -> Option<&BigRational> {
        match (&self.lo, &self.hi) {
            (Some(lo), Some(hi)) if lo == hi && !lo.open => Some(&lo.at),
            _ => None,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        match (&self.lo, &self.hi) {
            (Some(lo), Some(hi)) => match lo.at.cmp(&hi.at) {
                Ordering::Less => false,
                Ordering::Equal => lo.open || hi.open,
                Ordering::Greater => true,
            },
            _ => false,
        }
    }

    pub(super) fn contains(&self, number: &BigRational) -> bool {
        !self.meet(&Range::point(number.clone())).is_empty()
    }

    pub(super) fn meet(&self, other: &Range) -> Range {
        Range { lo: inner(&self.lo, &other.lo, false), hi: inner(&self.hi, &other.hi, true) }
    }

    pub(super) fn join(&self, other: &Range) -> Range {
        if self.is_empty() {
            return other.clone();
        }
        if other.is_empty() {
            return self.clone();
        }
        Range { lo: outer(&self.lo, &other.lo, true), hi: outer(&self.hi, &other.hi, false) }
    }

    pub(super) fn negated(&self) -> Range {
        let end = |end: &Option<End>| end.as_ref().map(End::negated);
        Range { lo: end(&self.hi), hi: end(&self.lo) }
    }

    pub(super) fn plus(&self, other: &Range) -> Range {
        let sum = |one: &Option<End>, two: &Option<End>| Some(one.as_ref()?.plus(two.as_ref()?));
        Range { lo: sum(&self.lo, &other.lo), hi: sum(&self.hi, &other.hi) }
    }

    pub(super) fn minus(&self, other: &Range) -> Range {
        self.plus(&other.negated())
    }

    fn factors(&self) -> [Factor; 2] {
        let factor = |end: &Option<End>, negative: bool| match end {
            Some(end) => Factor::Finite(end.clone()),
            None => Factor::Infinite { negative },
        };
        [factor(&self.lo, true), factor(&self.hi, false)]
    }

    pub(super) fn times(&self, other: &Range) -> Range {
        let (own, others) = (self.factors(), other.factors());
        let corners: Vec<Factor> =
            own.iter().flat_map(|one| others.iter().map(|two| one.times(two))).collect();
        let end = |lower: bool| {
            let mut found: Option<Option<End>> = None;
            for corner in &corners {
                match corner {
                    Factor::Infinite { negative } if *negative == lower => return None,
                    Factor::Infinite { .. } => {}
                    Factor::Finite(end) => {
                        let end = Some(end.clone());
                        found = Some(found.map_or_else(|| end.clone(), |so_far| outer(&so_far, &end, lower)));
                    }
                }
            }
            found.flatten()
        };
        Range { lo: end(true), hi: end(false) }
    }

    /// The square, which is never negative.
    pub(super) fn square(&self) -> Range {
        self.times(self).meet(&Range { lo: Some(End::closed(BigRational::zero())), hi: None })
    }

    /// Whether zero is outside.
    pub(super) fn excludes_zero(&self) -> bool {
        !self.contains(&BigRational::zero())
    }

    /// All `1 / x`; nothing is known where zero is inside.
    pub(super) fn inverse(&self) -> Range {
        let one = |end: &End| End { at: BigRational::one() / &end.at, open: end.open };
        let zero = || Some(End { at: BigRational::zero(), open: true });
        let positive = |lo: &Option<End>, hi: &Option<End>| {
            let hi_of = match lo {
                Some(lo) if !lo.at.is_zero() => Some(one(lo)),
                _ => None,
            };
            Range { lo: hi.as_ref().map_or_else(zero, |hi| Some(one(hi))), hi: hi_of }
        };
        if !self.excludes_zero() {
            return Range::ALL;
        }
        match (&self.lo, &self.hi) {
            (Some(lo), hi) if !lo.at.is_negative() => positive(&self.lo, hi),
            _ => {
                let other = self.negated();
                positive(&other.lo, &other.hi).negated()
            }
        }
    }

    /// Numbers whose square is in the interval, from above rounded outward.
    pub(super) fn roots(&self) -> Range {
        match &self.hi {
            Some(hi) if !hi.at.is_negative() => {
                let most = root_up(&hi.at);
                Range::closed(-most.clone(), most)
            }
            _ => Range::ALL,
        }
    }

    pub(super) fn absolute(&self) -> Range {
        let zero = BigRational::zero();
        let not_negative = Range { lo: Some(End::closed(zero.clone())), hi: None };
        match (&self.lo, &self.hi) {
            (Some(lo), _) if !lo.at.is_negative() => self.clone(),
            (_, Some(hi)) if !hi.at.is_positive() => self.negated(),
            _ => self.join(&self.negated()).meet(&not_negative),
        }
    }

    /// The greatest integers that are not above.
    pub(super) fn floor(&self) -> Range {
        let lo = self.lo.as_ref().map(|end| End::closed(end.at.floor()));
        let hi = self.hi.as_ref().map(|end| {
            let below = if end.open { end.at.ceil() - BigRational::one() } else { end.at.floor() };
            End::closed(below)
        });
        Range { lo, hi }
    }

    /// The integers in it.
    pub(super) fn integers(&self) -> Range {
        let lo = self.lo.as_ref().map(|end| {
            let above = if end.open { end.at.floor() + BigRational::one() } else { end.at.ceil() };
            End::closed(above)
        });
        Range { lo, hi: self.floor().hi }
    }

    /// How far the ends are apart, if there are two.
    pub(super) fn width(&self) -> Option<BigRational> {
        Some(&self.hi.as_ref()?.at - &self.lo.as_ref()?.at)
    }

    /// An interval around it with ends of few digits.
    pub(super) fn coarse(&self) -> Range {
        let end = |end: &Option<End>, up: bool| {
            let end = end.as_ref()?;
            if end.at.denom().bits() <= DIGITS && end.at.numer().bits() <= 2 * DIGITS {
                return Some(end.clone());
            }
            let scale = BigRational::from_integer(num_bigint::BigInt::one() << DIGITS);
            let scaled = &end.at * &scale;
            let whole = if up { scaled.ceil() } else { scaled.floor() };
            Some(End::closed(whole / scale))
        };
        Range { lo: end(&self.lo, false), hi: end(&self.hi, true) }
    }
}

/// Digits of ends, in bits.
const DIGITS: u64 = 64;

/// The end that is farther in.
fn inner(one: &Option<End>, two: &Option<End>, upper: bool) -> Option<End> {
    match (one, two) {
        (Some(one), Some(two)) => {
            let order = if upper { two.at.cmp(&one.at) } else { one.at.cmp(&two.at) };
            Some(match order {
                Ordering::Less => two.clone(),
                Ordering::Greater => one.clone(),
                Ordering::Equal => End { at: one.at.clone(), open: one.open || two.open },
            })
        }
        (one, two) => one.clone().or_else(|| two.clone()),
    }
}

/// The end that is farther out.
fn outer(one: &Option<End>, two: &Option<End>, lower: bool) -> Option<End> {
    let (one, two) = (one.as_ref()?, two.as_ref()?);
    let order = if lower { one.at.cmp(&two.at) } else { two.at.cmp(&one.at) };
    Some(match order {
        Ordering::Less => one.clone(),
        Ordering::Greater => two.clone(),
        Ordering::Equal => End { at: one.at.clone(), open: one.open && two.open },
    })
}

/// At least the square root of a number that is not negative.
fn root_up(number: &BigRational) -> BigRational {
    let scale = num_bigint::BigInt::one() << DIGITS;
    let scaled = (number * BigRational::from_integer(&scale * &scale)).ceil().to_integer();
    let root = scaled.sqrt();
    let root = if &root * &root < scaled { root + 1 } else { root };
    BigRational::new(root, scale)
}
