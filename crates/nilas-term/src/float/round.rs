//! Rounding: the one way from exact numbers to floats.

use super::{Format, Number};
use crate::bitvec::BitVec;
use crate::value::{FloatValue, RoundingMode};
use num_bigint::BigUint;
use num_traits::{One, Zero};

impl RoundingMode {
    /// All modes.
    pub const ALL: [RoundingMode; 5] = [
        RoundingMode::NearestEven,
        RoundingMode::NearestAway,
        RoundingMode::Up,
        RoundingMode::Down,
        RoundingMode::TowardZero,
    ];

    /// Whether a magnitude is rounded away from zero, by the last bit kept, the first bit dropped, and
    /// whether there is anything below that.
    pub(crate) fn increments(self, negative: bool, last: bool, half: bool, below: bool) -> bool {
        match self {
            RoundingMode::NearestEven => half && (below || last),
            RoundingMode::NearestAway => half,
            RoundingMode::Up => !negative && (half || below),
            RoundingMode::Down => negative && (half || below),
            RoundingMode::TowardZero => false,
        }
    }

    /// Whether what is too large becomes infinite, rather than the largest number.
    fn overflows_to_infinity(self, negative: bool) -> bool {
        match self {
            RoundingMode::NearestEven | RoundingMode::NearestAway => true,
            RoundingMode::Up => !negative,
            RoundingMode::Down => negative,
            RoundingMode::TowardZero => false,
        }
    }

    /// Whether a sum that is exactly zero, of operands that are not zeros of one sign, is −0.
    pub(crate) fn zero_is_negative(self) -> bool {
        self == RoundingMode::Down
    }
}

/// A magnitude cut at a power of two.
pub(crate) struct Cut {
    /// The magnitude divided by the power, rounded towards zero.
    pub(crate) kept: BigUint,
    /// The bit below.
    pub(crate) half: bool,
    /// Whether anything is below that bit.
    pub(crate) below: bool,
}

/// `significand / 2^places`, where `sticky` says that the magnitude is more than the significand by less than
/// one. With `places` negative it is a multiplication, and `sticky` is not allowed.
pub(crate) fn cut(significand: &BigUint, places: i64, sticky: bool) -> Cut {
    match u64::try_from(places) {
        Err(_) => {
            debug_assert!(!sticky, "what is below the last bit is lost");
            Cut { kept: significand << places.unsigned_abs(), half: false, below: false }
        }
        Ok(0) => Cut { kept: significand.clone(), half: false, below: sticky },
        Ok(places) if places > significand.bits() => {
            Cut { kept: BigUint::zero(), half: false, below: sticky || !significand.is_zero() }
        }
        Ok(places) => Cut {
            kept: significand >> places,
            half: significand.bit(places - 1),
            below: sticky || significand.trailing_zeros().is_some_and(|zeros| zeros < places - 1),
        },
    }
}

impl FloatValue {
    /// The float for a number. `sticky` says that the magnitude is more than the significand by less than
    /// one; then the significand has at least one bit more than the format's. A zero keeps its sign.
    pub(crate) fn round(format: Format, mode: RoundingMode, number: &Number, sticky: bool) -> Self {
        let Number { negative, significand, exponent } = number;
        let negative = *negative;
        if number.is_zero() && !sticky {
            return Self::zero(format, negative);
        }
        // Where the last bit that is kept stands: subnormals keep fewer bits.
        let length = i64::try_from(significand.bits()).unwrap_or(i64::MAX);
        let last = (exponent + length - i64::from(format.significand)).max(format.least_exponent());
        let Cut { mut kept, half, below } = cut(significand, last - exponent, sticky);
        if mode.increments(negative, kept.bit(0), half, below) {
            kept += BigUint::one();
        }
        // In the IEEE layout the hidden bit adds one to the exponent field, and so does the carry of the
        // increment.
        let base = last - format.least_exponent();
        let layout = (BigUint::from(base.unsigned_abs()) << format.fraction()) + kept;
        let infinity = Self::infinity(format, negative);
        if layout >= BitVec::ones(format.exponent).to_big() << format.fraction() {
            return if mode.overflows_to_infinity(negative) {
                infinity
            } else {
                Self::largest(format, negative)
            };
        }
        let magnitude = BitVec::from_big(format.width() - 1, layout);
        let bits = BitVec::new(1, u64::from(negative)).concat(&magnitude);
        FloatValue { exponent: format.exponent, significand: format.significand, bits }
    }
}
