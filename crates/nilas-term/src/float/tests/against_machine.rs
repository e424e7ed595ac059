//! Single and double precision against the floats of the machine, which round to nearest.

use super::super::Format;
use super::{Rng, cases};
use crate::bitvec::BitVec;
use crate::value::{FloatValue, RoundingMode};

const SEED: u64 = 20_260_401;
const MODE: RoundingMode = RoundingMode::NearestEven;

macro_rules! against {
    ($test:ident, $float:ty, $format:expr) => {
        #[test]
        fn $test() {
            let (mut rng, format) = (Rng::new(SEED), $format);
            println!("seed {SEED}");
            let machine = |x: &FloatValue| <$float>::from_bits(x.bits.to_u64().unwrap() as _);
            let exact = |x: $float| {
                FloatValue::from_bits(format, BitVec::new(format.width(), u64::from(x.to_bits())))
            };
            for _ in 0..cases(20_000) {
                let x = rng.float(format, None);
                let (y, z) = (rng.float(format, Some(&x)), rng.float(format, Some(&x)));
                let (a, b, c) = (machine(&x), machine(&y), machine(&z));
                assert_eq!(x.add(&y, MODE), exact(a + b), "{a:e} + {b:e}");
                assert_eq!(x.sub(&y, MODE), exact(a - b), "{a:e} - {b:e}");
                assert_eq!(x.mul(&y, MODE), exact(a * b), "{a:e} * {b:e}");
                assert_eq!(x.div(&y, MODE), exact(a / b), "{a:e} / {b:e}");
                assert_eq!(x.sqrt(MODE), exact(a.sqrt()), "sqrt {a:e}");
                assert_eq!(x.fma(&y, &z, MODE), exact(a.mul_add(b, c)), "{a:e} * {b:e} + {c:e}");
                assert_eq!(x.compare(&y), a.partial_cmp(&b), "{a:e} <=> {b:e}");
                let integrals = [
                    (RoundingMode::NearestEven, a.round_ties_even()),
                    (RoundingMode::NearestAway, a.round()),
                    (RoundingMode::Up, a.ceil()),
                    (RoundingMode::Down, a.floor()),
                    (RoundingMode::TowardZero, a.trunc()),
                ];
                for (mode, integral) in integrals {
                    assert_eq!(x.round_to_integral(mode), exact(integral), "{a:e} {mode:?}");
                }
                // The machine saturates where zero is chosen here.
                let saturated = a as i64;
                if !matches!(saturated, i64::MIN | i64::MAX) {
                    let integer = x.to_signed(64, RoundingMode::TowardZero);
                    assert_eq!(integer, BitVec::new(64, saturated as u64), "{a:e} as i64");
                }
                let integer = rng.next() >> rng.below(64);
                let bits = BitVec::new(64, integer);
                assert_eq!(FloatValue::from_unsigned(format, &bits, MODE), exact(integer as $float));
                assert_eq!(FloatValue::from_signed(format, &bits, MODE), exact(integer as i64 as $float));
                let classes = (x.is_nan(), x.is_infinite(), x.is_normal(), x.is_subnormal(), x.sign());
                let machine_classes =
                    (a.is_nan(), a.is_infinite(), a.is_normal(), a.is_subnormal(), a.is_sign_negative());
                assert_eq!(classes, machine_classes, "{a:e}");
            }
        }
    };
}

against!(single_precision, f32, Format::SINGLE);
against!(double_precision, f64, Format::DOUBLE);

#[test]
fn conversions_between_single_and_double() {
    let mut rng = Rng::new(SEED);
    println!("seed {SEED}");
    for _ in 0..cases(20_000) {
        let x = rng.float(Format::DOUBLE, None);
        let a = f64::from_bits(x.bits.to_u64().unwrap());
        let narrow = FloatValue::from_bits(Format::SINGLE, BitVec::new(32, u64::from((a as f32).to_bits())));
        assert_eq!(x.to_format(Format::SINGLE, MODE), narrow, "{a:e}");
        let wide = BitVec::new(64, f64::from(a as f32).to_bits());
        assert_eq!(
            narrow.to_format(Format::DOUBLE, MODE),
            FloatValue::from_bits(Format::DOUBLE, wide),
            "{a:e}"
        );
    }
}
