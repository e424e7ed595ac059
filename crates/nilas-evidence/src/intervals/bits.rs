//! Intervals of bit-vectors, and what operators make of them.
//!
//! A bit-vector is read twice, without a sign and with one, and has an interval for each reading. Results that
//! may wrap around have the whole range of the reading.

use super::floats::number;
use nilas_term::{BitVec, Op};

/// An interval, empty if `lo > hi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) lo: i128,
    pub(super) hi: i128,
}

impl Span {
    fn meet(self, other: Span) -> Span {
        Span { lo: self.lo.max(other.lo), hi: self.hi.min(other.hi) }
    }

    fn join(self, other: Span) -> Span {
        match (self.lo <= self.hi, other.lo <= other.hi) {
            (false, _) => other,
            (_, false) => self,
            _ => Span { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) },
        }
    }

    fn is_one(self) -> bool {
        self.lo == self.hi
    }

    fn within(self, all: Span) -> bool {
        all.lo <= self.lo && self.hi <= all.hi
    }
}

/// The bit-vectors of a width whose readings lie in both intervals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bits {
    pub(super) unsigned: Span,
    pub(super) signed: Span,
    pub(super) width: u32,
}

/// Wider ones have no intervals: ends and their products must fit.
const MOST: u32 = 64;

impl Bits {
    pub(super) fn all(width: u32) -> Option<Bits> {
        let size = 1_i128 << width.min(MOST);
        let unsigned = Span { lo: 0, hi: size - 1 };
        let signed = Span { lo: -(size / 2), hi: size / 2 - 1 };
        (1..=MOST).contains(&width).then_some(Bits { unsigned, signed, width })
    }

    pub(super) fn one(value: &BitVec) -> Option<Bits> {
        let all = Bits::all(value.width())?;
        let number = number(value);
        Some(all.meet(Bits { unsigned: Span { lo: number, hi: number }, ..all }))
    }

    /// The signed reading of a bit-vector that is a little wider than [`MOST`].
    pub(super) fn one_wide(value: &BitVec) -> i128 {
        let number = number(value);
        if value.sign_bit() { number - (1 << value.width()) } else { number }
    }

    pub(super) fn is_empty(self) -> bool {
        self.unsigned.lo > self.unsigned.hi || self.signed.lo > self.signed.hi
    }

    pub(super) fn is_one(self) -> bool {
        self.unsigned.is_one()
    }

    /// What one reading says about the other.
    fn agreed(self) -> Bits {
        let Bits { mut unsigned, mut signed, width } = self;
        let size = 1_i128 << width;
        if unsigned.hi < size / 2 {
            signed = signed.meet(unsigned);
        } else if unsigned.lo >= size / 2 {
            signed = signed.meet(Span { lo: unsigned.lo - size, hi: unsigned.hi - size });
        }
        if signed.lo >= 0 {
            unsigned = unsigned.meet(signed);
        } else if signed.hi < 0 {
            unsigned = unsigned.meet(Span { lo: signed.lo + size, hi: signed.hi + size });
        }
        Bits { unsigned, signed, width }
    }

    pub(super) fn meet(self, other: Bits) -> Bits {
        let (unsigned, signed) = (self.unsigned.meet(other.unsigned), self.signed.meet(other.signed));
        let met = Bits { unsigned, signed, ..self };
        if met.is_empty() { met } else { met.agreed() }
    }

    pub(super) fn join(self, other: Bits) -> Bits {
        let (unsigned, signed) = (self.unsigned.join(other.unsigned), self.signed.join(other.signed));
        Bits { unsigned, signed, ..self }
    }

    /// Those of a width whose readings are such, where they have such readings.
    fn of(width: u32, unsigned: Option<Span>, signed: Option<Span>) -> Option<Bits> {
        let all = Bits::all(width)?;
        let unsigned = unsigned.filter(|span| span.within(all.unsigned)).unwrap_or(all.unsigned);
        let signed = signed.filter(|span| span.within(all.signed)).unwrap_or(all.signed);
        Some(Bits { unsigned, signed, width }.agreed())
    }

    /// Those with such a signed reading, all if it does not fit.
    pub(super) fn signed(width: u32, span: Span) -> Option<Bits> {
        Bits::of(width, None, Some(span))
    }

    /// Those with such an unsigned reading, all if it does not fit.
    pub(super) fn unsigned(width: u32, span: Span) -> Option<Bits> {
        Bits::of(width, Some(span), None)
    }
}

/// What an operator makes of a bit-vector; nothing if it is not known here.
pub(super) fn unary(op: Op, width: u32, x: Bits) -> Option<Bits> {
    let size = 1_i128.checked_shl(x.width)?;
    match op {
        Op::BvNot => {
            let flip = |span: Span, sum: i128| Some(Span { lo: sum - span.hi, hi: sum - span.lo });
            Bits::of(width, flip(x.unsigned, size - 1), flip(x.signed, -1))
        }
        Op::BvNeg => {
            let unsigned =
                (x.unsigned.lo > 0).then(|| Span { lo: size - x.unsigned.hi, hi: size - x.unsigned.lo });
            Bits::of(width, unsigned, Some(Span { lo: -x.signed.hi, hi: -x.signed.lo }))
        }
        Op::ZeroExtend(_) => Bits::of(width, Some(x.unsigned), None),
        Op::SignExtend(_) => Bits::of(width, None, Some(x.signed)),
        Op::Extract { lo, .. } => {
            let part = 1_i128 << width;
            let shifted = Span { lo: x.unsigned.lo >> lo, hi: x.unsigned.hi >> lo };
            let together = shifted.lo / part == shifted.hi / part;
            let unsigned = together.then(|| Span { lo: shifted.lo % part, hi: shifted.hi % part });
            // The lowest bits of a small number are that number.
            Bits::of(width, unsigned, Some(x.signed).filter(|_| lo == 0))
        }
        _ => None,
    }
}

/// The same for two.
pub(super) fn binary(op: Op, width: u32, x: Bits, y: Bits) -> Option<Bits> {
    let size = 1_i128.checked_shl(width)?;
    let (u, v, s, t) = (x.unsigned, y.unsigned, x.signed, y.signed);
    match op {
        Op::BvAdd => {
            let sum = Span { lo: u.lo + v.lo, hi: u.hi + v.hi };
            let wrapped = Span { lo: sum.lo - size, hi: sum.hi - size };
            let unsigned = if sum.lo >= size { wrapped } else { sum };
            Bits::of(width, Some(unsigned), Some(Span { lo: s.lo + t.lo, hi: s.hi + t.hi }))
        }
        Op::BvMul => {
            let unsigned = u.hi.checked_mul(v.hi).map(|hi| Span { lo: u.lo * v.lo, hi });
            Bits::of(width, unsigned, corners(s, t, i128::checked_mul))
        }
        Op::BvUdiv if v.lo > 0 => Bits::of(width, Some(Span { lo: u.lo / v.hi, hi: u.hi / v.lo }), None),
        Op::BvUrem if v.lo > 0 => {
            let small = if u.hi < v.lo { u } else { Span { lo: 0, hi: u.hi.min(v.hi - 1) } };
            Bits::of(width, Some(small), None)
        }
        // By zero it is the dividend.
        Op::BvUrem => Bits::of(width, Some(Span { lo: 0, hi: u.hi }), None),
        Op::BvSdiv if t.lo > 0 || t.hi < 0 => Bits::of(width, None, corners(s, t, i128::checked_div)),
        Op::BvSrem => {
            let most = if t.lo > 0 || t.hi < 0 { t.lo.abs().max(t.hi.abs()) - 1 } else { size };
            let (lo, hi) = (s.lo.min(0).max(-most), s.hi.max(0).min(most));
            Bits::of(width, None, Some(Span { lo, hi }))
        }
        Op::BvSmod if t.lo > 0 => Bits::of(width, None, Some(Span { lo: 0, hi: t.hi - 1 })),
        Op::BvSmod if t.hi < 0 => Bits::of(width, None, Some(Span { lo: t.lo + 1, hi: 0 })),
        Op::BvUdiv => {
            // By zero it is the greatest number.
            let lo = if v.hi > 0 { u.lo / v.hi } else { size - 1 };
            Bits::of(width, Some(Span { lo, hi: size - 1 }), None)
        }
        Op::BvShl if v.is_one() && v.lo < i128::from(width) => {
            let times = |span: Span| {
                let (lo, hi) = (span.lo.checked_mul(1 << v.lo)?, span.hi.checked_mul(1 << v.lo)?);
                Some(Span { lo, hi })
            };
            Bits::of(width, times(u), times(s))
        }
        Op::BvShl if v.hi < i128::from(width) => {
            let hi = u.hi.checked_mul(1 << v.hi)?;
            Bits::of(width, Some(Span { lo: u.lo << v.lo, hi }), None)
        }
        Op::BvLshr => {
            let by = |number: i128, distance: i128| if distance >= 127 { 0 } else { number >> distance };
            Bits::of(width, Some(Span { lo: by(u.lo, v.hi), hi: by(u.hi, v.lo) }), None)
        }
        Op::BvAshr => {
            let by = |number: i128, distance: i128| number >> distance.min(126);
            let ends = [by(s.lo, v.lo), by(s.lo, v.hi), by(s.hi, v.lo), by(s.hi, v.hi)];
            let (lo, hi) = (*ends.iter().min()?, *ends.iter().max()?);
            Bits::of(width, None, Some(Span { lo, hi }))
        }
        Op::BvAnd | Op::BvOr | Op::BvXor if u.is_one() && v.is_one() => {
            let result = match op {
                Op::BvAnd => u.lo & v.lo,
                Op::BvOr => u.lo | v.lo,
                _ => u.lo ^ v.lo,
            };
            Bits::of(width, Some(Span { lo: result, hi: result }), None)
        }
        Op::BvAnd => Bits::of(width, Some(Span { lo: 0, hi: u.hi.min(v.hi) }), None),
        Op::BvOr | Op::BvXor => {
            let lo = if op == Op::BvOr { u.lo.max(v.lo) } else { 0 };
            let hi = (u.hi.max(v.hi).cast_unsigned() + 1).next_power_of_two().cast_signed() - 1;
            Bits::of(width, Some(Span { lo, hi }), None)
        }
        Op::Concat => {
            let low = 1_i128.checked_shl(y.width)?;
            Bits::of(width, Some(Span { lo: u.lo * low + v.lo, hi: u.hi * low + v.hi }), None)
        }
        _ => None,
    }
}

/// The least and the greatest of an operation on ends; nothing if one does not fit.
fn corners(s: Span, t: Span, operation: fn(i128, i128) -> Option<i128>) -> Option<Span> {
    let all =
        [operation(s.lo, t.lo)?, operation(s.lo, t.hi)?, operation(s.hi, t.lo)?, operation(s.hi, t.hi)?];
    Some(Span { lo: *all.iter().min()?, hi: *all.iter().max()? })
}

/// Whether one interval lies below another one, with a gap between them (1 for *less*), where that is decided.
pub(super) fn below(x: Span, y: Span, gap: i128) -> Option<bool> {
    if x.hi + gap <= y.lo {
        Some(true)
    } else if x.lo + gap > y.hi {
        Some(false)
    } else {
        None
    }
}
