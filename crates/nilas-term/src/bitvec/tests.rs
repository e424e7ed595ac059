//! Operations against big integers, at widths around the limits of the representation.

#![allow(clippy::unwrap_used)]

use super::BitVec;
use crate::testing::Random;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

const WIDTHS: [u32; 10] = [1, 2, 3, 8, 31, 63, 64, 65, 100, 128];

/// Numbers where things go wrong, and some others.
fn samples(width: u32, random: &mut Random) -> Vec<BitVec> {
    let mut values = vec![
        BitVec::zero(width),
        BitVec::one(width),
        BitVec::ones(width),
        BitVec::min_signed(width),
        BitVec::max_signed(width),
        BitVec::min_signed(width).add(&BitVec::one(width)),
        BitVec::new(width, u64::from(width)),
        BitVec::new(width, u64::from(width) - 1),
    ];
    for _ in 0..8 {
        let digits: Vec<u32> = (0..4).map(|_| random.next() as u32).collect();
        let value = BigUint::new(digits) >> (random.next() % 128);
        values.push(BitVec::from_big(width, value));
    }
    values
}

fn modulo(value: &BigInt, width: u32) -> BigUint {
    value.mod_floor(&(BigInt::one() << width)).magnitude().clone()
}

#[test]
fn operations_agree_with_integers() {
    let mut random = Random(42);
    for width in WIDTHS {
        let values = samples(width, &mut random);
        for a in &values {
            let (u, s) = (BigInt::from(a.to_big()), a.to_signed());
            assert_eq!(modulo(&s, width), a.to_big());
            assert_eq!(BitVec::from_signed(width, &s), *a);
            assert_eq!(a.neg().to_big(), modulo(&-&u, width), "-{a}");
            assert_eq!(a.not().to_big(), modulo(&(-&u - 1), width), "~{a}");
            assert_eq!(a.abs().to_big(), modulo(&s.abs(), width));
            for b in &values {
                check_pair(width, a, b);
            }
        }
    }
}

fn check_pair(width: u32, a: &BitVec, b: &BitVec) {
    let (ua, ub) = (BigInt::from(a.to_big()), BigInt::from(b.to_big()));
    let (sa, sb) = (a.to_signed(), b.to_signed());
    let check = |name: &str, found: BitVec, wanted: BigInt| {
        assert_eq!(found.width(), width);
        assert_eq!(found.to_big(), modulo(&wanted, width), "{name} of {a} and {b}");
    };
    check("add", a.add(b), &ua + &ub);
    check("sub", a.sub(b), &ua - &ub);
    check("mul", a.mul(b), &ua * &ub);
    check("and", a.and(b), &ua & &ub);
    check("or", a.or(b), &ua | &ub);
    check("xor", a.xor(b), &ua ^ &ub);
    if b.is_zero() {
        assert!(a.udiv(b).is_ones());
        assert_eq!(a.urem(b), *a);
        assert_eq!(a.srem(b), *a);
        assert_eq!(a.smod(b), *a);
        check("sdiv by zero", a.sdiv(b), BigInt::from(if a.sign_bit() { 1 } else { -1 }));
    } else {
        check("udiv", a.udiv(b), &ua / &ub);
        check("urem", a.urem(b), &ua % &ub);
        check("sdiv", a.sdiv(b), &sa / &sb);
        check("srem", a.srem(b), &sa % &sb);
        check("smod", a.smod(b), sa.mod_floor(&sb));
    }
    let distance = b.shift_distance();
    check("shl", a.shl(b), if distance >= width { BigInt::zero() } else { &ua << distance });
    check("lshr", a.lshr(b), &ua >> distance);
    check("ashr", a.ashr(b), &sa >> distance);
    assert_eq!(a.ult(b), ua < ub);
    assert_eq!(a.ule(b), ua <= ub);
    assert_eq!(a.slt(b), sa < sb);
    assert_eq!(a.sle(b), sa <= sb);
    let joined = a.concat(b);
    assert_eq!(joined.to_big(), (a.to_big() << width) + b.to_big());
    assert_eq!(joined.extract(2 * width - 1, width), *a);
    assert_eq!(joined.extract(width - 1, 0), *b);
}

#[test]
fn structure_and_counting_agree_with_single_bits() {
    let mut random = Random(7);
    for width in WIDTHS {
        for a in samples(width, &mut random) {
            let bits: Vec<bool> = (0..width).map(|index| a.bit(index)).collect();
            assert_eq!(BitVec::from_bits(&bits), a);
            let leading = bits.iter().rev().take_while(|bit| !**bit).count();
            let trailing = bits.iter().take_while(|bit| !**bit).count();
            let ones = bits.iter().take_while(|bit| **bit).count();
            assert_eq!(a.leading_zeros() as usize, leading, "{a}");
            assert_eq!(a.trailing_zeros() as usize, trailing, "{a}");
            assert_eq!(a.trailing_ones() as usize, ones, "{a}");
            let single = bits.iter().filter(|bit| **bit).count() == 1;
            assert_eq!(a.power_of_two(), single.then_some(trailing as u32), "{a}");
            for by in [0, 1, 5, 64] {
                let mut extended = bits.clone();
                extended.resize(bits.len() + by, false);
                assert_eq!(a.zero_extend(by as u32), BitVec::from_bits(&extended));
                let mut extended = bits.clone();
                extended.resize(bits.len() + by, a.sign_bit());
                assert_eq!(a.sign_extend(by as u32), BitVec::from_bits(&extended));
            }
            let (lo, hi) = (width / 3, width - 1 - width / 4);
            if lo <= hi {
                let part = &bits[lo as usize..=hi as usize];
                assert_eq!(a.extract(hi, lo), BitVec::from_bits(part), "{a} {hi} {lo}");
            }
        }
    }
}

#[test]
fn text_is_hexadecimal_where_the_width_allows() {
    assert_eq!(BitVec::new(8, 0x2a).to_string(), "#x2a");
    assert_eq!(BitVec::new(5, 3).to_string(), "#b00011");
    assert_eq!(BitVec::one(68).to_string(), format!("#x{}1", "0".repeat(16)));
    assert_eq!(BitVec::parse(8, "256", 10), None);
    assert_eq!(BitVec::parse(8, "255", 10), Some(BitVec::ones(8)));
    assert_eq!(BitVec::parse(8, "", 10), None);
}
