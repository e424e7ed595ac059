//! Sums and products of machine numbers, rounded away from what could be lost.
//!
//! A machine rounds to nearest. What it rounded off is computed exactly (two-sum, fused multiply-add), so that a
//! result moves to its neighbour only where it must, and sums of small integers stay what they are.

/// The sum, not below the exact one. Of infinities of both signs: that upward.
#[must_use]
pub fn add_up(x: f64, y: f64) -> f64 {
    if x == f64::INFINITY || y == f64::INFINITY {
        return f64::INFINITY;
    }
    let sum = x + y;
    if !sum.is_finite() {
        // What overflows downward is at most the least number.
        let is_exact = x.is_infinite() || y.is_infinite();
        return if sum > 0.0 || is_exact { sum } else { f64::MIN };
    }
    let part = sum - x;
    let off = (x - (sum - part)) + (y - part);
    if off > 0.0 { sum.next_up() } else { sum }
}

/// The sum, not above the exact one.
#[must_use]
pub fn add_down(x: f64, y: f64) -> f64 {
    -add_up(-x, -y)
}

/// The product, not below the exact one. Nothing times infinity is nothing: an empty part of a sum.
#[must_use]
pub fn mul_up(x: f64, y: f64) -> f64 {
    if x == 0.0 || y == 0.0 {
        return 0.0;
    }
    let product = x * y;
    if !product.is_finite() {
        // What overflows downward is at most the least number.
        let is_exact = x.is_infinite() || y.is_infinite();
        return if product > 0.0 || is_exact { product } else { f64::MIN };
    }
    // Too small for the rest to be exact.
    if product.abs() < 1e-290 {
        return product.next_up();
    }
    if x.mul_add(y, -product) > 0.0 { product.next_up() } else { product }
}

/// The product, not above the exact one.
#[must_use]
pub fn mul_down(x: f64, y: f64) -> f64 {
    -mul_up(-x, y)
}

/// Numbers from one on to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The least.
    pub lo: f64,
    /// The greatest.
    pub hi: f64,
}

impl Range {
    /// All numbers.
    pub const ALL: Range = Range { lo: f64::NEG_INFINITY, hi: f64::INFINITY };

    /// One number.
    #[must_use]
    pub fn point(number: f64) -> Range {
        Range { lo: number, hi: number }
    }

    /// The numbers of at most a size.
    #[must_use]
    pub fn around_zero(size: f64) -> Range {
        Range { lo: -size, hi: size }
    }

    /// All sums.
    #[must_use]
    pub fn plus(self, other: Range) -> Range {
        Range { lo: add_down(self.lo, other.lo), hi: add_up(self.hi, other.hi) }
    }

    /// All products.
    #[must_use]
    pub fn times(self, other: Range) -> Range {
        let ends = [(self.lo, other.lo), (self.lo, other.hi), (self.hi, other.lo), (self.hi, other.hi)];
        let lo = ends.iter().map(|&(x, y)| mul_down(x, y)).fold(f64::INFINITY, f64::min);
        let hi = ends.iter().map(|&(x, y)| mul_up(x, y)).fold(f64::NEG_INFINITY, f64::max);
        Range { lo, hi }
    }

    /// The numbers of both, and what lies between them.
    #[must_use]
    pub fn join(self, other: Range) -> Range {
        Range { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// What both contain; the ends are in the wrong order if that is nothing.
    #[must_use]
    pub fn meet(self, other: Range) -> Range {
        Range { lo: self.lo.max(other.lo), hi: self.hi.min(other.hi) }
    }

    /// Whether all numbers of another one are in it.
    #[must_use]
    pub fn includes(self, other: Range) -> bool {
        self.lo <= other.lo && other.hi <= self.hi
    }

    /// The largest distance from zero.
    #[must_use]
    pub fn size(self) -> f64 {
        self.lo.abs().max(self.hi.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nilas_term::{BitVec, FloatValue, Format};

    /// Sums and products of numbers of all sizes against exact ones.
    #[test]
    fn results_are_rounded_outward() {
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let scale = (state >> 20) % 120;
            ((state % 2_000_001) as f64 - 1_000_000.0) * 2.0_f64.powi(scale as i32 - 60) / 3.0
        };
        let exact = |number: f64| {
            let float = FloatValue::from_bits(Format::DOUBLE, BitVec::new(64, number.to_bits()));
            float.to_real().expect("a finite number")
        };
        for _ in 0..20_000 {
            let (x, y) = (next(), next());
            let (sum, product) = (exact(x) + exact(y), exact(x) * exact(y));
            assert!(exact(add_down(x, y)) <= sum && sum <= exact(add_up(x, y)), "{x} + {y}");
            assert!(exact(mul_down(x, y)) <= product && product <= exact(mul_up(x, y)), "{x} * {y}");
            assert!(add_up(x, y) <= add_down(x, y).next_up() && mul_up(x, y) <= mul_down(x, y).next_up());
        }
        assert_eq!(add_up(3.0, 4.0), 7.0);
        assert_eq!(add_up(f64::INFINITY, f64::NEG_INFINITY), f64::INFINITY);
        assert_eq!(add_down(f64::INFINITY, f64::NEG_INFINITY), f64::NEG_INFINITY);
        assert_eq!(mul_up(0.0, f64::INFINITY), 0.0);
        assert_eq!(mul_up(-1e300, 1e300), f64::MIN);
        assert_eq!(add_up(f64::MIN, f64::MIN), f64::MIN);
    }
}
