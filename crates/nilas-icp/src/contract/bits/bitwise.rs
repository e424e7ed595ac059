//! Bitwise operations. Forward bounds are exact for each pair of parts: *Hacker's Delight*, section 4-3.

use super::Binary;
use crate::boxes::bits::{BitSet, modulus};
use crate::boxes::interval::{Interval, Rank};

/// The bits of a width from the highest on.
fn bits(width: u32) -> impl Iterator<Item = Rank> {
    (0..width).rev().map(|bit| 1 << bit)
}

fn least_or(width: u32, x: Interval, y: Interval) -> Rank {
    let (mut a, mut c) = (x.lo, y.lo);
    for bit in bits(width) {
        if a & bit == 0 && c & bit != 0 {
            let raised = (a | bit) & -bit;
            if raised <= x.hi {
                a = raised;
                break;
            }
        } else if a & bit != 0 && c & bit == 0 {
            let raised = (c | bit) & -bit;
            if raised <= y.hi {
                c = raised;
                break;
            }
        }
    }
    a | c
}

fn greatest_or(width: u32, x: Interval, y: Interval) -> Rank {
    let (mut b, mut d) = (x.hi, y.hi);
    for bit in bits(width) {
        if b & d & bit != 0 {
            let lowered = (b - bit) | (bit - 1);
            if lowered >= x.lo {
                b = lowered;
                break;
            }
            let lowered = (d - bit) | (bit - 1);
            if lowered >= y.lo {
                d = lowered;
                break;
            }
        }
    }
    b | d
}

fn least_xor(width: u32, x: Interval, y: Interval) -> Rank {
    let (mut a, mut c) = (x.lo, y.lo);
    for bit in bits(width) {
        if a & bit == 0 && c & bit != 0 {
            let raised = (a | bit) & -bit;
            if raised <= x.hi {
                a = raised;
            }
        } else if a & bit != 0 && c & bit == 0 {
            let raised = (c | bit) & -bit;
            if raised <= y.hi {
                c = raised;
            }
        }
    }
    a ^ c
}

fn greatest_xor(width: u32, x: Interval, y: Interval) -> Rank {
    let (mut b, mut d) = (x.hi, y.hi);
    for bit in bits(width) {
        if b & d & bit != 0 {
            let lowered = (b - bit) | (bit - 1);
            if lowered >= x.lo {
                b = lowered;
            } else {
                let lowered = (d - bit) | (bit - 1);
                if lowered >= y.lo {
                    d = lowered;
                }
            }
        }
    }
    b ^ d
}

fn or(x: BitSet, y: BitSet) -> BitSet {
    let width = x.width;
    pairs(x, y, |x, y| Interval { lo: least_or(width, x, y), hi: greatest_or(width, x, y) })
}

fn xor(x: BitSet, y: BitSet) -> BitSet {
    let width = x.width;
    pairs(x, y, |x, y| Interval { lo: least_xor(width, x, y), hi: greatest_xor(width, x, y) })
}

fn pairs(x: BitSet, y: BitSet, combine: impl Fn(Interval, Interval) -> Interval) -> BitSet {
    let mut result = BitSet::empty(x.width);
    for left in x.unsigned() {
        for right in y.unsigned() {
            result = result.join(BitSet::wrapped(x.width, combine(left, right)));
        }
    }
    result
}

/// What an operand of a disjunction can be: no bit that the result has not, and all those of it that the
/// other operand has not.
fn operand_of_or(z: BitSet, y: BitSet) -> BitSet {
    let width = z.width;
    let ones = modulus(width) - 1;
    let mut result = BitSet::empty(width);
    for all in z.unsigned() {
        for other in y.unsigned() {
            // z & ~y, which is ~(~z | y).
            let absent = Interval { lo: ones - all.hi, hi: ones - all.lo };
            let least = ones - greatest_or(width, absent, other);
            if let Some(part) = Interval::new(least, all.hi) {
                result = result.join(BitSet::wrapped(width, part));
            }
        }
    }
    result
}

/// `z = x | y`.
pub(super) fn disjunction(Binary { z, x, y }: Binary) -> Binary {
    let z = z.meet(or(x, y));
    let x = x.meet(operand_of_or(z, y));
    let y = y.meet(operand_of_or(z, x));
    Binary { z, x, y }
}

/// `z = x & y`: the complements are a disjunction.
pub(super) fn conjunction(Binary { z, x, y }: Binary) -> Binary {
    let Binary { z, x, y } = disjunction(Binary { z: z.complement(), x: x.complement(), y: y.complement() });
    Binary { z: z.complement(), x: x.complement(), y: y.complement() }
}

/// `z = x ^ y`.
pub(super) fn exclusive(Binary { z, x, y }: Binary) -> Binary {
    let z = z.meet(xor(x, y));
    let x = x.meet(xor(z, y));
    let y = y.meet(xor(z, x));
    Binary { z, x, y }
}
