//! No solution is lost: exhaustively over all boxes of a toy format, by samples of larger ones.
//!
//! The tests go through [`Constraint::contract`], and a solution is a tuple of floats, NaN included, with
//! shadows as the module says.

use crate::boxes::bits::modulus;
use crate::boxes::float::{ZERO, bit_vector, numbers, rank, value};
use crate::boxes::interval::{Interval, Rank};
use crate::contract::Constraint;
use crate::contract::float::{Extreme, IntegerRange, Operation};
use crate::testing::{Random, all_samples, samples};
use nilas_term::{FloatValue, Format, RoundingMode};

pub(super) const TOY: Format = Format::new(2, 2);
const HALF: Format = Format::HALF;

/// A float as columns: rank and flag.
pub(super) type Float = (Rank, bool);

fn read(format: Format, (rank, nan): Float) -> FloatValue {
    if nan { FloatValue::nan(format) } else { value(format, rank) }
}

/// The columns that a constraint gives its result, by the definition of flags and shadows.
fn result(constraint: &Constraint, mode: RoundingMode, operands: &[Float]) -> Float {
    let ranks: Vec<Rank> = operands.iter().map(|operand| operand.0).collect();
    let any_nan = operands.iter().any(|operand| operand.1);
    let shadowed = |number: Option<Rank>| (number.unwrap_or(ZERO), any_nan || number.is_none());
    match constraint {
        Constraint::Rounded { operation, format } => {
            let of = operation.operand_format(*format);
            let x = value(of, ranks[0]);
            let operand = |index: usize| value(of, ranks[index]);
            shadowed(rank(&match operation {
                Operation::Add => x.add(&operand(1), mode),
                Operation::Multiply => x.mul(&operand(1), mode),
                Operation::Divide => x.div(&operand(1), mode),
                Operation::Fma => x.fma(&operand(1), &operand(2), mode),
                Operation::Sqrt => x.sqrt(mode),
                Operation::RoundToIntegral => x.round_to_integral(mode),
                Operation::Convert { .. } => x.to_format(*format, mode),
            }))
        }
        Constraint::FloatRemainder(format) => {
            shadowed(rank(&value(*format, ranks[0]).rem(&value(*format, ranks[1]))))
        }
        Constraint::FloatExtreme(which) => {
            let chosen = match (operands[0].1, operands[1].1) {
                (true, _) => ranks[1],
                (_, true) => ranks[0],
                _ if *which == Extreme::Minimum => ranks[0].min(ranks[1]),
                _ => ranks[0].max(ranks[1]),
            };
            (chosen, operands[0].1 && operands[1].1)
        }
        _ => unreachable!("constraints on floats only"),
    }
}

/// The columns of a constraint: rounding mode where it has one, result, operands.
fn columns(constraint: &Constraint, mode: Interval, floats: &[(Interval, Interval)]) -> Vec<Interval> {
    let mut columns = Vec::new();
    if matches!(constraint, Constraint::Rounded { .. }) {
        columns.push(mode);
    }
    columns.extend(floats.iter().flat_map(|&(rank, nan)| [rank, nan]));
    columns
}

fn contract(constraint: &Constraint, columns: &[Interval]) -> Option<Vec<Interval>> {
    let mut after = columns.to_vec();
    constraint.contract(&mut after).map(|()| after)
}

fn point((rank, nan): Float) -> (Interval, Interval) {
    (Interval::point(rank), Interval::point(Rank::from(nan)))
}

fn toy_constraints() -> Vec<(Constraint, usize)> {
    let rounded = |operation| Constraint::Rounded { operation, format: TOY };
    let from = Format::new(3, 3);
    vec![
        (rounded(Operation::Add), 2),
        (rounded(Operation::Multiply), 2),
        (rounded(Operation::Divide), 2),
        (rounded(Operation::Sqrt), 1),
        (rounded(Operation::RoundToIntegral), 1),
        (rounded(Operation::Convert { from }), 1),
        (Constraint::Rounded { operation: Operation::Convert { from: TOY }, format: from }, 1),
        (Constraint::FloatExtreme(Extreme::Minimum), 2),
        (Constraint::FloatExtreme(Extreme::Maximum), 2),
        (Constraint::FloatRemainder(TOY), 2),
    ]
}

fn formats(constraint: &Constraint) -> (Format, Format) {
    match constraint {
        Constraint::Rounded { operation, format } => (*format, operation.operand_format(*format)),
        Constraint::FloatRemainder(format) => (*format, *format),
        _ => (TOY, TOY),
    }
}

pub(super) fn intervals(all: Interval) -> Vec<Interval> {
    (all.lo..=all.hi).flat_map(|lo| (lo..=all.hi).map(move |hi| Interval { lo, hi })).collect()
}

/// Results of a constraint on all operands of a small format.
pub(super) struct Table {
    least: Rank,
    count: Rank,
    results: Vec<Float>,
}

impl Table {
    pub(super) fn new(constraint: &Constraint, arity: usize, format: Format) -> Self {
        let all = numbers(format);
        let (least, count) = (all.lo, all.hi - all.lo + 1);
        let floats: Vec<Float> = (all.lo..=all.hi).flat_map(|rank| [(rank, false), (rank, true)]).collect();
        let mut results = Vec::new();
        for mode in RoundingMode::ALL {
            for &x in &floats {
                match arity {
                    1 => results.push(result(constraint, mode, &[x])),
                    _ => results.extend(floats.iter().map(|&y| result(constraint, mode, &[x, y]))),
                }
            }
        }
        Table { least, count, results }
    }

    pub(super) fn result(&self, mode: RoundingMode, operands: &[Float]) -> Float {
        let place = operands.iter().fold(super::mode_rank(mode), |place, &(rank, nan)| {
            place * 2 * self.count + 2 * (rank - self.least) + Rank::from(nan)
        });
        self.results[place as usize]
    }
}

/// All boxes of ranks of one and two operands, with flags and modes; a part of them by default.
#[test]
fn toy_boxes_lose_nothing() {
    let flags = intervals(Interval::BOOLEAN);
    for (constraint, arity) in toy_constraints() {
        let (of_result, of_operand) = formats(&constraint);
        let results = intervals(numbers(of_result));
        let operands = intervals(numbers(of_operand));
        let has_mode = matches!(constraint, Constraint::Rounded { .. });
        let modes: Vec<usize> = if has_mode { (0..5).collect() } else { vec![0] };
        let others = if arity == 2 { operands.clone() } else { vec![Interval::point(0)] };
        // All flags and modes with all boxes of one operand. With two, each box of ranks takes one of
        // the 135.
        let combinations = 27 * modes.len();
        let boxes_of_ranks = results.len() * operands.len() * others.len();
        let total = if arity == 2 { boxes_of_ranks } else { boxes_of_ranks * combinations };
        let step = if all_samples() { 1 } else { (total / 6_000) | 1 };
        let table = Table::new(&constraint, arity, of_operand);
        let mut index = 0;
        let mut boxes = 0u64;
        let mut optimal = 0u64;
        while index < total {
            let mut rest = index;
            let mut pick = |count: usize| {
                let place = rest % count;
                rest /= count;
                place
            };
            let (z, x) = (results[pick(results.len())], operands[pick(operands.len())]);
            let y = others[pick(others.len())];
            if arity == 2 {
                rest = index * 37 + index / combinations;
            }
            let mut pick = |count: usize| {
                let place = rest % count;
                rest /= count;
                place
            };
            let mode = RoundingMode::ALL[modes[pick(modes.len())]];
            let (nan_z, nan_x, nan_y) = (flags[pick(3)], flags[pick(3)], flags[pick(3)]);
            let mut floats = vec![(z, nan_z), (x, nan_x), (y, nan_y)];
            floats.truncate(arity + 1);
            let place = Interval::point(super::mode_rank(mode));
            let before = columns(&constraint, place, &floats);
            let after = contract(&constraint, &before);
            let mut best: Option<Vec<Interval>> = None;
            let mut operand = [(0, false); 2];
            let members = |(rank, nan): (Interval, Interval)| {
                (rank.lo..=rank.hi).flat_map(move |rank| (nan.lo..=nan.hi).map(move |nan| (rank, nan == 1)))
            };
            for x in members(floats[1]) {
                operand[0] = x;
                let seconds: Vec<Float> =
                    if arity == 2 { members(floats[2]).collect() } else { vec![(0, false)] };
                for y in seconds {
                    operand[1] = y;
                    let z = table.result(mode, &operand[..arity]);
                    if floats[0].0.contains(z.0) && floats[0].1.contains(Rank::from(z.1)) {
                        let mut here = vec![point(z), point(x)];
                        here.extend((arity == 2).then(|| point(y)));
                        let here = columns(&constraint, place, &here);
                        best = Some(match best {
                            None => here,
                            Some(best) => best.iter().zip(&here).map(|(a, b)| a.hull(*b)).collect(),
                        });
                    }
                }
            }
            if let Some(best) = &best {
                let kept =
                    after.as_ref().is_some_and(|after| after.iter().zip(best).all(|(a, b)| a.includes(*b)));
                assert!(
                    kept,
                    "{constraint:?} {mode:?} on {before:?} became {after:?}, solutions are {best:?}"
                );
            }
            if let Some(after) = &after {
                assert!(
                    before.iter().zip(after).all(|(b, a)| b.includes(*a)),
                    "{constraint:?} grew {before:?}"
                );
            }
            boxes += 1;
            optimal += u64::from(after == best);
            // Forward from numbers, monotone operations are as tight as can be.
            let numbers_only = nan_x.hi == 0 && nan_y.hi == 0 && nan_z == Interval::BOOLEAN;
            if has_mode && numbers_only && z == numbers(of_result) {
                assert_eq!(after, best, "{constraint:?} {mode:?} is optimal forward on {before:?}");
            }
            index += step;
        }
        // The remainder is not monotone, and few bounds of it are known.
        let few = matches!(constraint, Constraint::FloatRemainder(_));
        assert!(
            few || optimal * 2 > boxes,
            "{constraint:?}: {optimal} of {boxes} boxes are as tight as can be"
        );
    }
}

fn random_rank(random: &mut Random, format: Format) -> Rank {
    let all = numbers(format);
    let magnitude = random.up_to(all.hi.cast_unsigned()).cast_signed();
    let magnitude = if random.below(12) == 0 { all.hi } else { magnitude };
    if random.below(2) == 0 { magnitude } else { !magnitude }
}

fn random_flag(random: &mut Random, nan: bool) -> Interval {
    if random.below(2) == 0 { Interval::BOOLEAN } else { Interval::point(Rank::from(nan)) }
}

fn check_samples(random: &mut Random, constraint: &Constraint, arity: usize, count: usize) {
    let (of_result, of_operand) = formats(constraint);
    for _ in 0..count {
        let mode = RoundingMode::ALL[random.below(5)];
        let mut operands: Vec<Float> =
            (0..arity).map(|_| (random_rank(random, of_operand), random.below(10) == 0)).collect();
        // Neighbours cancel and tie.
        if arity > 1 && random.below(3) == 0 {
            let all = numbers(of_operand);
            let near = !operands[0].0 + (random.below(7) as Rank) - 3;
            operands[arity - 1].0 = near.clamp(all.lo, all.hi);
        }
        let z = result(constraint, mode, &operands);
        let mut floats = vec![(random.around(z.0, numbers(of_result)), random_flag(random, z.1))];
        for operand in &operands {
            floats.push((random.around(operand.0, numbers(of_operand)), random_flag(random, operand.1)));
        }
        let place = super::mode_rank(mode);
        let range = if random.below(10) == 0 { Interval { lo: 0, hi: 4 } } else { Interval::point(place) };
        let before = columns(constraint, range, &floats);
        let solution: Vec<(Interval, Interval)> =
            std::iter::once(point(z)).chain(operands.iter().map(|&o| point(o))).collect();
        let solution = columns(constraint, Interval::point(place), &solution);
        let after = contract(constraint, &before);
        let kept =
            after.as_ref().is_some_and(|after| after.iter().zip(&solution).all(|(a, s)| a.includes(*s)));
        assert!(kept, "{constraint:?} {mode:?} on {before:?} became {after:?} without {solution:?}");
        // Points are computed.
        let mut given = solution.clone();
        let first = usize::from(matches!(constraint, Constraint::Rounded { .. }));
        (given[first], given[first + 1]) = (numbers(of_result), Interval::BOOLEAN);
        assert_eq!(contract(constraint, &given).as_ref(), Some(&solution), "{constraint:?} computes points");
    }
}

#[test]
fn samples_of_ieee_formats_lose_nothing() {
    let mut random = Random(0x1234_5677);
    let long = Format::new(15, 64);
    for (format, full) in
        [(HALF, 100_000), (Format::SINGLE, 10_000), (Format::DOUBLE, 10_000), (long, 10_000)]
    {
        for operation in [
            Operation::Add,
            Operation::Multiply,
            Operation::Divide,
            Operation::Fma,
            Operation::Sqrt,
            Operation::RoundToIntegral,
            Operation::Convert { from: Format::SINGLE },
            Operation::Convert { from: Format::DOUBLE },
            Operation::Convert { from: HALF },
        ] {
            let constraint = Constraint::Rounded { operation, format };
            check_samples(&mut random, &constraint, operation.arity(), samples(full));
        }
        let remainder = Constraint::FloatRemainder(format);
        check_samples(&mut random, &remainder, 2, samples(full));
    }
}

/// Bits and integers: all of the toy format, samples of half and single precision.
#[test]
fn conversions_lose_nothing() {
    let mut random = Random(99);
    for (format, full) in [(TOY, 20_000), (HALF, 100_000), (Format::SINGLE, 10_000), (Format::DOUBLE, 10_000)]
    {
        let all = numbers(format);
        let width = format.width();
        let (half, size) = (modulus(width - 1), modulus(width));
        let signed = |bits: Rank, half: Rank| if bits >= half { bits - 2 * half } else { bits };
        for _ in 0..samples(full) {
            // To bits and back.
            let bits = random.up_to((size - 1).cast_unsigned()).cast_signed();
            let float = FloatValue::from_bits(format, bit_vector(width, bits.cast_unsigned()));
            let number = rank(&float);
            let mut solution =
                [number.unwrap_or(ZERO), Rank::from(number.is_none()), bits, signed(bits, half)];
            for constraint in [Constraint::FloatFromBits(format), Constraint::FloatToBits(format)] {
                let to_bits = matches!(constraint, Constraint::FloatToBits(_));
                if to_bits {
                    let canonical = crate::boxes::float::number(&float.bits).cast_signed();
                    let shadow =
                        if number.is_none() { random_rank(&mut random, format) } else { solution[0] };
                    solution = [canonical, signed(canonical, half), shadow, solution[1]];
                }
                let limits = [
                    all,
                    Interval::BOOLEAN,
                    Interval { lo: 0, hi: size - 1 },
                    Interval { lo: -half, hi: half - 1 },
                ];
                let order: [usize; 4] = if to_bits { [2, 3, 0, 1] } else { [0, 1, 2, 3] };
                let before: Vec<Interval> =
                    (0..4).map(|at| random.around(solution[at], limits[order[at]])).collect();
                let after = contract(&constraint, &before);
                let kept = after
                    .as_ref()
                    .is_some_and(|after| after.iter().zip(solution).all(|(a, s)| a.contains(s)));
                assert!(kept, "{constraint:?} on {before:?} became {after:?} without {solution:?}");
            }
        }
        for width in [1, 3, 8, 32, 64] {
            for is_signed in [false, true] {
                let range = IntegerRange::new(format, width, is_signed);
                let constraint = Constraint::FloatToInteger(Box::new(range));
                let half = modulus(width - 1);
                let limits = if is_signed {
                    Interval { lo: -half, hi: half - 1 }
                } else {
                    Interval { lo: 0, hi: 2 * half - 1 }
                };
                for _ in 0..samples(full) {
                    let mode = RoundingMode::ALL[random.below(5)];
                    let float = (random_rank(&mut random, format), random.below(9) == 0);
                    let float_value = read(format, float);
                    let integer = if is_signed {
                        float_value.to_signed(width, mode)
                    } else {
                        float_value.to_unsigned(width, mode)
                    };
                    let bits = crate::boxes::float::number(&integer).cast_signed();
                    let integer = if is_signed { signed(bits, half) } else { bits };
                    let solution = [super::mode_rank(mode), integer, float.0, Rank::from(float.1)];
                    let before = [
                        random.around(solution[0], Interval { lo: 0, hi: 4 }),
                        random.around(integer, limits),
                        random.around(float.0, all),
                        random_flag(&mut random, float.1),
                    ];
                    let after = contract(&constraint, &before);
                    let kept = after
                        .as_ref()
                        .is_some_and(|after| after.iter().zip(solution).all(|(a, s)| a.contains(s)));
                    assert!(kept, "{constraint:?} on {before:?} became {after:?} without {solution:?}");
                    let points = [
                        Interval::point(solution[0]),
                        limits,
                        Interval::point(float.0),
                        Interval::point(solution[3]),
                    ];
                    let after = contract(&constraint, &points);
                    assert_eq!(
                        after,
                        Some(solution.map(Interval::point).to_vec()),
                        "{constraint:?} {points:?}"
                    );

                    let source = random.up_to(limits.width()).cast_signed() + limits.lo;
                    let float = FloatValue::from_integer(format, &source.into(), mode);
                    let solution = [super::mode_rank(mode), rank(&float).expect("a number"), source];
                    let before = [
                        random.around(solution[0], Interval { lo: 0, hi: 4 }),
                        random.around(solution[1], all),
                        random.around(source, limits),
                    ];
                    let constraint = Constraint::FloatFromInteger(format);
                    let after = contract(&constraint, &before);
                    let kept = after
                        .as_ref()
                        .is_some_and(|after| after.iter().zip(solution).all(|(a, s)| a.contains(s)));
                    assert!(kept, "{constraint:?} on {before:?} became {after:?} without {solution:?}");
                }
            }
        }
    }
}

#[test]
fn signs_are_optimal_on_all_toy_boxes() {
    let all = intervals(numbers(TOY));
    for constraint in [Constraint::FloatNegation, Constraint::FloatAbsolute] {
        for &z in &all {
            for &x in &all {
                let map = |rank: Rank| {
                    if constraint == Constraint::FloatAbsolute && rank >= 0 { rank } else { !rank }
                };
                let solutions: Vec<Rank> = (x.lo..=x.hi).filter(|&rank| z.contains(map(rank))).collect();
                let hull =
                    |ranks: &mut dyn Iterator<Item = Rank>| ranks.map(Interval::point).reduce(Interval::hull);
                let best = hull(&mut solutions.iter().map(|&rank| map(rank)))
                    .zip(hull(&mut solutions.iter().copied()))
                    .map(|(z, x)| vec![z, x]);
                assert_eq!(contract(&constraint, &[z, x]), best, "{constraint:?} on {z:?} {x:?}");
            }
        }
    }
}
