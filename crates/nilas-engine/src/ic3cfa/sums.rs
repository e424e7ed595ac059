//! Sums of bounds.
//!
//! A loop that moves two variables against each other has an invariant about their sum, and no cube from the
//! error mentions it: `k <= 0` and `j < n` say nothing of `k + j`. But where both hold, and no sum wraps
//! around, `k + j < n` does. So the sum of two inequalities of a cube is a conjecture: its lemma,
//! `k + j >= n`, is often inductive where that of the cube is not. (A combination of inequalities with
//! coefficients of one, as Farkas' lemma has it; the search for such a combination is left to the obligations
//! that come of the conjecture, each of which adds what it needs.)
//!
//! Sums are taken in the width of the variables: then what a loop adds on one side and takes away on the
//! other cancels without a question. That sums may wrap around costs nothing but a conjecture that does not
//! hold, or does not help.

use super::Ic3Cfa;
use super::conjecture::Conjecture;
use super::technique::Technique;
use crate::outcome::Unknown;
use crate::pdr::Level;
use nilas_program::LocationId;
use nilas_smt::weaken::Shape;
use nilas_term::{Arena, BitVec, Cube, Op, Term};
use rustc_hash::FxHashSet;

/// Obligations before which nothing is summed: what is proved by then needs no sums.
const PATIENCE: u64 = 2;
/// Sums that are tried for one obligation.
const SUMS: usize = 6;
/// Terms that stand on one side at most.
const TERMS: usize = 4;
/// Sums and summands that are looked at to take a term apart.
const SUMMANDS: usize = 64;
/// After so many conjectures, they are only made as long as one in so many is of use.
const TRIES: u64 = 24;
const ONE_IN: u64 = 4;

/// What was tried.
#[derive(Debug, Default)]
pub(super) struct Sums {
    tried: FxHashSet<(LocationId, Cube)>,
    /// Conjectures made, and those that became lemmas after some work. One that is blocked at once was
    /// perhaps known.
    made: u64,
    kept: u64,
}

/// The sum of some terms and a number is at most the sum of others, as long as nothing wraps around.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Inequality {
    signed: bool,
    width: u32,
    left: Vec<Term>,
    right: Vec<Term>,
    /// Stands on the left.
    number: BitVec,
}

impl Inequality {
    /// What a literal says, if it is an inequality.
    fn of(arena: &mut Arena, literal: Term) -> Option<Self> {
        let (left, right, signed, strict) = match Shape::of(arena, literal) {
            Shape::Less { left, right, signed, strict } => (left, right, signed, strict),
            Shape::Bound { term, order, rank } => {
                let bound = arena.bv_constant(order.rank(&rank));
                let (left, right) = if order.upper { (term, bound) } else { (bound, term) };
                (left, right, order.signed, false)
            }
            Shape::Equal(..) | Shape::Other => return None,
        };
        let width = arena.sort(left).width()?;
        let number = BitVec::new(width, u64::from(strict));
        let mut this = Inequality { signed, width, left: Vec::new(), right: Vec::new(), number };
        this.add(arena, left, true)?;
        this.add(arena, right, false)?;
        Some(this)
    }

    /// Adds the summands of a term to a side; `None` if they are too many. Sums that share parts can have
    /// more summands than there are terms.
    fn add(&mut self, arena: &Arena, term: Term, to_left: bool) -> Option<()> {
        let mut todo = vec![(term, to_left)];
        for _ in 0..SUMMANDS {
            let Some((term, to_left)) = todo.pop() else { return Some(()) };
            if let Some(constant) = arena.as_bitvec(term) {
                self.number = if to_left { self.number.add(constant) } else { self.number.sub(constant) };
                continue;
            }
            match (arena.op(term), arena.children(term)) {
                (Op::BvAdd, parts) => todo.extend(parts.iter().map(|&part| (part, to_left))),
                (Op::BvNeg, &[part]) => todo.push((part, !to_left)),
                _ => {
                    let (here, there) = if to_left {
                        (&mut self.left, &mut self.right)
                    } else {
                        (&mut self.right, &mut self.left)
                    };
                    // What stands on both sides goes.
                    match there.iter().position(|&other| other == term) {
                        Some(place) => {
                            there.swap_remove(place);
                        }
                        None => here.push(term),
                    }
                }
            }
        }
        None
    }

    /// Whether it is about more than one term. Sums of bounds by constants say less than each of them.
    fn is_relation(&self) -> bool {
        self.left.len() + self.right.len() > 1
    }

    /// What holds where both do.
    fn plus(&self, arena: &Arena, other: &Inequality) -> Option<Self> {
        if (self.signed, self.width) != (other.signed, other.width) {
            return None;
        }
        let mut sum = self.clone();
        for &term in &other.left {
            sum.add(arena, term, true)?;
        }
        for &term in &other.right {
            sum.add(arena, term, false)?;
        }
        sum.number = sum.number.add(&other.number);
        let most = sum.left.len().max(sum.right.len());
        (1..=TERMS).contains(&most).then_some(sum)
    }

    fn literal(&self, arena: &mut Arena) -> Option<Term> {
        // a + 1 <= b is a < b, which cannot wrap around.
        let negative = self.number.sign_bit();
        let strict = !negative && !self.number.is_zero();
        let number = if strict { self.number.sub(&BitVec::one(self.width)) } else { self.number.clone() };
        let (left, right) = if negative { (None, Some(number.neg())) } else { (Some(number), None) };
        let [left, right] = [(&self.left, left), (&self.right, right)].map(|(terms, number)| {
            let number = number.unwrap_or_else(|| BitVec::zero(self.width));
            let start = arena.bv_constant(number);
            terms.iter().fold(start, |sum, &term| arena.bv_add(sum, term))
        });
        let literal = match (self.signed, strict) {
            (true, true) => arena.bv_slt(left, right),
            (true, false) => arena.bv_sle(left, right),
            (false, true) => arena.bv_ult(left, right),
            (false, false) => arena.bv_ule(left, right),
        };
        arena.as_bool(literal).is_none().then_some(literal)
    }
}

impl Ic3Cfa<'_, '_> {
    /// Conjectures sums of two inequalities of an obligation's cube, alone and if that was tried with the
    /// rest. Returns whether there are some.
    pub(super) fn conjecture_sums(&mut self, level: Level, location: LocationId, cube: &Cube) -> bool {
        let techniques = self.instance.techniques;
        if !techniques.contains(Technique::Sums) || self.statistics.obligations < PATIENCE {
            return false;
        }
        let Sums { made, kept, .. } = self.instance.sums;
        if made > TRIES && kept * ONE_IN < made {
            return false;
        }
        let arena = &mut self.arena;
        let inequality = |literal| Some((literal, Inequality::of(arena, literal)?));
        let inequalities: Vec<(Term, Inequality)> = cube.iter().filter_map(inequality).collect();
        let mut found = 0;
        for (index, (first, one)) in inequalities.iter().enumerate() {
            for (second, other) in &inequalities[index + 1..] {
                if !one.is_relation() && !other.is_relation() {
                    continue;
                }
                let sum = one.plus(&self.arena, other);
                let Some(sum) = sum.and_then(|sum| sum.literal(&mut self.arena)) else { continue };
                let alone = Cube::new([sum]);
                let rest = cube.without(*first).without(*second).union(&alone);
                for cube in [alone, rest] {
                    if found < SUMS && self.instance.sums.tried.insert((location, cube.clone())) {
                        found += 1;
                        self.instance.sums.made += 1;
                        let technique = Technique::Sums;
                        self.instance.conjectures.push(Conjecture { technique, level, location, cube });
                        break;
                    }
                }
            }
        }
        found > 0
    }

    /// Takes note of a sum that was blocked. What is known of its variables may be needed for it to hold at
    /// higher levels: that it does not wrap around.
    pub(super) fn sum_is_blocked(
        &mut self,
        location: LocationId,
        cube: &Cube,
        at_once: bool,
    ) -> Result<(), Unknown> {
        if self.instance.sums.tried.contains(&(location, cube.clone())) {
            self.instance.sums.kept += u64::from(!at_once);
            let variables = self.arena.free_variables_of(cube.literals());
            self.use_candidates_about(location, &variables)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ic3cfa::{Settings, Techniques, ic3cfa};
    use crate::{Outcome, Silent};
    use nilas_program::parse_program;
    use nilas_smt::Budget;
    use nilas_term::{Evaluator, Model, Sort, Value};

    fn sum(arena: &mut Arena, one: Term, other: Term) -> Term {
        let one = Inequality::of(arena, one).expect("an inequality");
        let other = Inequality::of(arena, other).expect("an inequality");
        let sum = one.plus(arena, &other).expect("a sum");
        sum.literal(arena).expect("a literal")
    }

    #[test]
    fn inequalities_are_added_and_what_stands_on_both_sides_goes() {
        let mut arena = Arena::new();
        let [i, j, k, n] =
            ["i", "j", "k", "n"].map(|name| arena.variable(name, &Sort::BitVec(32)).expect("a new name"));
        let zero = arena.bv(32, 0);
        let (no_k, j_below_n) = (arena.bv_sle(k, zero), arena.bv_slt(j, n));
        let both = arena.bv_add(k, j);
        assert_eq!(sum(&mut arena, no_k, j_below_n), arena.bv_slt(both, n));
        let (k_below_n, i_below_n) = (arena.bv_slt(k, n), arena.bv_slt(i, n));
        let i_from_n = arena.not(i_below_n);
        assert_eq!(sum(&mut arena, k_below_n, i_from_n), arena.bv_slt(k, i));
        let unsigned = arena.bv_ult(k, n);
        let [signed, unsigned] = [k_below_n, unsigned].map(|it| Inequality::of(&mut arena, it).expect("one"));
        assert!(signed.plus(&arena, &unsigned).is_none());
    }

    /// Each sum is that of the two before it: a few terms, and more summands than can be counted.
    #[test]
    fn sums_that_share_parts_are_not_taken_apart() {
        let mut arena = Arena::new();
        let [x, y] = ["x", "y"].map(|name| arena.variable(name, &Sort::BitVec(32)).expect("a new name"));
        let (mut last, mut sum) = (x, y);
        for index in 0..200 {
            let fresh = arena.variable(&format!("z{index}"), &Sort::BitVec(32)).expect("a new name");
            let both = arena.bv_add(last, sum);
            (last, sum) = (sum, arena.bv_add(both, fresh));
        }
        let literal = arena.bv_slt(sum, x);
        assert!(Inequality::of(&mut arena, literal).is_none());
    }

    /// Of small numbers, which do not wrap around, the sum holds wherever both inequalities do.
    #[test]
    fn sums_follow_where_nothing_wraps_around() {
        let mut arena = Arena::new();
        let [x, y] = ["x", "y"].map(|name| arena.variable(name, &Sort::BitVec(8)).expect("a new name"));
        let three = arena.bv(8, 3);
        let sum_of_both = arena.bv_add(x, y);
        let next = arena.bv_add(x, three);
        let literals = [
            arena.bv_sle(x, three),
            arena.bv_sle(three, y),
            arena.bv_slt(x, y),
            arena.bv_slt(next, y),
            arena.bv_sle(sum_of_both, three),
        ];
        for one in literals {
            for other in literals {
                let Some(both) = [one, other]
                    .map(|it| Inequality::of(&mut arena, it).expect("an inequality"))
                    .split_first()
                    .and_then(|(one, other)| one.plus(&arena, &other[0]))
                    .and_then(|sum| sum.literal(&mut arena))
                else {
                    continue;
                };
                for code in 0..256 {
                    let mut model = Model::new();
                    for (variable, value) in [(x, code % 16), (y, code / 16)] {
                        // From -8 to 7.
                        model.set(variable, Value::BitVec(BitVec::new(8, value).sub(&BitVec::new(8, 8))));
                    }
                    let holds = |term| Evaluator::new(model.clone()).holds(&arena, term).expect("a formula");
                    assert!(!holds(one) || !holds(other) || holds(both));
                }
            }
        }
    }

    /// Counts up to `n` twice, down and up: `k + j >= n` in the second loop, `k >= i` in the first.
    #[test]
    fn loops_that_move_two_counters_are_proved() {
        let text = "var i, j, k, n : bv32 entry a error e a -> b { i := 0; k := 0; havoc n } \
             b -> b { assume i <s n; i := i + 1; k := k + 1 } b -> c { assume !(i <s n); j := 0 } \
             c -> c { assume j <s n && k >s 0; j := j + 1; k := k - 1 } c -> e { assume j <s n && !(k >s 0) }";
        let program = parse_program(text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let prove = |techniques: Techniques| {
            let settings =
                Settings { techniques, max_level: Some(12), check_frames: true, ..Settings::default() };
            ic3cfa(&program, settings, &Budget::unlimited(), &mut Silent)
        };
        let (outcome, counters) = prove(Techniques::default());
        assert!(matches!(outcome, Outcome::Safe(_)), "{outcome:?}");
        assert!(counters["sums: applied"] > 0, "{counters:?}");
    }
}
