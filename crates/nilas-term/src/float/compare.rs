//! Classification, order, minimum and maximum.

use crate::value::FloatValue;
use std::cmp::Ordering;

impl FloatValue {
    /// Is it not a number?
    #[must_use]
    pub fn is_nan(&self) -> bool {
        self.exponent_field().is_ones() && !self.fraction_field().is_zero()
    }

    /// Is it infinite?
    #[must_use]
    pub fn is_infinite(&self) -> bool {
        self.exponent_field().is_ones() && self.fraction_field().is_zero()
    }

    /// Is it a zero?
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.exponent_field().is_zero() && self.fraction_field().is_zero()
    }

    /// Is it subnormal?
    #[must_use]
    pub fn is_subnormal(&self) -> bool {
        self.exponent_field().is_zero() && !self.fraction_field().is_zero()
    }

    /// Is it normal?
    #[must_use]
    pub fn is_normal(&self) -> bool {
        let field = self.exponent_field();
        !field.is_zero() && !field.is_ones()
    }

    /// Is it negative and a number?
    #[must_use]
    pub fn is_negative(&self) -> bool {
        !self.is_nan() && self.sign()
    }

    /// Is it positive and a number?
    #[must_use]
    pub fn is_positive(&self) -> bool {
        !self.is_nan() && !self.sign()
    }

    /// The IEEE order: zeros are equal, and nothing compares with NaN.
    #[must_use]
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        if self.is_nan() || other.is_nan() {
            return None;
        }
        if self.is_zero() && other.is_zero() {
            return Some(Ordering::Equal);
        }
        Some(self.order(other))
    }

    /// The order of numbers with −0 below +0: that of the layout, which is sign and magnitude.
    fn order(&self, other: &Self) -> Ordering {
        match (self.sign(), other.sign()) {
            (false, false) => self.bits.compare_unsigned(&other.bits),
            (true, true) => other.bits.compare_unsigned(&self.bits),
            (negative, _) => {
                if negative {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
        }
    }

    /// The lesser of two, −0 being less than +0; the number where only one is a number.
    #[must_use]
    pub fn minimum(&self, other: &Self) -> Self {
        if self.is_nan() || (!other.is_nan() && other.order(self).is_lt()) { other } else { self }.clone()
    }

    /// The greater of two, −0 being less than +0; the number where only one is a number.
    #[must_use]
    pub fn maximum(&self, other: &Self) -> Self {
        if self.is_nan() || (!other.is_nan() && other.order(self).is_gt()) { other } else { self }.clone()
    }
}
