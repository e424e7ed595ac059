//! Every operation on every operand of tiny formats, against rational arithmetic and a table of all values:
//! an oracle that knows nothing of significands and exponents but how to read one float.

use super::super::Format;
use super::all;
use crate::bitvec::BitVec;
use crate::value::{FloatValue, RoundingMode};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::cmp::Ordering;

const TINY: [Format; 4] = [Format::new(2, 2), Format::new(2, 3), Format::new(3, 2), Format::new(3, 4)];

fn rational(value: i64) -> BigRational {
    BigRational::from_integer(BigInt::from(value))
}

/// The meaning of a finite float, straight from the definition of the layout.
fn meaning(float: &FloatValue) -> BigRational {
    let format = float.format();
    let field = float.exponent_field().to_u64().unwrap() as i64;
    let fraction =
        rational(float.fraction_field().to_u64().unwrap() as i64) / rational(1 << format.fraction());
    let two = rational(2);
    let power = |exponent: i64| {
        if exponent >= 0 {
            num_traits::pow(two.clone(), exponent as usize)
        } else {
            num_traits::pow(two.recip(), exponent.unsigned_abs() as usize)
        }
    };
    let magnitude = if field == 0 {
        fraction * power(format.min_exponent())
    } else {
        (fraction + rational(1)) * power(field - format.bias())
    };
    if float.sign() { -magnitude } else { magnitude }
}

/// The non-negative finite floats with their meanings, in order; then the number that the next exponent would
/// start with, standing for infinity.
struct Table {
    format: Format,
    values: Vec<(BigRational, FloatValue)>,
}

impl Table {
    fn new(format: Format) -> Self {
        let mut values: Vec<(BigRational, FloatValue)> = all(format)
            .into_iter()
            .filter(|float| !float.sign() && !float.is_nan() && !float.is_infinite())
            .map(|float| (meaning(&float), float))
            .collect();
        values.sort();
        let beyond = rational(1 << (format.max_exponent() + 1));
        values.push((beyond, FloatValue::infinity(format, false)));
        Table { format, values }
    }

    /// The float for a magnitude that compares with numbers as `compare` says: Less if it is less than the
    /// number.
    fn round(
        &self,
        mode: RoundingMode,
        negative: bool,
        compare: impl Fn(&BigRational) -> Ordering,
    ) -> FloatValue {
        let signed = |float: &FloatValue| if negative { float.neg() } else { float.clone() };
        let away = match mode {
            RoundingMode::Up => Some(!negative),
            RoundingMode::Down => Some(negative),
            RoundingMode::TowardZero => Some(false),
            _ => None,
        };
        let above = self.values.partition_point(|(value, _)| compare(value).is_gt());
        let Some((value, float)) = self.values.get(above) else {
            // Above everything.
            return if away == Some(false) {
                FloatValue::largest(self.format, negative)
            } else {
                FloatValue::infinity(self.format, negative)
            };
        };
        if compare(value).is_eq() && !float.is_infinite() {
            return signed(float);
        }
        if above == 0 {
            return signed(&self.values[0].1);
        }
        let (low, low_float) = &self.values[above - 1];
        let (value, low_is_even) = (value.clone(), !low_float.bits.bit(0));
        let up = away.unwrap_or_else(|| match compare(&((low + value) / rational(2))) {
            Ordering::Greater => true,
            Ordering::Less => false,
            Ordering::Equal => mode == RoundingMode::NearestAway || !low_is_even,
        });
        signed(if up { float } else { low_float })
    }

    fn real(&self, mode: RoundingMode, exact: &BigRational, zero_is_negative: bool) -> FloatValue {
        if exact.is_zero() {
            return FloatValue::zero(self.format, zero_is_negative);
        }
        self.round(mode, exact.is_negative(), |value| exact.abs().cmp(value))
    }
}

fn finite(floats: &[&FloatValue]) -> bool {
    floats.iter().all(|float| !float.is_nan() && !float.is_infinite())
}

fn sum_zero(x_negative: bool, y_negative: bool, both_zero: bool, mode: RoundingMode) -> bool {
    if both_zero && x_negative == y_negative { x_negative } else { mode == RoundingMode::Down }
}

#[test]
fn sums_products_and_quotients() {
    for format in TINY {
        let table = Table::new(format);
        let floats = all(format);
        for x in &floats {
            for y in floats.iter().filter(|y| finite(&[x, y])) {
                let (a, b) = (meaning(x), meaning(y));
                let opposite = x.sign() != y.sign();
                for mode in RoundingMode::ALL {
                    let negative = sum_zero(x.sign(), y.sign(), x.is_zero() && y.is_zero(), mode);
                    assert_eq!(
                        x.add(y, mode),
                        table.real(mode, &(&a + &b), negative),
                        "{x:?} + {y:?} {mode:?}"
                    );
                    let negative = sum_zero(x.sign(), !y.sign(), x.is_zero() && y.is_zero(), mode);
                    assert_eq!(
                        x.sub(y, mode),
                        table.real(mode, &(&a - &b), negative),
                        "{x:?} - {y:?} {mode:?}"
                    );
                    assert_eq!(
                        x.mul(y, mode),
                        table.real(mode, &(&a * &b), opposite),
                        "{x:?} * {y:?} {mode:?}"
                    );
                    let quotient = if b.is_zero() {
                        if a.is_zero() {
                            FloatValue::nan(format)
                        } else {
                            FloatValue::infinity(format, opposite)
                        }
                    } else {
                        table.real(mode, &(&a / &b), opposite)
                    };
                    assert_eq!(x.div(y, mode), quotient, "{x:?} / {y:?} {mode:?}");
                }
                let order = a.cmp(&b);
                assert_eq!(x.compare(y), Some(order), "{x:?} <=> {y:?}");
            }
        }
    }
}

#[test]
fn fused_multiply_and_add() {
    for format in &TINY[..3] {
        let table = Table::new(*format);
        let floats = all(*format);
        for x in &floats {
            for y in &floats {
                for z in floats.iter().filter(|z| finite(&[x, y, z])) {
                    let product = meaning(x) * meaning(y);
                    let zeros = product.is_zero() && z.is_zero();
                    let exact = product + meaning(z);
                    for mode in RoundingMode::ALL {
                        let negative = sum_zero(x.sign() != y.sign(), z.sign(), zeros, mode);
                        let expected = table.real(mode, &exact, negative);
                        assert_eq!(x.fma(y, z, mode), expected, "{x:?} * {y:?} + {z:?} {mode:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn roots_and_integers() {
    for format in TINY {
        let table = Table::new(format);
        for x in all(format).into_iter().filter(|x| finite(&[x])) {
            let value = meaning(&x);
            assert_eq!(x.to_real(), Some(value.clone()));
            for mode in RoundingMode::ALL {
                let root = if x.is_zero() {
                    x.clone()
                } else if x.sign() {
                    FloatValue::nan(format)
                } else {
                    table.round(mode, false, |bound| value.cmp(&(bound * bound)))
                };
                assert_eq!(x.sqrt(mode), root, "sqrt {x:?} {mode:?}");

                let floor = value.abs().floor();
                let rest = value.abs() - &floor;
                let up = match mode {
                    RoundingMode::NearestEven => {
                        let half = rest.cmp(&BigRational::new(1.into(), 2.into()));
                        half.is_gt() || (half.is_eq() && floor.to_integer().bit(0))
                    }
                    RoundingMode::NearestAway => rest >= BigRational::new(1.into(), 2.into()),
                    RoundingMode::Up => !rest.is_zero() && !x.sign(),
                    RoundingMode::Down => !rest.is_zero() && x.sign(),
                    RoundingMode::TowardZero => false,
                };
                let magnitude = if up { floor + BigRational::one() } else { floor };
                let integer = if x.sign() { -magnitude } else { magnitude };
                let expected = table.real(mode, &integer, x.sign());
                assert_eq!(x.round_to_integral(mode), expected, "integral {x:?} {mode:?}");
                let integer = integer.to_integer().to_i64().unwrap();
                for width in 1..8 {
                    let unsigned = (0..1i64 << width).contains(&integer);
                    let expected = BitVec::new(width, if unsigned { integer as u64 } else { 0 });
                    assert_eq!(x.to_unsigned(width, mode), expected, "{x:?} to {width} bits {mode:?}");
                    let signed = (-(1i64 << (width - 1))..1i64 << (width - 1)).contains(&integer);
                    let expected = BitVec::new(width, if signed { integer as u64 } else { 0 });
                    assert_eq!(x.to_signed(width, mode), expected, "{x:?} to signed {width} bits {mode:?}");
                }
            }
        }
    }
}

#[test]
fn remainders() {
    for format in TINY {
        let table = Table::new(format);
        let floats = all(format);
        for x in &floats {
            for y in floats.iter().filter(|y| finite(&[x, y]) && !y.is_zero()) {
                let (a, b) = (meaning(x), meaning(y));
                let quotient = &a / &b;
                let floor = quotient.floor();
                let half = (&quotient - &floor).cmp(&BigRational::new(1.into(), 2.into()));
                let up = half.is_gt() || (half.is_eq() && floor.to_integer().bit(0));
                let nearest = if up { floor + BigRational::one() } else { floor };
                let expected = table.real(RoundingMode::TowardZero, &(a - b * nearest), x.sign());
                assert_eq!(x.rem(y), expected, "{x:?} rem {y:?}");
            }
        }
    }
}

#[test]
fn conversions() {
    for format in TINY {
        let table = Table::new(format);
        for mode in RoundingMode::ALL {
            for other in TINY {
                for x in all(other).into_iter().filter(|x| finite(&[x])) {
                    let expected = table.real(mode, &meaning(&x), x.sign());
                    assert_eq!(x.to_format(format, mode), expected, "{x:?} to {format:?} {mode:?}");
                }
            }
            for width in 1..8 {
                for bits in 0..1u64 << width {
                    let bits = BitVec::new(width, bits);
                    let exact = BigRational::from_integer(BigInt::from(bits.to_big()));
                    assert_eq!(
                        FloatValue::from_unsigned(format, &bits, mode),
                        table.real(mode, &exact, false)
                    );
                    let exact = BigRational::from_integer(bits.to_signed());
                    assert_eq!(FloatValue::from_signed(format, &bits, mode), table.real(mode, &exact, false));
                }
            }
            for numerator in -60..=60 {
                for denominator in 1..=24 {
                    let exact = BigRational::new(numerator.into(), denominator.into());
                    let found = FloatValue::from_real(format, &exact, mode);
                    assert_eq!(found, table.real(mode, &exact, false), "{exact} {mode:?}");
                }
            }
        }
    }
}

#[test]
fn operands_that_are_no_finite_numbers() {
    for format in TINY {
        let (nan, floats) = (FloatValue::nan(format), all(format));
        let infinity = |negative| FloatValue::infinity(format, negative);
        let mode = RoundingMode::NearestEven;
        assert_eq!(nan.neg(), nan);
        assert_eq!(nan.abs(), nan);
        assert_eq!(nan.sqrt(mode), nan);
        assert_eq!(infinity(true).sqrt(mode), nan);
        assert_eq!(infinity(false).sqrt(mode), infinity(false));
        assert_eq!(infinity(true).round_to_integral(mode), infinity(true));
        for width in 1..4 {
            for float in [nan.clone(), infinity(true), infinity(false)] {
                assert!(float.to_signed(width, mode).is_zero() && float.to_unsigned(width, mode).is_zero());
            }
        }
        for x in &floats {
            for mode in RoundingMode::ALL {
                for result in
                    [x.add(&nan, mode), nan.mul(x, mode), x.div(&nan, mode), nan.rem(x), x.rem(&nan)]
                {
                    assert_eq!(result, nan);
                }
                assert_eq!(x.fma(x, &nan, mode), nan);
            }
            assert_eq!(x.compare(&nan), None);
            assert_eq!((x.minimum(&nan), nan.maximum(x)), (x.clone(), x.clone()));
            if !x.is_nan() && !x.is_infinite() {
                assert_eq!(x.add(&infinity(true), mode), infinity(true));
                assert_eq!(x.div(&infinity(true), mode), FloatValue::zero(format, !x.sign()));
                assert_eq!(infinity(true).div(x, mode), infinity(!x.sign()));
                assert_eq!(x.rem(&infinity(true)), *x);
                assert_eq!(infinity(true).rem(x), nan);
                let product = if x.is_zero() { nan.clone() } else { infinity(!x.sign()) };
                assert_eq!(x.mul(&infinity(true), mode), product);
                assert_eq!(infinity(true).fma(x, x, mode), product);
            }
        }
        assert_eq!(infinity(true).add(&infinity(false), mode), nan);
        assert_eq!(infinity(true).add(&infinity(true), mode), infinity(true));
        assert_eq!(infinity(true).mul(&infinity(true), mode), infinity(false));
        assert_eq!(infinity(true).div(&infinity(true), mode), nan);
        let one = FloatValue::from_integer(format, &1.into(), mode);
        assert_eq!(infinity(true).fma(&one, &infinity(false), mode), nan);
        let (minus, plus) = (FloatValue::zero(format, true), FloatValue::zero(format, false));
        for (a, b) in [(&minus, &plus), (&plus, &minus)] {
            assert_eq!((a.minimum(b), a.maximum(b)), (minus.clone(), plus.clone()));
            assert_eq!(a.compare(b), Some(Ordering::Equal));
        }
    }
}

#[test]
fn extreme_formats_stay_small() {
    let format = Format::new(30, 3);
    let largest = FloatValue::largest(format, false);
    let least = FloatValue::from_bits(format, BitVec::one(33));
    let mode = RoundingMode::Up;
    assert_eq!(largest.add(&least, mode), FloatValue::infinity(format, false));
    assert_eq!(largest.sub(&least, RoundingMode::NearestEven), largest);
    assert!(largest.sub(&least, RoundingMode::TowardZero).compare(&largest).unwrap().is_lt());
    assert_eq!(largest.fma(&least, &least, mode).compare(&largest), Some(Ordering::Less));
    assert!(largest.rem(&least).is_zero());
    assert_eq!(least.rem(&largest), least);
    assert_eq!(largest.to_real(), None);
    assert!(largest.to_unsigned(64, mode).is_zero());
    assert_eq!(least.to_unsigned(64, mode), BitVec::one(64));
    let wide = Format::new(15, 4000);
    let third = FloatValue::from_real(wide, &BigRational::new(1.into(), 3.into()), mode);
    let three = FloatValue::from_integer(wide, &3.into(), mode);
    let one = FloatValue::from_integer(wide, &1.into(), mode);
    assert_eq!(one.div(&three, mode), third);
    assert_eq!(third.mul(&three, RoundingMode::NearestEven), one);
}
