//! No solution is lost: exhaustively at small widths, by samples at larger ones.

use super::*;
use crate::boxes::bits::modulus;
use crate::boxes::float::{bit_vector, number};
use crate::boxes::interval::{Interval, Rank};
use crate::testing::{Random, all_samples, samples};

const BINARY: [BitOp; 14] = [
    BitOp::Add,
    BitOp::Multiply,
    BitOp::UnsignedDivide,
    BitOp::UnsignedRemainder,
    BitOp::SignedDivide,
    BitOp::SignedRemainder,
    BitOp::SignedModulo,
    BitOp::ShiftLeft,
    BitOp::ShiftRight,
    BitOp::ShiftRightSigned,
    BitOp::And,
    BitOp::Or,
    BitOp::Xor,
    BitOp::Concat,
];

fn apply(op: BitOp, width: u32, x: Rank, y: Rank) -> Rank {
    let (x, y) = (bit_vector(width, x.cast_unsigned()), bit_vector(width, y.cast_unsigned()));
    let result = match op {
        BitOp::Add => x.add(&y),
        BitOp::Multiply => x.mul(&y),
        BitOp::UnsignedDivide => x.udiv(&y),
        BitOp::UnsignedRemainder => x.urem(&y),
        BitOp::SignedDivide => x.sdiv(&y),
        BitOp::SignedRemainder => x.srem(&y),
        BitOp::SignedModulo => x.smod(&y),
        BitOp::ShiftLeft => x.shl(&y),
        BitOp::ShiftRight => x.lshr(&y),
        BitOp::ShiftRightSigned => x.ashr(&y),
        BitOp::And => x.and(&y),
        BitOp::Or => x.or(&y),
        BitOp::Xor => x.xor(&y),
        BitOp::Concat => x.concat(&y),
        _ => unreachable!("binary operators only"),
    };
    number(&result).cast_signed()
}

/// Unary operators by the width of their operand, with the width of the result.
fn unary_ops(width: u32) -> Vec<(BitOp, u32)> {
    let mut ops = vec![
        (BitOp::Not, width),
        (BitOp::Negate, width),
        (BitOp::ZeroExtend, width + 1),
        (BitOp::ZeroExtend, width + 3),
        (BitOp::SignExtend, width + 1),
        (BitOp::SignExtend, width + 3),
    ];
    for lo in 0..width {
        ops.extend((lo..width).map(|hi| (BitOp::Extract { lo }, hi - lo + 1)));
    }
    ops
}

fn apply_unary(op: BitOp, width: u32, result: u32, x: Rank) -> Rank {
    let x = bit_vector(width, x.cast_unsigned());
    let value = match op {
        BitOp::Not => x.not(),
        BitOp::Negate => x.neg(),
        BitOp::ZeroExtend => x.zero_extend(result - width),
        BitOp::SignExtend => x.sign_extend(result - width),
        BitOp::Extract { lo } => x.extract(lo + result - 1, lo),
        _ => unreachable!("unary operators only"),
    };
    number(&value).cast_signed()
}

fn members(set: BitSet) -> Vec<Rank> {
    set.unsigned().flat_map(|part| part.lo..=part.hi).collect()
}

/// Intervals of one reading, and boxes of both parts, of a small width.
fn sets(width: u32, both: bool) -> Vec<BitSet> {
    let half = modulus(width - 1);
    let parts = |from: Rank| -> Vec<Option<Interval>> {
        let mut parts = vec![None];
        for lo in from..from + half {
            parts.extend((lo..from + half).map(|hi| Interval::new(lo, hi)));
        }
        parts
    };
    let mut all = Vec::new();
    if both {
        for low in parts(0) {
            all.extend(parts(-half).into_iter().map(|high| BitSet { width, low, high }));
        }
        all.retain(|set| !set.is_empty());
    } else {
        for lo in 0..2 * half {
            all.extend((lo..2 * half).map(|hi| BitSet::wrapped(width, Interval { lo, hi })));
        }
    }
    all
}

fn of_points(width: u32, points: &[Rank]) -> BitSet {
    points
        .iter()
        .fold(BitSet::empty(width), |all, &point| all.join(BitSet::wrapped(width, Interval::point(point))))
}

fn check_binary(op: BitOp, sets: Binary, table: &[Vec<Rank>]) -> (bool, Binary, Binary) {
    let after = binary(op, sets);
    let (mut xs, mut ys, mut zs) = (Vec::new(), Vec::new(), Vec::new());
    for &x in &members(sets.x) {
        for &y in &members(sets.y) {
            let z = table[x as usize][y as usize];
            if sets.z.contains(z) {
                xs.push(x);
                ys.push(y);
                zs.push(z);
            }
        }
    }
    let best = Binary {
        z: of_points(sets.z.width, &zs),
        x: of_points(sets.x.width, &xs),
        y: of_points(sets.y.width, &ys),
    };
    let lost = |after: BitSet, best: BitSet| after.meet(best) != best;
    assert!(
        !lost(after.z, best.z) && !lost(after.x, best.x) && !lost(after.y, best.y),
        "{op:?} on {sets:?} became {after:?}, solutions are {best:?}"
    );
    let inside = |after: BitSet, before: BitSet| after.meet(before) == after;
    assert!(inside(after.z, sets.z) && inside(after.x, sets.x) && inside(after.y, sets.y), "{op:?} grew");
    (after.z == best.z && after.x == best.x && after.y == best.y, after, best)
}

/// All boxes of both parts at three bits, and all intervals at four; a part of them by default.
#[test]
fn binary_operators_lose_nothing_at_small_widths() {
    for (width, both) in [(2, true), (3, true), (4, false)] {
        let sets = sets(width, both);
        let count = sets.len();
        let size = modulus(width);
        for op in BINARY {
            let result = if op == BitOp::Concat { 2 * width } else { width };
            let table: Vec<Vec<Rank>> =
                (0..size).map(|x| (0..size).map(|y| apply(op, width, x, y)).collect()).collect();
            let all = if op == BitOp::Concat { vec![BitSet::full(result)] } else { sets.clone() };
            let (mut boxes, mut tight) = (0u64, 0u64);
            let step = if all_samples() || width == 2 { 1 } else { 211 };
            let mut next = 0;
            for (index, &x) in sets.iter().enumerate() {
                for (other, &y) in sets.iter().enumerate() {
                    let full = BitSet::full(result);
                    let forward = (index * count + other).is_multiple_of(7) || all_samples();
                    if forward {
                        let (_, after, best) = check_binary(op, Binary { z: full, x, y }, &table);
                        if matches!(op, BitOp::Add | BitOp::Concat) {
                            assert_eq!(after.z, best.z, "{op:?} is optimal forward: {x:?} {y:?}");
                        }
                        if x.point().is_some() && y.point().is_some() {
                            assert_eq!(after.z, best.z, "{op:?} computes points: {x:?} {y:?}");
                        }
                    }
                    while next < all.len() {
                        let (optimal, ..) = check_binary(op, Binary { z: all[next], x, y }, &table);
                        boxes += 1;
                        tight += u64::from(optimal);
                        next += step;
                    }
                    next -= all.len().min(next);
                }
            }
            assert!(
                tight * 2 > boxes,
                "{op:?} at {width} bits: {tight} of {boxes} boxes are as tight as can be"
            );
        }
    }
}

#[test]
fn unary_operators_lose_nothing_at_small_widths() {
    for width in [1, 2, 3, 4] {
        for (op, result) in unary_ops(width) {
            let targets = if result <= 4 { sets(result, width < 4) } else { vec![BitSet::full(result)] };
            for x in sets(width, width < 4) {
                for &z in targets.iter().step_by(if all_samples() { 1 } else { 5 }) {
                    let after = unary(op, Unary { z, x });
                    let solutions: Vec<(Rank, Rank)> = members(x)
                        .into_iter()
                        .map(|x| (apply_unary(op, width, result, x), x))
                        .filter(|(value, _)| z.contains(*value))
                        .collect();
                    let zs: Vec<Rank> = solutions.iter().map(|pair| pair.0).collect();
                    let xs: Vec<Rank> = solutions.iter().map(|pair| pair.1).collect();
                    let (best_z, best_x) = (of_points(result, &zs), of_points(width, &xs));
                    assert_eq!(
                        after.x.meet(best_x),
                        best_x,
                        "{op:?} {z:?} {x:?}: {after:?} loses a solution"
                    );
                    assert_eq!(
                        after.z.meet(best_z),
                        best_z,
                        "{op:?} {z:?} {x:?}: {after:?} loses a solution"
                    );
                    if op == BitOp::Not {
                        assert_eq!((after.z, after.x), (best_z, best_x), "{op:?} {z:?} {x:?} is not optimal");
                    }
                }
            }
        }
    }
}

/// A random set around a number.
fn around(random: &mut Random, width: u32, number: Rank) -> BitSet {
    let (size, half) = (modulus(width), modulus(width - 1));
    let signed = if number >= half { number - size } else { number };
    BitSet::of_readings(
        width,
        random.around(number, Interval { lo: 0, hi: size - 1 }),
        random.around(signed, Interval { lo: -half, hi: half - 1 }),
    )
}

#[test]
fn samples_of_wider_ones_lose_nothing() {
    let mut random = Random(0x9e37_79b9);
    for width in [8, 32, 64, 79] {
        let top = (modulus(width) - 1).cast_unsigned();
        for op in BINARY {
            if op == BitOp::Concat && width > 60 {
                continue;
            }
            for _ in 0..samples(10_000) {
                let (x, y) = (random.up_to(top).cast_signed(), random.up_to(top).cast_signed());
                let y = if random.below(3) == 0 { y % 70.min(modulus(width)) } else { y };
                let z = apply(op, width, x, y);
                let result = if op == BitOp::Concat { 2 * width } else { width };
                let sets = Binary {
                    z: around(&mut random, result, z),
                    x: around(&mut random, width, x),
                    y: around(&mut random, width, y),
                };
                let after = binary(op, sets);
                assert!(
                    after.z.contains(z) && after.x.contains(x) && after.y.contains(y),
                    "{op:?} on {sets:?} became {after:?} without {x} {y} {z}"
                );
            }
        }
        for _ in 0..samples(10_000) {
            let x = random.up_to(top).cast_signed();
            for _ in 0..3 {
                let ops = unary_ops(width.min(40));
                let (op, result) = ops[random.below(ops.len())];
                let (width, x) = (width.min(40), x % modulus(width.min(40)));
                let z = apply_unary(op, width, result, x);
                let sets = Unary { z: around(&mut random, result, z), x: around(&mut random, width, x) };
                let after = unary(op, sets);
                assert!(after.z.contains(z) && after.x.contains(x), "{op:?} on {sets:?} became {after:?}");
            }
        }
    }
}
