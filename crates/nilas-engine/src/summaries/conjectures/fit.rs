//! Closed forms of what procedures do, from points of their tables.
//!
//! A *line* has points in which one control value counts up and the others are the same. Along a line, values
//! are sums of data with coefficients that depend on the control value: these are constant, linear,
//! quadratic, alternate, or grow by doubling differences (`2^x`). All of it is arithmetic modulo the
//! width, so that a closed form may hold for values that wrap around, too. A line may have several
//! pieces, each with a closed form of its own.

use super::super::rules::{PlaceId, Rules};
use super::shape::Shape;
use super::table::{Key, Point};
use nilas_term::{Arena, BitVec, Substitution, Term};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Points that a line must have.
const POINTS: usize = 5;
/// Pieces that are looked for on a line.
const PIECES: usize = 4;

/// A closed form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fit {
    pub(super) place: PlaceId,
    /// The variable of the predicate, and its value over values at the entry.
    pub(super) variable: Term,
    pub(super) value: Term,
    /// By control value: what it is; nothing where it counts up.
    pub(super) fixed: Vec<Option<Term>>,
    /// The value that counts up, where the piece begins, and where it ends if another one follows.
    pub(super) counter: Term,
    pub(super) least: BitVec,
    pub(super) most: Option<BitVec>,
}

impl Fit {
    /// Whether control values are on the piece, or further up behind the last one.
    pub(super) fn is_about(&self, arena: &Arena, key: &Key) -> bool {
        self.fixed.iter().zip(key).all(|(fixed, &value)| match fixed {
            Some(fixed) => *fixed == value,
            None => arena.as_bitvec(value).is_some_and(|value| {
                self.least.sle(value) && self.most.as_ref().is_none_or(|most| value.sle(most))
            }),
        })
    }
}

/// The closed forms of a procedure.
pub(super) fn fits(
    arena: &mut Arena,
    (shape, rules): (&Shape, &Rules),
    procedure: usize,
    points: &BTreeMap<Key, Point>,
) -> Vec<Fit> {
    let control = shape.control_of(procedure);
    let entered: BTreeSet<Term> = shape.entered[procedure].iter().map(|it| it.1).collect();
    let data: Vec<Term> = entered.iter().copied().filter(|it| !control.contains(it)).collect();
    let mut found = Vec::new();
    for (at, &counter) in control.iter().enumerate() {
        let mut lines: BTreeMap<Vec<Option<Term>>, Vec<(&BitVec, &Point)>> = BTreeMap::new();
        for (key, point) in points {
            let Some(x) = arena.as_bitvec(key[at]) else { continue };
            let fixed = key.iter().enumerate().map(|(other, &it)| (other != at).then_some(it)).collect();
            lines.entry(fixed).or_default().push((x, point));
        }
        let mut sequences = Vec::new();
        for (fixed, mut line) in lines {
            line.sort_by(|one, other| one.0.compare_signed(other.0));
            let places: BTreeSet<PlaceId> = line.iter().flat_map(|it| it.1.at.keys().copied()).collect();
            for place in places {
                let there = line.iter().filter_map(|(x, point)| {
                    let values = point.at.get(&place)?.as_ref()?;
                    Some(((*x).clone(), values.clone()))
                });
                let there: Vec<(BitVec, Vec<Term>)> = there.collect();
                if let Some(run) = longest_run(&there) {
                    sequences.push((fixed.clone(), place, run.to_vec()));
                }
            }
        }
        for (fixed, place, run) in sequences {
            for (position, &variable) in rules.of(place).variables.iter().enumerate() {
                if entered.contains(&variable) {
                    continue;
                }
                let line: Vec<(BitVec, Term)> =
                    run.iter().map(|(x, values)| (x.clone(), values[position])).collect();
                for (range, value) in pieces(arena, &line, counter, &data) {
                    let most = (range.end < line.len()).then(|| line[range.end - 1].0.clone());
                    let (least, fixed) = (line[range.start].0.clone(), fixed.clone());
                    found.push(Fit { place, variable, value, fixed, counter, least, most });
                }
            }
        }
    }
    found
}

/// The longest part of a line that counts up by one.
fn longest_run(line: &[(BitVec, Vec<Term>)]) -> Option<&[(BitVec, Vec<Term>)]> {
    let (mut begin, mut best) = (0, 0..0);
    for end in 1..=line.len() {
        if end == line.len() || !line[end].0.sub(&line[end - 1].0).is_one() {
            if end - begin > best.len() {
                best = begin..end;
            }
            begin = end;
        }
    }
    (best.len() >= POINTS).then(|| &line[best])
}

/// The parts of a line that have a closed form each.
fn pieces(
    arena: &mut Arena,
    line: &[(BitVec, Term)],
    counter: Term,
    data: &[Term],
) -> Vec<(Range<usize>, Term)> {
    let (mut found, mut start) = (Vec::new(), 0);
    while start + POINTS <= line.len() && found.len() < PIECES {
        let first: Vec<Term> = line[start..start + POINTS].iter().map(|it| it.1).collect();
        let Some(form) = closed_form(arena, &first, &line[start].0, counter, data) else {
            start += 1;
            continue;
        };
        let mut end = start + POINTS;
        while let Some((x, value)) = line.get(end) {
            let x = arena.bv_constant(x.clone());
            let mut at = Substitution::new();
            at.insert(counter, x);
            if at.apply(arena, form) != *value {
                break;
            }
            end += 1;
        }
        found.push((start..end, form));
        start = end;
    }
    found
}

/// Values over data as one value over data and the counter, which is `least` at the first of them.
fn closed_form(
    arena: &mut Arena,
    values: &[Term],
    least: &BitVec,
    counter: Term,
    data: &[Term],
) -> Option<Term> {
    let first = *values.first()?;
    let is_open = |arena: &Arena, it| arena.free_variables(it).iter().all(|it| data.contains(it));
    if values.iter().all(|&value| value == first) && is_open(arena, first) {
        return Some(first);
    }
    let width = arena.sort(first).width()?;
    let summands: Vec<Term> =
        data.iter().copied().filter(|&it| arena.sort(it).width() == Some(width)).collect();
    let mut rows = Vec::new();
    for &value in values {
        rows.push(coefficients(arena, value, width, &summands)?);
    }
    let column = |at: usize| -> Vec<BitVec> { rows.iter().map(|row| row[at].clone()).collect() };
    let mut sum = along(arena, &column(0), least, counter)?;
    for (at, &summand) in summands.iter().enumerate() {
        let factor = along(arena, &column(at + 1), least, counter)?;
        let product = arena.bv_mul(factor, summand);
        sum = arena.bv_add(sum, product);
    }
    Some(sum)
}

/// A value as a constant and coefficients of summands, if it is that.
fn coefficients(arena: &mut Arena, value: Term, width: u32, summands: &[Term]) -> Option<Vec<BitVec>> {
    let zero = arena.bv(width, 0);
    let mut at = |chosen: Option<Term>| {
        let mut point = Substitution::new();
        for &summand in summands {
            let one = if chosen == Some(summand) { arena.bv(width, 1) } else { zero };
            point.insert(summand, one);
        }
        let there = point.apply(arena, value);
        arena.as_bitvec(there).cloned()
    };
    let constant = at(None)?;
    let mut all = vec![constant.clone()];
    for &summand in summands {
        all.push(at(Some(summand))?.sub(&constant));
    }
    let mut sum = arena.bv_constant(constant);
    for (&summand, factor) in summands.iter().zip(&all[1..]) {
        let factor = arena.bv_constant(factor.clone());
        let product = arena.bv_mul(factor, summand);
        sum = arena.bv_add(sum, product);
    }
    (sum == value).then_some(all)
}

/// A sequence as a function of the counter.
fn along(arena: &mut Arena, sequence: &[BitVec], least: &BitVec, counter: Term) -> Option<Term> {
    let differences = |of: &[BitVec]| -> Vec<BitVec> { of.windows(2).map(|it| it[1].sub(&it[0])).collect() };
    let first = differences(sequence);
    let width = sequence.first()?.width();
    let start = arena.bv_constant(sequence[0].clone());
    if first.iter().all(BitVec::is_zero) {
        return Some(start);
    }
    if least.width() != width {
        return None;
    }
    let origin = arena.bv_constant(least.clone());
    let from = arena.bv_sub(counter, origin);
    let by = arena.bv_constant(first[0].clone());
    let second = differences(&first);
    let constant = second.iter().all(|it| *it == second[0]);
    if constant && !second[0].bit(0) {
        let half = arena.bv_constant(second[0].lshr_by(1));
        let one = arena.bv(width, 1);
        let before = arena.bv_sub(from, one);
        let pairs = arena.bv_mul(from, before);
        let parts = [arena.bv_mul(by, from), arena.bv_mul(half, pairs)];
        return Some(parts.into_iter().fold(start, |sum, part| arena.bv_add(sum, part)));
    }
    if first.windows(2).all(|it| it[1] == it[0].neg()) {
        let one = arena.bv(width, 1);
        let odd = arena.bv_and(from, one);
        let changed = arena.bv_mul(by, odd);
        return Some(arena.bv_add(start, changed));
    }
    if first.windows(2).all(|it| it[1] == it[0].add(&it[0])) {
        let one = arena.bv(width, 1);
        let power = arena.bv_shl(one, from);
        let less = arena.bv_sub(power, one);
        let grown = arena.bv_mul(by, less);
        return Some(arena.bv_add(start, grown));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use nilas_term::{Evaluator, Model, Sort, Value};

    fn sequence(of: impl Fn(u64) -> u64) -> Vec<BitVec> {
        (3..10).map(|x| BitVec::new(16, of(x))).collect()
    }

    #[test]
    fn sequences_have_closed_forms() {
        let mut arena = Arena::new();
        let x = arena.variable("x", &Sort::BitVec(16)).expect("a new name");
        let least = BitVec::new(16, 3);
        let forms: [fn(u64) -> u64; 6] =
            [|_| 7, |x| 5 * x + 2, |x| x * x, |x| (1 << x) - 1, |x| 3 * x * x + (x << 2), |x| x % 2 * 9 + 4];
        for form in forms {
            let term = along(&mut arena, &sequence(form), &least, x).expect("a closed form");
            for at in [3, 5, 11, 14] {
                let mut model = Model::new();
                model.set(x, Value::BitVec(BitVec::new(16, at)));
                let value = Evaluator::new(model).eval(&arena, term).expect("it has a value");
                assert_eq!(value.as_bitvec().and_then(BitVec::to_u64), Some(form(at) & 0xffff));
            }
        }
        let odd: fn(u64) -> u64 = |x| x * (x + 1) / 2;
        assert!(along(&mut arena, &sequence(odd), &least, x).is_none());
    }
}
