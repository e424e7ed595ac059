//! Floats as SMT-LIB text.

use super::super::Format;
use super::{Rng, all};
use crate::arena::Arena;
use crate::bitvec::BitVec;
use crate::smtlib::{parse_term, print_term, print_value};
use crate::sort::Sort;
use crate::value::{FloatValue, RoundingMode, Value};

fn parse(text: &str) -> Value {
    let mut arena = Arena::new();
    let term = parse_term(&mut arena, text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    arena.as_value(term).unwrap_or_else(|| panic!("{text} is no constant")).clone()
}

fn float(value: Value) -> FloatValue {
    match value {
        Value::Float(value) => value,
        other => panic!("{other:?} is no float"),
    }
}

#[test]
fn every_value_reads_back() {
    let tiny = [(2, 2), (2, 5), (5, 2), (3, 3)].into_iter().flat_map(|(e, s)| all(Format::new(e, s)));
    let mut rng = Rng::new(5);
    let formats = [Format::HALF, Format::SINGLE, Format::DOUBLE, Format::QUAD, Format::new(15, 64)];
    let random: Vec<FloatValue> = formats
        .iter()
        .flat_map(|&format| (0..200).map(|_| rng.float(format, None)).collect::<Vec<_>>())
        .collect();
    for value in tiny.chain(random) {
        let value = Value::Float(value);
        assert_eq!(parse(&print_value(&value)), value, "{}", print_value(&value));
    }
    for mode in RoundingMode::ALL {
        let value = Value::RoundingMode(mode);
        assert_eq!(parse(&print_value(&value)), value);
    }
}

#[test]
fn constants_of_scripts() {
    let single = |text: &str| f32::from_bits(float(parse(text)).bits.to_u64().unwrap() as u32);
    assert_eq!(single("((_ to_fp 8 24) RNE 0.1)"), 0.1);
    assert_eq!(single("((_ to_fp 8 24) roundNearestTiesToEven (- 0.1))"), -0.1);
    assert_eq!(single("((_ to_fp 8 24) RNE (/ 1 3))"), 1.0 / 3.0);
    assert_eq!(single("((_ to_fp 8 24) RNE (/ 1.0 (- 3.0)))"), -1.0 / 3.0);
    assert_eq!(single("((_ to_fp 8 24) RTZ 7)"), 7.0);
    assert_eq!(single("((_ to_fp 8 24) RTP 1000000000000000000000000000000000000000.0)"), f32::INFINITY);
    assert_eq!(single("((_ to_fp 8 24) RTZ 1000000000000000000000000000000000000000.0)"), f32::MAX);
    assert_eq!(single("((_ to_fp 8 24) #x40490fdb)"), std::f32::consts::PI);
    assert_eq!(single("((_ to_fp 8 24) RNE #xff)"), -1.0);
    assert_eq!(single("((_ to_fp_unsigned 8 24) RNE #xff)"), 255.0);
    assert_eq!(single("(fp #b1 #x80 #b10000000000000000000000)"), -3.0 + 0.0);
    assert_eq!(single("((_ to_fp 8 24) RNE ((_ to_fp 11 53) RNE 0.1))"), 0.1f64 as f32);
    assert!(single("(_ NaN 8 24)").is_nan());
    assert!(single("(_ -zero 8 24)").is_sign_negative());
    assert_eq!(single("(_ -oo 8 24)"), f32::NEG_INFINITY);
    assert_eq!(single("(fp.add RNE ((_ to_fp 8 24) RNE 0.1) ((_ to_fp 8 24) RNE 0.2))"), 0.1f32 + 0.2);
    assert_eq!(single("(fp.rem ((_ to_fp 8 24) RNE 5.0) ((_ to_fp 8 24) RNE 3.0))"), -1.0);
    assert_eq!(
        parse("((_ fp.to_sbv 8) RTZ ((_ to_fp 8 24) RNE (- 3.7)))"),
        Value::BitVec(BitVec::new(8, 253))
    );
    assert_eq!(parse("(fp.to_real ((_ to_fp 8 24) RNE 0.5))"), parse("0.5"));
    let bits = |bits: u64| Value::BitVec(BitVec::new(32, bits));
    assert_eq!(parse("(fp.to_ieee_bv ((_ to_fp 8 24) RNE (- 1.5)))"), bits(0xbfc0_0000));
    assert_eq!(parse("(fp.to_ieee_bv ((_ to_fp 8 24) #xffffffff))"), bits(0x7fc0_0000));
    assert_eq!(parse("(fp.eq (_ +zero 8 24) (_ -zero 8 24))"), Value::Bool(true));
    assert_eq!(parse("(= (_ +zero 8 24) (_ -zero 8 24))"), Value::Bool(false));
    assert_eq!(parse("(= (_ NaN 8 24) (fp #b1 #xff #b00000000000000000000001))"), Value::Bool(true));
    assert_eq!(parse("(fp.geq (_ +oo 8 24) (_ -oo 8 24) (_ -oo 8 24))"), Value::Bool(true));
}

#[test]
fn terms_read_back() {
    let mut arena = Arena::new();
    for name in ["x", "y", "z"] {
        arena.variable(name, &Sort::FLOAT32).unwrap();
    }
    arena.variable("rm", &Sort::RoundingMode).unwrap();
    arena.variable("b", &Sort::BitVec(32)).unwrap();
    arena.variable("r", &Sort::Real).unwrap();
    for text in [
        "(fp.add rm x y)",
        "(fp.sub rm x y)",
        "(fp.mul RNA x (fp.div RTP y x))",
        "(fp.fma rm x y z)",
        "(fp.sqrt rm x)",
        "(fp.rem x y)",
        "(fp.roundToIntegral rm x)",
        "(fp.min x (fp.max y z))",
        "(and (fp.leq x y z) (fp.lt x y) (fp.eq x y) (fp.gt y z))",
        "(or (fp.isNormal x) (fp.isSubnormal x) (fp.isZero x) (fp.isInfinite x) (fp.isNaN x))",
        "(xor (fp.isNegative x) (fp.isPositive x))",
        "(fp.neg (fp.abs x))",
        "((_ to_fp 5 11) rm x)",
        "((_ to_fp 8 24) b)",
        "((_ to_fp 8 24) rm b)",
        "((_ to_fp_unsigned 8 24) rm b)",
        "((_ to_fp 8 24) rm r)",
        "((_ to_fp 8 24) rm 0.1)",
        "((_ fp.to_ubv 7) rm x)",
        "((_ fp.to_sbv 7) rm x)",
        "(fp.to_real x)",
        "(fp.to_ieee_bv x)",
        "(fp ((_ extract 0 0) b) ((_ extract 8 1) b) ((_ extract 31 9) b))",
        "(= x (ite (= rm RTZ) (_ NaN 8 24) y))",
    ] {
        let term = parse_term(&mut arena, text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        let printed = print_term(&arena, term);
        let again = parse_term(&mut arena, &printed).unwrap_or_else(|error| panic!("{printed}: {error:?}"));
        assert_eq!(term, again, "{text} became {printed}");
    }
}
