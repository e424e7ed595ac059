//! Facts of simple forms that a side implies, confirmed by its solver.
//!
//! Each template looks at a model of the side first: only what holds there can be implied.

use super::Problem;
use crate::solver::Reason;
use crate::weaken::{Order, slice};
use nilas_term::{Arena, BitVec, Sort, Term, Value};

/// Variables and pairs of variables that templates are tried on.
const WORDS: usize = 12;
const PAIRS: usize = 40;

/// Adds facts over the shared words that the left side, which has a model, implies.
pub(super) type Template =
    fn(&mut Problem<'_, '_>, &mut Arena, &[Term], &mut Vec<Term>) -> Result<(), Reason>;

/// All templates, cheapest first.
pub(super) const ALL: [Template; 4] = [constants, pairs, low_bits, bounds];

/// The bit-vectors among the words, as far as they are tried.
fn vectors(arena: &Arena, words: &[Term]) -> Vec<Term> {
    words.iter().copied().filter(|&word| matches!(arena.sort(word), Sort::BitVec(_))).take(WORDS).collect()
}

/// `x = c`, and Booleans that are fixed.
fn constants(
    problem: &mut Problem<'_, '_>,
    arena: &mut Arena,
    words: &[Term],
    facts: &mut Vec<Term>,
) -> Result<(), Reason> {
    for &word in words.iter().take(WORDS) {
        if problem.left.satisfiable(arena, &[], problem.checks)? != Some(true) {
            return Ok(());
        }
        let fact = match problem.left.value(arena, word)? {
            Value::Bool(true) => word,
            Value::Bool(false) => arena.not(word),
            value => {
                let constant = arena.constant(value);
                arena.eq(word, constant)
            }
        };
        if problem.left.implies(arena, fact, problem.checks)? {
            facts.push(fact);
        }
    }
    Ok(())
}

/// `x = y`, `x = y + c`, and orders.
fn pairs(
    problem: &mut Problem<'_, '_>,
    arena: &mut Arena,
    words: &[Term],
    facts: &mut Vec<Term>,
) -> Result<(), Reason> {
    let words = vectors(arena, words);
    let mut left = PAIRS;
    for (position, &x) in words.iter().enumerate() {
        for &y in &words[position + 1..] {
            if arena.width(x) != arena.width(y) || left == 0 {
                continue;
            }
            left -= 1;
            if problem.left.satisfiable(arena, &[], problem.checks)? != Some(true) {
                return Ok(());
            }
            let (at_x, at_y) = (problem.left.word(arena, x)?, problem.left.word(arena, y)?);
            let shifted = if at_x == at_y {
                y
            } else {
                let difference = arena.bv_constant(at_x.sub(&at_y));
                arena.bv_add(y, difference)
            };
            let mut candidates = vec![arena.eq(x, shifted)];
            let (low, high) = if at_x.ule(&at_y) { (x, y) } else { (y, x) };
            candidates.push(arena.bv_ule(low, high));
            let (low, high) = if at_x.sle(&at_y) { (x, y) } else { (y, x) };
            candidates.push(arena.bv_sle(low, high));
            for fact in candidates {
                if problem.left.implies(arena, fact, problem.checks)? {
                    facts.push(fact);
                }
            }
        }
    }
    Ok(())
}

/// Low bits that are fixed: as many as there are.
fn low_bits(
    problem: &mut Problem<'_, '_>,
    arena: &mut Arena,
    words: &[Term],
    facts: &mut Vec<Term>,
) -> Result<(), Reason> {
    for word in vectors(arena, words) {
        if problem.left.satisfiable(arena, &[], problem.checks)? != Some(true) {
            return Ok(());
        }
        let value = problem.left.word(arena, word)?;
        // All `good` low bits are fixed, not all `bad` ones are; most words have none.
        let (mut good, mut bad) = (0, value.width() + 1);
        let mut guess = 1;
        let mut best = None;
        while guess > good && guess < bad {
            let part = slice(arena, word, guess - 1, 0);
            let constant = arena.bv_constant(value.extract(guess - 1, 0));
            let fact = arena.eq(part, constant);
            if problem.left.implies(arena, fact, problem.checks)? {
                (good, best) = (guess, Some(fact));
            } else {
                bad = guess;
            }
            guess = if bad > value.width() { value.width().min(2 * guess) } else { good.midpoint(bad) };
        }
        facts.extend(best);
    }
    Ok(())
}

/// The tightest bounds, unsigned and signed.
fn bounds(
    problem: &mut Problem<'_, '_>,
    arena: &mut Arena,
    words: &[Term],
    facts: &mut Vec<Term>,
) -> Result<(), Reason> {
    for word in vectors(arena, words) {
        for (signed, upper) in [(false, true), (false, false), (true, true), (true, false)] {
            let order = Order { signed, upper };
            if problem.left.satisfiable(arena, &[], problem.checks)? != Some(true) {
                return Ok(());
            }
            // The rank of a model, which is reached, and one that no model exceeds.
            let mut reached = order.rank(&problem.left.word(arena, word)?);
            let mut limit = BitVec::ones(reached.width());
            // Most words are not bounded: the greatest rank is asked for first.
            let mut guess = limit.sub(&BitVec::one(limit.width()));
            while reached.ult(&limit) && reached.ule(&guess) && guess.ult(&limit) {
                let bound = order.bound(arena, word, &guess);
                let beyond = arena.not(bound);
                match problem.left.satisfiable(arena, &[beyond], problem.checks)? {
                    Some(true) => reached = order.rank(&problem.left.word(arena, word)?),
                    Some(false) => limit = guess,
                    None => return Ok(()),
                }
                guess = reached.add(&limit.sub(&reached).lshr_by(1));
            }
            if !limit.is_ones() && reached == limit {
                facts.push(order.bound(arena, word, &limit));
            }
        }
    }
    Ok(())
}
