//! The values of a term whose variables lie in intervals: signed bounds, if no operation wraps.

use nilas_term::{Arena, BitVec, Op, Sort, Term};
use rustc_hash::FxHashMap;

/// From the least to the largest value.
pub(super) type Bounds = (i128, i128);

/// Words that are wider are not looked at.
const WIDEST: u32 = 64;

/// A word as a signed number.
pub(super) fn number(value: &BitVec) -> Option<i128> {
    if value.width() <= WIDEST { value.to_i64().map(i128::from) } else { None }
}

/// All numbers of a width.
fn all(width: u32) -> Bounds {
    let half = 1_i128 << (width - 1);
    (-half, half - 1)
}

/// The bounds of a term; `None` where an operation may wrap, or is none of those that are known here.
pub(super) fn bounds(
    arena: &Arena,
    term: Term,
    variable: &mut dyn FnMut(Term) -> Option<Bounds>,
) -> Option<Bounds> {
    let mut known: FxHashMap<Term, Option<Bounds>> = FxHashMap::default();
    let mut stack = vec![(term, false)];
    while let Some((term, is_done)) = stack.pop() {
        if known.contains_key(&term) {
            continue;
        }
        let Sort::BitVec(width) = *arena.sort(term) else {
            known.insert(term, None);
            continue;
        };
        if width > WIDEST {
            return None;
        }
        let children = arena.children(term);
        let op = arena.op(term);
        if let Some(value) = arena.as_bitvec(term) {
            known.insert(term, number(value).map(|it| (it, it)));
        } else if children.is_empty() {
            known.insert(term, variable(term).or(Some(all(width))));
        } else if !is_done {
            stack.push((term, true));
            stack.extend(children.iter().map(|&child| (child, false)));
        } else {
            let of = |index: usize| known.get(&children[index]).copied().flatten();
            let result = operation(op, width, children.len(), &of);
            let fits = result.filter(|&(low, high)| all(width).0 <= low && high <= all(width).1);
            // What may wrap is not known; whoever uses it does not know either.
            fits?;
            known.insert(term, fits);
        }
    }
    known.get(&term).copied().flatten()
}

fn operation(op: Op, width: u32, count: usize, of: &dyn Fn(usize) -> Option<Bounds>) -> Option<Bounds> {
    let half = 1_i128 << (width - 1);
    match op {
        Op::BvAdd => (0..count).try_fold((0, 0), |(low, high), index| {
            let (least, most) = of(index)?;
            Some((low + least, high + most))
        }),
        Op::BvNeg => of(0).map(|(low, high)| (-high, -low)),
        Op::BvMul => (1..count).try_fold(of(0)?, |(low, high), index| {
            let (least, most) = of(index)?;
            let corners = [
                low.checked_mul(least)?,
                low.checked_mul(most)?,
                high.checked_mul(least)?,
                high.checked_mul(most)?,
            ];
            Some((corners.into_iter().min()?, corners.into_iter().max()?))
        }),
        Op::BvSdiv => {
            let ((low, high), divisor) = (of(0)?, constant(of(1)?)?);
            let ends = [low / divisor, high / divisor];
            Some((ends[0].min(ends[1]), ends[0].max(ends[1])))
        }
        Op::BvSrem => {
            let ((low, high), divisor) = (of(0)?, constant(of(1)?)?.abs());
            // Between two multiples the rest grows with the number.
            if low / divisor == high / divisor && (low >= 0 || high <= 0) {
                return Some((low % divisor, high % divisor));
            }
            let least = if low < 0 { low.max(1 - divisor) } else { 0 };
            let most = if high > 0 { high.min(divisor - 1) } else { 0 };
            Some((least, most))
        }
        Op::Ite => {
            let ((low, high), (least, most)) = (of(1)?, of(2)?);
            Some((low.min(least), high.max(most)))
        }
        Op::SignExtend(_) => of(0),
        Op::ZeroExtend(_) => of(0).filter(|&(low, _)| low >= 0),
        Op::Extract { lo: 0, .. } => of(0).filter(|&(low, high)| -half <= low && high < half),
        _ => None,
    }
}

/// The number that bounds leave, if it is one to divide by.
fn constant((low, high): Bounds) -> Option<i128> {
    (low == high && low != 0).then_some(low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nilas_term::{Evaluator, Model, Value};

    /// Every value of a term lies within its bounds, for all values of a narrow variable from one to another.
    #[test]
    fn bounds_hold_all_values() {
        let mut arena = Arena::new();
        let sort = Sort::BitVec(8);
        let x = arena.variable("x", &sort).expect("a new variable");
        let word = |arena: &mut Arena, value: i64| arena.bv_constant(BitVec::from_signed(8, &value.into()));
        let mut terms = Vec::new();
        for divisor in [5, -3, 1, 17] {
            let by = word(&mut arena, divisor);
            terms.push(arena.bv_sdiv(x, by));
            terms.push(arena.bv_srem(x, by));
            terms.push(arena.bv_mul(x, by));
            let sum = arena.bv_add(x, by);
            terms.push(arena.bv_sdiv(sum, by));
            terms.push(arena.bv_neg(sum));
        }
        let mut decided = 0;
        for (low, high) in [(-128_i128, 127), (-20, 13), (3, 9), (-9, -2), (0, 0), (100, 127), (-7, 7)] {
            for &term in &terms {
                let Some((least, most)) = bounds(&arena, term, &mut |_| Some((low, high))) else { continue };
                decided += 1;
                for value in low..=high {
                    let mut model = Model::new();
                    let value = i64::try_from(value).expect("a small number");
                    model.set(x, Value::BitVec(BitVec::from_signed(8, &value.into())));
                    let result = Evaluator::new(model).eval(&arena, term).expect("a value");
                    let result = result.as_bitvec().and_then(number).expect("a number");
                    assert!(least <= result && result <= most, "{value} gives {result}");
                }
            }
        }
        assert!(decided > 80, "{decided}");
    }
}
