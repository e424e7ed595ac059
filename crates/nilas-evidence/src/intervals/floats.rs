//! Intervals of floats, and what operators make of them.
//!
//! Floats are ordered by *rank*: `-∞ < … < -0 < +0 < … < +∞`, each one step from the next. NaN is beside the
//! interval. All operations here round, and rounding is monotone; so where the exact operation is monotone in
//! an operand, its ends give the ends of the result. Signs of zeros are the exception, so a result that ends at
//! a zero has both.

use super::bits::Span;
use nilas_term::{BitVec, FloatValue, Format, RoundingMode};

/// The ranks from `lo` to `hi`, none if `lo > hi`, and perhaps NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Floats {
    pub(super) lo: i128,
    pub(super) hi: i128,
    pub(super) nan: bool,
    pub(super) format: Format,
}

/// The number of an unsigned bit-vector of at most 127 bits.
pub(super) fn number(bits: &BitVec) -> i128 {
    let low = |bits: &BitVec| i128::from(bits.to_u64().unwrap_or_default());
    match bits.width() {
        0..=64 => low(bits),
        width => low(&bits.extract(width - 1, 64)) << 64 | low(&bits.extract(63, 0)),
    }
}

/// The bit-vector of a number that is not negative.
pub(super) fn bit_vector(width: u32, number: i128) -> BitVec {
    let part = |width: u32, number: i128| BitVec::new(width, (number & i128::from(u64::MAX)) as u64);
    match width {
        0..=64 => part(width, number),
        _ => part(width - 64, number >> 64).concat(&part(64, number)),
    }
}

/// The rank of a float that is a number.
fn rank(value: &FloatValue) -> i128 {
    let width = value.format().width();
    let magnitude = number(&value.bits.extract(width - 2, 0));
    if value.sign() { -1 - magnitude } else { magnitude }
}

/// The float of a rank.
pub(super) fn value(format: Format, rank: i128) -> FloatValue {
    let magnitude = if rank < 0 { -1 - rank } else { rank };
    let sign = BitVec::new(1, u64::from(rank < 0));
    FloatValue::from_bits(format, sign.concat(&bit_vector(format.width() - 1, magnitude)))
}

/// Ranks as IEEE compares them: both zeros are 0.
pub(super) fn key(rank: i128) -> i128 {
    if rank < 0 { rank + 1 } else { rank }
}

/// The least rank with a key.
pub(super) fn least(key: i128) -> i128 {
    if key <= 0 { key - 1 } else { key }
}

/// The greatest rank with a key.
pub(super) fn greatest(key: i128) -> i128 {
    if key < 0 { key - 1 } else { key }
}

impl Floats {
    /// Everything; nothing for formats that are too wide.
    pub(super) fn all(format: Format) -> Option<Floats> {
        (format.width() <= 127).then(|| {
            let top = infinity(format);
            Floats { lo: -1 - top, hi: top, nan: true, format }
        })
    }

    pub(super) fn one(value: &FloatValue) -> Option<Floats> {
        let all = Floats::all(value.format())?;
        if value.is_nan() {
            return Some(Floats { lo: 1, hi: 0, ..all });
        }
        let rank = rank(value);
        Some(Floats { lo: rank, hi: rank, nan: false, ..all })
    }

    pub(super) fn is_empty(self) -> bool {
        self.lo > self.hi && !self.nan
    }

    pub(super) fn is_one(self) -> bool {
        if self.nan { self.lo > self.hi } else { self.lo == self.hi }
    }

    /// Whether there are numbers.
    pub(super) fn numbers(self) -> bool {
        self.lo <= self.hi
    }

    pub(super) fn meet(self, other: Floats) -> Floats {
        Floats { lo: self.lo.max(other.lo), hi: self.hi.min(other.hi), nan: self.nan && other.nan, ..self }
    }

    pub(super) fn join(self, other: Floats) -> Floats {
        let nan = self.nan || other.nan;
        match (self.numbers(), other.numbers()) {
            (true, true) => Floats { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi), nan, ..self },
            (false, _) => Floats { nan, ..other },
            _ => Floats { nan, ..self },
        }
    }

    fn has_zero(self) -> bool {
        self.lo <= 0 && self.hi >= -1
    }

    fn has_infinity(self) -> bool {
        let top = infinity(self.format);
        self.numbers() && (self.hi == top || self.lo == -1 - top)
    }

    fn ends(self) -> [FloatValue; 2] {
        [self.lo, self.hi].map(|rank| value(self.format, rank))
    }

    /// What lies between the least and the greatest of some results, and perhaps NaN. A NaN among them stands
    /// for an end that is not known.
    fn around(format: Format, results: &[FloatValue], nan: bool) -> Floats {
        let top = infinity(format);
        let lo = results.iter().map(|it| if it.is_nan() { -1 - top } else { rank(it) }).min();
        let hi = results.iter().map(|it| if it.is_nan() { top } else { rank(it) }).max();
        Floats::widened(format, lo.unwrap_or(1), hi.unwrap_or(0), nan)
    }

    /// A result that ends at a zero has both.
    fn widened(format: Format, lo: i128, hi: i128, nan: bool) -> Floats {
        let numbers = lo <= hi;
        let lo = if numbers && lo == 0 { -1 } else { lo };
        let hi = if numbers && hi == -1 { 0 } else { hi };
        Floats { lo, hi, nan, format }
    }

    fn none(format: Format, nan: bool) -> Floats {
        Floats { lo: 1, hi: 0, nan, format }
    }

    pub(super) fn negated(self) -> Floats {
        match self.numbers() {
            true => Floats { lo: -1 - self.hi, hi: -1 - self.lo, ..self },
            false => self,
        }
    }

    pub(super) fn absolute(self) -> Floats {
        if !self.numbers() || self.lo >= 0 {
            self
        } else if self.hi < 0 {
            self.negated()
        } else {
            Floats { lo: 0, hi: self.hi.max(-1 - self.lo), ..self }
        }
    }

    pub(super) fn add(self, other: Floats, mode: RoundingMode) -> Floats {
        let top = infinity(self.format);
        let opposite = |one: Floats, two: Floats| one.hi == top && two.lo == -1 - top;
        let nan = self.nan || other.nan;
        if !self.numbers() || !other.numbers() {
            return Floats::none(self.format, nan);
        }
        let ([a, b], [c, d]) = (self.ends(), other.ends());
        let nan = nan || opposite(self, other) || opposite(other, self);
        Floats::around(self.format, &[a.add(&c, mode), b.add(&d, mode)], nan)
    }

    /// Zero times infinity is NaN; but next to it lie products of numbers next to zero, so zero is an end.
    fn corner(product: FloatValue) -> FloatValue {
        if product.is_nan() { FloatValue::zero(product.format(), false) } else { product }
    }

    pub(super) fn multiply(self, other: Floats, mode: RoundingMode) -> Floats {
        let nan = self.nan || other.nan;
        if !self.numbers() || !other.numbers() {
            return Floats::none(self.format, nan);
        }
        let (x, y) = (self.ends(), other.ends());
        let nan = nan || self.has_zero() && other.has_infinity() || self.has_infinity() && other.has_zero();
        let products = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(i, j)| Floats::corner(x[i].mul(&y[j], mode)));
        Floats::around(self.format, &products, nan)
    }

    pub(super) fn divide(self, other: Floats, mode: RoundingMode) -> Floats {
        let nan = self.nan || other.nan;
        if !self.numbers() || !other.numbers() {
            return Floats::none(self.format, nan);
        }
        let nan = nan || self.has_zero() && other.has_zero() || self.has_infinity() && other.has_infinity();
        // Where neither operand changes its sign, quotients are monotone.
        let mut quotients = Vec::with_capacity(16);
        for x in self.by_sign() {
            for y in other.by_sign() {
                let (x, y) = (x.ends(), y.ends());
                let corners = [(0, 0), (0, 1), (1, 0), (1, 1)];
                // As with products: what has no quotient lies next to some that are next to zero. Zero by zero
                // lies next to others of its sign, too: they lie between the other corners.
                quotients.extend(corners.map(|(i, j)| Floats::corner(x[i].div(&y[j], mode))));
            }
        }
        Floats::around(self.format, &quotients, nan)
    }

    /// The part with the sign and the part without, as far as there are numbers in them.
    fn by_sign(self) -> impl Iterator<Item = Floats> {
        let parts = [Floats { hi: self.hi.min(-1), ..self }, Floats { lo: self.lo.max(0), ..self }];
        parts.into_iter().filter(|part| part.numbers())
    }

    /// The remainder: not larger than either operand, and NaN for infinities and by zero.
    pub(super) fn remainder(self, other: Floats) -> Floats {
        let nan = self.nan || other.nan || self.has_infinity() || other.has_zero();
        if !self.numbers() || !other.numbers() {
            return Floats::none(self.format, nan);
        }
        let size = |it: Floats| it.hi.max(-1 - it.lo);
        // Of infinity there is none.
        let most = size(self).min(size(other)).min(infinity(self.format) - 1);
        Floats { lo: -1 - most, hi: most, nan, format: self.format }
    }

    /// The floats of IEEE bits between two numbers; nothing for formats that are too wide.
    pub(super) fn of_bits(format: Format, bits: Span) -> Option<Floats> {
        let all = Floats::all(format)?;
        let (half, top) = (1_i128 << (format.width() - 1), infinity(format));
        let mut found = Floats::none(format, false);
        // Without the sign ranks rise with the bits, with it they fall; beyond infinity lie the NaNs.
        for (from, to, sign) in [(0, half - 1, false), (half, 2 * half - 1, true)] {
            let (lo, hi) = (bits.lo.max(from) - from, bits.hi.min(to) - from);
            if lo > hi {
                continue;
            }
            let most = hi.min(top);
            let part = if sign { (-1 - most, -1 - lo) } else { (lo, most) };
            let numbers = if lo <= top { part } else { (1, 0) };
            found = found.join(Floats { lo: numbers.0, hi: numbers.1, nan: hi > top, ..all });
        }
        Some(found)
    }

    /// The IEEE bits of these floats, between two numbers.
    pub(super) fn bits(self) -> Option<Span> {
        let half = 1_i128 << (self.format.width() - 1);
        let mut ends: Vec<i128> = Vec::new();
        for part in self.by_sign() {
            let of = |rank: i128| if rank < 0 { half - 1 - rank } else { rank };
            ends.extend([of(part.lo), of(part.hi)]);
        }
        if self.nan {
            ends.push(number(&FloatValue::nan(self.format).bits));
        }
        Some(Span { lo: *ends.iter().min()?, hi: *ends.iter().max()? })
    }

    pub(super) fn fused(self, factor: Floats, addend: Floats, mode: RoundingMode) -> Floats {
        let operands = [self, factor, addend];
        let nan = operands.iter().any(|it| it.nan || it.has_infinity());
        if operands.iter().any(|it| !it.numbers()) {
            return Floats::none(self.format, nan);
        }
        let (x, y, z) = (self.ends(), factor.ends(), addend.ends());
        let corners = [(0, 0), (0, 1), (1, 0), (1, 1)];
        let mut results = Vec::with_capacity(8);
        for end in &z {
            results.extend(corners.iter().map(|&(i, j)| x[i].fma(&y[j], end, mode)));
        }
        Floats::around(self.format, &results, nan)
    }

    pub(super) fn root(self, mode: RoundingMode) -> Floats {
        let nan = self.nan || self.numbers() && self.lo < -1;
        let (lo, hi) = (self.lo.max(-1), self.hi);
        if lo > hi {
            return Floats::none(self.format, nan);
        }
        let ends = [lo, hi].map(|rank| value(self.format, rank).sqrt(mode));
        Floats::around(self.format, &ends, nan)
    }

    pub(super) fn to_integral(self, mode: RoundingMode) -> Floats {
        self.monotone(self.format, |it| it.round_to_integral(mode))
    }

    pub(super) fn to_format(self, format: Format, mode: RoundingMode) -> Floats {
        self.monotone(format, |it| it.to_format(format, mode))
    }

    fn monotone(self, format: Format, operation: impl Fn(&FloatValue) -> FloatValue) -> Floats {
        if !self.numbers() {
            return Floats::none(format, self.nan);
        }
        Floats::around(format, &self.ends().map(|it| operation(&it)), self.nan)
    }

    /// The lesser one of two, and the other one where one is NaN.
    pub(super) fn minimum(self, other: Floats) -> Floats {
        let both = match self.numbers() && other.numbers() {
            true => Floats::widened(self.format, self.lo.min(other.lo), self.hi.min(other.hi), false),
            false => Floats::none(self.format, false),
        };
        let mut result = Floats { nan: self.nan && other.nan, ..both };
        if self.nan {
            result = result.join(Floats { nan: false, ..other });
        }
        if other.nan {
            result = result.join(Floats { nan: false, ..self });
        }
        Floats { nan: self.nan && other.nan, ..result }
    }

    pub(super) fn maximum(self, other: Floats) -> Floats {
        self.negated().minimum(other.negated()).negated()
    }

    /// The integers of an interval, rounded.
    pub(super) fn of_integers(format: Format, ends: &[FloatValue; 2]) -> Floats {
        Floats::around(format, ends, false)
    }

    /// Whether it is less than (or equal to, for `gap` 0) the other one, where that is decided.
    pub(super) fn less(self, other: Floats, gap: i128) -> Option<bool> {
        let numbers = self.numbers() && other.numbers();
        if !numbers || key(self.lo) + gap > key(other.hi) {
            return Some(false);
        }
        let always = !self.nan && !other.nan && key(self.hi) + gap <= key(other.lo);
        always.then_some(true)
    }

    /// Whether IEEE calls them equal, where that is decided.
    pub(super) fn same(self, other: Floats) -> Option<bool> {
        let numbers = self.numbers() && other.numbers();
        let apart = || key(self.hi) < key(other.lo) || key(other.hi) < key(self.lo);
        if !numbers || apart() {
            return Some(false);
        }
        let points = key(self.lo) == key(self.hi) && key(other.lo) == key(other.hi);
        (points && !self.nan && !other.nan).then_some(true)
    }

    /// Whether all of it, or nothing of it, has a rank between two.
    pub(super) fn within(self, lo: i128, hi: i128) -> Option<bool> {
        if !self.numbers() || self.hi < lo || self.lo > hi {
            return Some(false);
        }
        (!self.nan && lo <= self.lo && self.hi <= hi).then_some(true)
    }
}

/// The rank of infinity.
pub(super) fn infinity(format: Format) -> i128 {
    rank(&FloatValue::infinity(format, false))
}
