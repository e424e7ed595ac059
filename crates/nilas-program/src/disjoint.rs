//! Conditions that cannot hold together, by their looks.
//!
//! A sufficient test: it says yes only where the two really exclude each other. It knows what forks of
//! programs look like: a condition and its negation, and comparisons of one term with different numbers
//! (`switch`).

use nilas_term::{Arena, BitVec, Op, Term};

/// More conjuncts than that are not compared.
const MOST: usize = 32;

/// Whether two Boolean terms exclude each other.
pub(crate) fn are_disjoint(arena: &mut Arena, left: Term, right: Term) -> bool {
    if arena.as_bool(left) == Some(false) || arena.as_bool(right) == Some(false) {
        return true;
    }
    let (left, right) = (conjuncts(arena, left), conjuncts(arena, right));
    let ranges: Vec<Option<Range>> = right.iter().map(|&term| Range::of(arena, term)).collect();
    left.iter().any(|&one| {
        let negation = arena.not(one);
        let range = Range::of(arena, one);
        right.iter().zip(&ranges).any(|(&other, other_range)| {
            other == negation
                || matches!((&range, other_range), (Some(range), Some(other)) if range.misses(other))
        })
    })
}

fn conjuncts(arena: &Arena, term: Term) -> Vec<Term> {
    match arena.op(term) {
        Op::And => arena.children(term).iter().copied().take(MOST).collect(),
        _ => vec![term],
    }
}

/// The values that a comparison with a number leaves to a term.
struct Range {
    term: Term,
    signed: Option<bool>,
    least: BitVec,
    most: BitVec,
}

impl Range {
    fn of(arena: &Arena, condition: Term) -> Option<Range> {
        let &[left, right] = arena.children(condition) else { return None };
        let (number, term) = match (arena.as_bitvec(left), arena.as_bitvec(right)) {
            (Some(number), None) => (number, right),
            (None, Some(number)) => (number, left),
            _ => return None,
        };
        let signed = match arena.op(condition) {
            Op::Eq => return Some(Range { term, signed: None, least: number.clone(), most: number.clone() }),
            Op::BvUlt | Op::BvUle => false,
            Op::BvSlt | Op::BvSle => true,
            _ => return None,
        };
        let strict = matches!(arena.op(condition), Op::BvUlt | Op::BvSlt);
        let (bottom, top) = if signed {
            (BitVec::min_signed(number.width()), BitVec::max_signed(number.width()))
        } else {
            (BitVec::zero(number.width()), BitVec::ones(number.width()))
        };
        let one = BitVec::one(number.width());
        let (least, most) = match (term == right, strict) {
            // A strict comparison that no value satisfies is false already; there is nothing to gain here.
            (true, true) if *number == top => return None,
            (false, true) if *number == bottom => return None,
            (true, true) => (number.add(&one), top),
            (true, false) => (number.clone(), top),
            (false, true) => (bottom, number.sub(&one)),
            (false, false) => (bottom, number.clone()),
        };
        Some(Range { term, signed: Some(signed), least, most })
    }

    fn misses(&self, other: &Range) -> bool {
        // An equality can be read either way; both ranges must be read the same way.
        let signed = match (self.signed, other.signed) {
            (Some(one), Some(two)) if one != two => return false,
            (one, two) => one.or(two).unwrap_or(false),
        };
        let below = |low: &BitVec, high: &BitVec| if signed { low.slt(high) } else { low.ult(high) };
        self.term == other.term && (below(&self.most, &other.least) || below(&other.most, &self.least))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{self, Rng};
    use nilas_term::{Evaluator, Model, Sort, Value};

    /// All pairs of comparisons with numbers, at width 3: never wrong, and exact where one reading fits both.
    #[test]
    fn comparisons_with_numbers() {
        let mut arena = Arena::new();
        let x = arena.variable("x", &Sort::BitVec(3)).expect("a new name");
        let mut comparisons = Vec::new();
        for op in [Op::Eq, Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle] {
            for number in 0..8 {
                let number = arena.bv(3, number);
                comparisons.extend([arena.mk(op, &[x, number]), arena.mk(op, &[number, x])]);
            }
        }
        let mut found = 0;
        for &left in &comparisons {
            for &right in &comparisons {
                let together = (0..8).any(|value| {
                    let value = Value::BitVec(BitVec::new(3, value));
                    let mut evaluator = Evaluator::new([(x, value)].into_iter().collect::<Model>());
                    evaluator.holds(&arena, left) == Ok(true) && evaluator.holds(&arena, right) == Ok(true)
                });
                let disjoint = are_disjoint(&mut arena, left, right);
                assert!(!(disjoint && together), "{left:?} and {right:?}");
                let readings = [left, right].map(|term| arena.op(term));
                let signed = readings.iter().any(|op| matches!(op, Op::BvSlt | Op::BvSle));
                let unsigned = readings.iter().any(|op| matches!(op, Op::BvUlt | Op::BvUle));
                let plain = readings.iter().all(|op| !matches!(op, Op::Not | Op::Const(_)));
                if plain && !(signed && unsigned) {
                    assert_eq!(disjoint, !together, "{left:?} and {right:?}");
                }
                found += usize::from(disjoint);
            }
        }
        assert!(found > 1000, "{found}");
    }

    #[test]
    fn random_conditions() {
        for seed in 0..3000 {
            let mut rng = Rng::new(seed);
            let mut program =
                random::single_command(&mut rng, &random::Shape { width: 2, ..Default::default() });
            let left = random::condition(&mut rng, &mut program, 2);
            let right = random::condition(&mut rng, &mut program, 2);
            if are_disjoint(&mut program.arena, left, right) {
                for _ in 0..30 {
                    let values = program.automaton.variables.iter();
                    let model: Model = values
                        .map(|variable| (variable.term, random::value(&mut rng, &variable.sort)))
                        .collect();
                    let mut evaluator = Evaluator::new(model);
                    let both =
                        [left, right].iter().all(|&term| evaluator.holds(&program.arena, term) == Ok(true));
                    assert!(!both, "seed {seed}");
                }
            }
        }
    }
}
