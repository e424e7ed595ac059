//! All modes against `rustc_apfloat`, in the formats that it has. It has no square root: that of half
//! precision comes from double precision, whose 53 bits are more than enough to round again in any mode.

use super::super::Format;
use super::{Rng, cases};
use crate::bitvec::BitVec;
use crate::value::{FloatValue, RoundingMode};
use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};

const SEED: u64 = 75_402_026;

/// A format of both.
trait Known: Float {
    const FORMAT: Format;

    fn of(float: &FloatValue) -> Self {
        Self::from_bits(u128::try_from(float.bits.to_big()).unwrap())
    }

    fn exact(self) -> FloatValue {
        let bits = BitVec::from_big(Self::FORMAT.width(), self.to_bits().into());
        FloatValue::from_bits(Self::FORMAT, bits)
    }
}

impl Known for Half {
    const FORMAT: Format = Format::HALF;
}
impl Known for BFloat {
    const FORMAT: Format = Format::new(8, 8);
}
impl Known for Single {
    const FORMAT: Format = Format::SINGLE;
}
impl Known for Double {
    const FORMAT: Format = Format::DOUBLE;
}
impl Known for Quad {
    const FORMAT: Format = Format::QUAD;
}

/// The leading bit of the significand, hidden in IEEE formats, is bit 63 of these.
impl Known for X87DoubleExtended {
    const FORMAT: Format = Format::new(15, 64);

    fn of(float: &FloatValue) -> Self {
        let (field, fraction) = (float.exponent_field(), float.fraction_field());
        let leading = BitVec::new(1, u64::from(!field.is_zero()));
        let sign = BitVec::new(1, u64::from(float.sign()));
        let bits = sign.concat(&field).concat(&leading).concat(&fraction);
        Self::from_bits(u128::try_from(bits.to_big()).unwrap())
    }

    fn exact(self) -> FloatValue {
        let bits = BitVec::from_big(80, self.to_bits().into());
        FloatValue::from_bits(Self::FORMAT, bits.extract(79, 64).concat(&bits.extract(62, 0)))
    }
}

fn round(mode: RoundingMode) -> Round {
    match mode {
        RoundingMode::NearestEven => Round::NearestTiesToEven,
        RoundingMode::NearestAway => Round::NearestTiesToAway,
        RoundingMode::Up => Round::TowardPositive,
        RoundingMode::Down => Round::TowardNegative,
        RoundingMode::TowardZero => Round::TowardZero,
    }
}

fn arithmetic<F: Known>(count: u64) {
    let format = F::FORMAT;
    println!("{format:?}: seed {SEED}, {count} cases per operation and mode");
    for mode in RoundingMode::ALL {
        let mut rng = Rng::new(SEED + mode as u64);
        let r = round(mode);
        for _ in 0..count {
            let x = rng.float(format, None);
            let (y, z) = (rng.float(format, Some(&x)), rng.float(format, Some(&x)));
            let (a, b, c) = (F::of(&x), F::of(&y), F::of(&z));
            assert_eq!(x.add(&y, mode), a.add_r(b, r).value.exact(), "{x:?} + {y:?} {mode:?}");
            assert_eq!(x.sub(&y, mode), a.sub_r(b, r).value.exact(), "{x:?} - {y:?} {mode:?}");
            assert_eq!(x.mul(&y, mode), a.mul_r(b, r).value.exact(), "{x:?} * {y:?} {mode:?}");
            assert_eq!(x.div(&y, mode), a.div_r(b, r).value.exact(), "{x:?} / {y:?} {mode:?}");
            assert_eq!(x.fma(&y, &z, mode), a.mul_add_r(b, c, r).value.exact(), "{x:?} {y:?} {z:?} {mode:?}");
            assert_eq!(x.round_to_integral(mode), a.round_to_integral(r).value.exact(), "{x:?} {mode:?}");
        }
    }
}

/// No rounding, and slow for far exponents in the other library.
fn remainders<F: Known>(count: u64) {
    let mut rng = Rng::new(SEED);
    println!("{:?}: seed {SEED}, {count} remainders", F::FORMAT);
    for _ in 0..count {
        let x = rng.float(F::FORMAT, None);
        let y = rng.float(F::FORMAT, Some(&x));
        assert_eq!(x.rem(&y), F::of(&x).ieee_rem(F::of(&y)).value.exact(), "{x:?} rem {y:?}");
    }
}

fn conversions<F: Known + FloatConvert<Half> + FloatConvert<Single> + FloatConvert<Double>>(count: u64) {
    fn to<F: Known + FloatConvert<G>, G: Known>(x: &FloatValue, mode: RoundingMode) {
        let expected: G = F::of(x).convert_r(round(mode), &mut false).value;
        assert_eq!(x.to_format(G::FORMAT, mode), expected.exact(), "{x:?} to {:?} {mode:?}", G::FORMAT);
    }
    println!("{:?}: seed {SEED}, {count} conversions per mode", F::FORMAT);
    for mode in RoundingMode::ALL {
        let mut rng = Rng::new(SEED + mode as u64);
        let r = round(mode);
        for _ in 0..count {
            let x = rng.float(F::FORMAT, None);
            to::<F, Half>(&x, mode);
            to::<F, Single>(&x, mode);
            to::<F, Double>(&x, mode);
            for width in [1u32, 7, 8, 16, 33, 64, 100] {
                let found = x.to_unsigned(width, mode);
                let expected = F::of(&x).to_u128_r(width as usize, r, &mut false);
                let invalid = expected.status.contains(rustc_apfloat::Status::INVALID_OP);
                let expected = if invalid { 0 } else { expected.value };
                assert_eq!(found, BitVec::from_big(width, expected.into()), "{x:?} to {width} bits {mode:?}");
                if width == 1 {
                    // The other library shifts too far.
                    continue;
                }
                let found = x.to_signed(width, mode);
                let expected = F::of(&x).to_i128_r(width as usize, r, &mut false);
                let invalid = expected.status.contains(rustc_apfloat::Status::INVALID_OP);
                let expected = BitVec::from_signed(width, &if invalid { 0 } else { expected.value }.into());
                assert_eq!(found, expected, "{x:?} to signed {width} bits {mode:?}");
            }
            let width = 1 + rng.below(100) as u32;
            let bits = rng.bits(width);
            let natural = u128::try_from(bits.to_big()).unwrap();
            let expected = F::from_u128_r(natural, r).value.exact();
            assert_eq!(FloatValue::from_unsigned(F::FORMAT, &bits, mode), expected, "{bits} {mode:?}");
            let integer = i128::try_from(bits.to_signed()).unwrap();
            let expected = F::from_i128_r(integer, r).value.exact();
            assert_eq!(FloatValue::from_signed(F::FORMAT, &bits, mode), expected, "{bits} {mode:?}");
        }
    }
}

fn roots_of_halves(count: u64) {
    println!("seed {SEED}, {count} roots per mode");
    for mode in RoundingMode::ALL {
        let mut rng = Rng::new(SEED + mode as u64);
        for _ in 0..count {
            let x = rng.float(Format::HALF, None);
            let double: Double = Half::of(&x).convert(&mut false).value;
            let root = f64::from_bits(u64::try_from(double.to_bits()).unwrap()).sqrt();
            let expected: Half =
                Double::from_bits(root.to_bits().into()).convert_r(round(mode), &mut false).value;
            assert_eq!(x.sqrt(mode), expected.exact(), "sqrt {x:?} {mode:?}");
        }
    }
}

#[test]
fn half_precision() {
    let count = cases(3_000);
    arithmetic::<Half>(count);
    remainders::<Half>(count);
    conversions::<Half>(count / 4);
    roots_of_halves(count);
}

#[test]
fn other_formats() {
    let count = cases(1_500);
    arithmetic::<BFloat>(count);
    arithmetic::<Single>(count);
    arithmetic::<Double>(count);
    arithmetic::<Quad>(count);
    arithmetic::<X87DoubleExtended>(count);
    remainders::<BFloat>(count);
    remainders::<Single>(count);
    remainders::<Double>(count / 10);
    conversions::<Single>(count / 4);
    conversions::<Double>(count / 4);
}

/// The number that the project promises: 100,000 operands per operation and rounding mode.
#[test]
#[ignore = "takes a minute; run with --ignored"]
fn half_precision_at_length() {
    arithmetic::<Half>(100_000);
    remainders::<Half>(100_000);
    conversions::<Half>(100_000);
    roots_of_halves(100_000);
}
