//! Lemma templates: instances of laws of arithmetic, tried on literals that contradict each other.
//!
//! That they do is a fact about these literals alone. Most such facts are instances of a few laws, and an
//! instance says more than the contradiction that needs it (the thesis names commutativity and monotonicity
//! as what would address its weakness, §3.6). So the instances over their terms are given to the EUF solver,
//! and if these exclude the literals, those that were needed are the lemmas: they hold at every step and are
//! shared. Commutativity is in the normal form of terms.
//!
//! - *order*: `<` excludes its converse and equality, one of the three holds, it is transitive;
//! - *identity*: `x + 0`, `x * 1`, `x * 0`, `x - x`;
//! - *injectivity* of `+ c`: equal sums have equal summands, and `x + c` is not `x`;
//! - *monotonicity*: `x < y` implies `x + 1 <= y` and that `x + 1` is above `x`;
//! - *bounds of results*: of remainders, quotients, masks, extensions and right shifts;
//! - *sign*: the signed order of what is not negative is the unsigned one.

use nilas_term::{Arena, BitVec, Op, Sort, Term};
use rustc_hash::FxHashSet;

/// So many instances are tried.
const MOST: usize = 400;

/// Clauses that hold of all values, over the terms of some literals.
pub(super) fn instances(arena: &mut Arena, literals: &[Term]) -> Vec<Vec<Term>> {
    let terms = words(arena, literals);
    let mut found = Instances { clauses: Vec::new(), seen: FxHashSet::default() };
    for &term in &terms {
        found.results(arena, term);
    }
    found.sums(arena, &terms);
    let compared = comparisons(arena, literals);
    for strict in [Op::BvUlt, Op::BvSlt] {
        found.order(arena, strict, &compared);
    }
    found.clauses
}

struct Instances {
    clauses: Vec<Vec<Term>>,
    seen: FxHashSet<Vec<Term>>,
}

impl Instances {
    /// A clause, unless it says nothing.
    fn add(&mut self, arena: &Arena, clause: impl IntoIterator<Item = Term>) {
        let mut clause: Vec<Term> =
            clause.into_iter().filter(|&literal| arena.as_bool(literal) != Some(false)).collect();
        clause.sort_unstable();
        clause.dedup();
        let holds = clause.iter().any(|&literal| arena.as_bool(literal) == Some(true));
        if !holds && !clause.is_empty() && self.clauses.len() < MOST && self.seen.insert(clause.clone()) {
            self.clauses.push(clause);
        }
    }

    /// Identity, and bounds of results.
    fn results(&mut self, arena: &mut Arena, term: Term) {
        let &Sort::BitVec(width) = arena.sort(term) else { return };
        let children = arena.children(term).to_vec();
        let [zero, one] = [0, 1].map(|value| arena.bv(width, value));
        match (arena.op(term), &children[..]) {
            (Op::BvAdd | Op::BvOr | Op::BvXor, &[left, right]) => {
                for (this, other) in [(left, right), (right, left)] {
                    self.if_equal(arena, this, zero, term, other);
                }
            }
            (Op::BvMul, &[left, right]) => {
                for (this, other) in [(left, right), (right, left)] {
                    self.if_equal(arena, this, zero, term, zero);
                    self.if_equal(arena, this, one, term, other);
                }
            }
            (Op::BvAnd, &[left, right]) => {
                for operand in [left, right] {
                    let bounded = arena.bv_ule(term, operand);
                    self.add(arena, [bounded]);
                    self.if_equal(arena, operand, zero, term, zero);
                }
            }
            (Op::BvUrem, &[dividend, divisor]) => {
                let (is_zero, below) = (arena.eq(divisor, zero), arena.bv_ult(term, divisor));
                self.add(arena, [is_zero, below]);
                let bounded = arena.bv_ule(term, dividend);
                self.add(arena, [bounded]);
                let (above, same) = (arena.bv_ule(divisor, dividend), arena.eq(term, dividend));
                self.add(arena, [above, same]);
            }
            (Op::BvUdiv, &[dividend, divisor]) => {
                let (is_zero, bounded) = (arena.eq(divisor, zero), arena.bv_ule(term, dividend));
                self.add(arena, [is_zero, bounded]);
                self.if_equal(arena, divisor, one, term, dividend);
            }
            (Op::BvLshr, &[shifted, by]) => {
                let bounded = arena.bv_ule(term, shifted);
                self.add(arena, [bounded]);
                self.if_equal(arena, by, zero, term, shifted);
            }
            (Op::BvShl, &[shifted, by]) => self.if_equal(arena, by, zero, term, shifted),
            (Op::ZeroExtend(_), &[narrow]) => {
                let &Sort::BitVec(from) = arena.sort(narrow) else { return };
                let largest = BitVec::ones(from).zero_extend(width - from);
                let largest = arena.constant(nilas_term::Value::BitVec(largest));
                let bounded = arena.bv_ule(term, largest);
                self.add(arena, [bounded]);
            }
            _ => {}
        }
    }

    /// If this is that, these are equal.
    fn if_equal(&mut self, arena: &mut Arena, this: Term, that: Term, left: Term, right: Term) {
        let (condition, same) = (arena.ne(this, that), arena.eq(left, right));
        self.add(arena, [condition, same]);
    }

    /// Injectivity and monotonicity of sums with constants.
    fn sums(&mut self, arena: &mut Arena, terms: &[Term]) {
        let mut sums: Vec<(Term, Term, Term)> = Vec::new();
        for &term in terms {
            if arena.op(term) != Op::BvAdd {
                continue;
            }
            let &[left, right] = arena.children(term) else { continue };
            let (base, constant) = if arena.as_value(left).is_some() { (right, left) } else { (left, right) };
            if arena.as_value(constant).is_some() {
                sums.push((term, base, constant));
            }
        }
        for (index, &(sum, base, constant)) in sums.iter().enumerate() {
            let other = arena.ne(sum, base);
            self.add(arena, [other]);
            for &(second, other_base, other_constant) in &sums[..index] {
                if arena.sort(second) != arena.sort(sum) {
                    continue;
                }
                let (differ, same) = (arena.ne(sum, second), arena.eq(base, other_base));
                if constant == other_constant {
                    self.add(arena, [differ, same]);
                } else {
                    let bases_differ = arena.not(same);
                    self.add(arena, [bases_differ, differ]);
                }
            }
            let Some(value) = arena.as_bitvec(constant) else { continue };
            let width = value.width();
            let up = *value == BitVec::one(width);
            let down = *value == BitVec::ones(width);
            let bounds = [BitVec::ones(width), BitVec::max_signed(width)];
            let lowest = [BitVec::zero(width), BitVec::min_signed(width)];
            for (strict, (greatest, least)) in
                [Op::BvUlt, Op::BvSlt].into_iter().zip(bounds.into_iter().zip(lowest))
            {
                if up {
                    // x is the greatest, or x < x + 1.
                    let greatest = arena.constant(nilas_term::Value::BitVec(greatest));
                    let (ends, above) = (arena.eq(base, greatest), arena.mk(strict, &[base, sum]));
                    self.add(arena, [ends, above]);
                } else if down {
                    let least = arena.constant(nilas_term::Value::BitVec(least));
                    let (ends, below) = (arena.eq(base, least), arena.mk(strict, &[sum, base]));
                    self.add(arena, [ends, below]);
                }
            }
        }
    }

    /// The laws of a strict order, on the terms that are compared by it or by the other one.
    fn order(&mut self, arena: &mut Arena, strict: Op, compared: &[(Term, Term)]) {
        let mut pairs: Vec<(Term, Term)> = Vec::new();
        for &(left, right) in compared {
            for pair in [(left, right), (right, left)] {
                if !pairs.contains(&pair) {
                    pairs.push(pair);
                }
            }
        }
        for &(left, right) in &pairs {
            let (less, more) = (arena.mk(strict, &[left, right]), arena.mk(strict, &[right, left]));
            let same = arena.eq(left, right);
            self.add(arena, [less, more, same]);
            let (not_less, not_more) = (arena.not(less), arena.not(more));
            self.add(arena, [not_less, not_more]);
            let differ = arena.not(same);
            self.add(arena, [not_less, differ]);
            self.sign(arena, left, right);
        }
        let constants = constants(arena, compared);
        for &(left, middle) in &pairs {
            for &(other, right) in &pairs {
                if other == middle && right != left {
                    self.transitive(arena, strict, left, middle, right);
                }
            }
            // A bound that is a constant is one of all constants beyond it.
            for &constant in &constants {
                if arena.sort(constant) == arena.sort(middle) && arena.as_value(middle).is_some() {
                    self.transitive(arena, strict, left, middle, constant);
                    self.transitive(arena, strict, constant, middle, left);
                }
            }
        }
    }

    fn transitive(&mut self, arena: &mut Arena, strict: Op, left: Term, middle: Term, right: Term) {
        let (first, second) = (arena.mk(strict, &[left, middle]), arena.mk(strict, &[middle, right]));
        let both = arena.mk(strict, &[left, right]);
        let (first, second) = (arena.not(first), arena.not(second));
        self.add(arena, [first, second, both]);
    }

    /// Where neither is negative, both orders say the same.
    fn sign(&mut self, arena: &mut Arena, left: Term, right: Term) {
        let &Sort::BitVec(width) = arena.sort(left) else { return };
        let zero = arena.bv(width, 0);
        let [one, other] = [left, right].map(|term| arena.bv_slt(term, zero));
        let (signed, unsigned) = (arena.bv_slt(left, right), arena.bv_ult(left, right));
        let (not_signed, not_unsigned) = (arena.not(signed), arena.not(unsigned));
        self.add(arena, [one, other, not_signed, unsigned]);
        self.add(arena, [one, other, signed, not_unsigned]);
    }
}

/// The bit-vectors below literals, each once, children first.
fn words(arena: &Arena, literals: &[Term]) -> Vec<Term> {
    let (mut found, mut seen, mut stack) = (Vec::new(), FxHashSet::default(), literals.to_vec());
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            if matches!(arena.sort(term), Sort::BitVec(_)) {
                found.push(term);
            }
            stack.extend_from_slice(arena.children(term));
        }
    }
    found.reverse();
    found
}

/// The pairs of terms that comparisons of bit-vectors are about.
fn comparisons(arena: &Arena, literals: &[Term]) -> Vec<(Term, Term)> {
    let (mut found, mut seen, mut stack) = (Vec::new(), FxHashSet::default(), literals.to_vec());
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        let children = arena.children(term);
        let is_order = matches!(arena.op(term), Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle);
        if is_order && !found.contains(&(children[0], children[1])) {
            found.push((children[0], children[1]));
        }
        stack.extend_from_slice(children);
    }
    found
}

/// The constants among them.
fn constants(arena: &Arena, compared: &[(Term, Term)]) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    for term in compared.iter().flat_map(|&(left, right)| [left, right]) {
        if arena.as_value(term).is_some() && !found.contains(&term) {
            found.push(term);
        }
    }
    found
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use nilas_term::{Evaluator, Model, Value};

    /// Every instance holds of all values: all of them are tried, at three bits.
    #[test]
    fn instances_hold_of_all_values() {
        let mut arena = Arena::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| arena.variable(name, &Sort::BitVec(3)).unwrap());
        let narrow = arena.variable("n", &Sort::BitVec(2)).unwrap();
        let [one, two, five, all] = [1, 2, 5, 7].map(|value| arena.bv(3, value));
        let wide = arena.zero_extend(narrow, 1);
        let sums = [(x, one), (x, two), (y, one), (y, all), (x, y)].map(|(a, b)| arena.bv_add(a, b));
        let others = [
            arena.bv_mul(x, y),
            arena.bv_and(x, five),
            arena.bv_or(x, y),
            arena.bv_urem(x, y),
            arena.bv_udiv(y, z),
            arena.bv_lshr(x, y),
            arena.bv_shl(x, z),
            wide,
        ];
        let mut literals = Vec::new();
        for &term in sums.iter().chain(&others) {
            literals.push(arena.eq(term, z));
        }
        for (left, right) in [(x, y), (y, five), (two, x), (sums[0], y), (wide, z)] {
            literals.push(arena.bv_ult(left, right));
            literals.push(arena.bv_sle(left, right));
        }
        let clauses = instances(&mut arena, &literals);
        assert!(clauses.len() > 100, "{}", clauses.len());
        for values in 0..1 << 11 {
            let mut model = Model::new();
            for (position, variable) in [x, y, z].into_iter().enumerate() {
                model.set(variable, Value::BitVec(BitVec::new(3, (values >> (3 * position)) & 7)));
            }
            model.set(narrow, Value::BitVec(BitVec::new(2, values >> 9)));
            let mut evaluator = Evaluator::new(model);
            for clause in &clauses {
                let holds = clause.iter().any(|&literal| evaluator.holds(&arena, literal) == Ok(true));
                assert!(holds, "{values:o}: {clause:?}");
            }
        }
    }
}
