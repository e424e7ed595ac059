//! Elimination of a real from linear literals (Fourier–Motzkin; §6.1 of the Tree-IC3 paper).
//!
//! Over the reals a conjunction of linear literals has an exact projection that is again one: every lower
//! bound is below every upper one. Disequalities are decided by the model. Where pairs are too many, the
//! model decides which lower bound is the greatest (Loos, Weispfenning 1993), which is one case of the exact
//! result.
//!
//! Numbers are constants of the arena throughout: it folds them.

use super::{ModelOf, mentions};
use nilas_smt::Reason;
use nilas_term::{Arena, Op, Term, Value};
use num_bigint::BigInt;

/// Pairs of bounds that are written down.
const PAIRS: usize = 24;

/// `input < term`, or with the input on the other side, or lax.
#[derive(Clone, Copy)]
struct Bound {
    term: Term,
    strict: bool,
}

/// What literals say of an input.
#[derive(Default)]
struct Bounds {
    lower: Vec<Bound>,
    upper: Vec<Bound>,
    equal: Vec<Term>,
    /// Literals that turned out not to depend on the input.
    others: Vec<Term>,
}

/// What the input can be set to, and the literals without it; `None` if a literal is not linear in the input.
pub(super) fn eliminate(
    arena: &mut Arena,
    input: Term,
    literals: &[Term],
    model: &mut dyn ModelOf,
) -> Result<Option<(Term, Vec<Term>)>, Reason> {
    let mut bounds = Bounds::default();
    for &literal in literals {
        if !bounds.add(arena, input, literal, model)? {
            return Ok(None);
        }
    }
    let Bounds { lower, upper, equal, mut others } = bounds;
    if let Some((&term, rest)) = equal.split_first() {
        others.extend(rest.iter().map(|&other| arena.eq(term, other)));
        let exactly = Bound { term, strict: false };
        others.extend(lower.iter().map(|&bound| below(arena, bound, exactly)));
        others.extend(upper.iter().map(|&bound| below(arena, exactly, bound)));
        return Ok(Some((term, others)));
    }
    if lower.len() * upper.len() <= PAIRS {
        for &low in &lower {
            others.extend(upper.iter().map(|&high| below(arena, low, high)));
        }
    } else {
        let mut greatest = lower[0];
        for &low in &lower[1..] {
            // Of two that are equal the strict one is the greater.
            let lax = Bound { strict: greatest.strict && !low.strict, ..greatest };
            let exceeds = below(arena, lax, Bound { strict: false, ..low });
            if model.holds(arena, exceeds)? {
                greatest = low;
            }
        }
        for &low in &lower {
            let lax = Bound { strict: low.strict && !greatest.strict, ..low };
            others.push(below(arena, lax, Bound { strict: false, ..greatest }));
        }
        others.extend(upper.iter().map(|&high| below(arena, greatest, high)));
    }
    others.retain(|&literal| arena.as_bool(literal) != Some(true));
    Ok(Some((between(arena, &lower, &upper), others)))
}

impl Bounds {
    /// Adds what a literal says; `false` if it is not linear in the input.
    fn add(
        &mut self,
        arena: &mut Arena,
        input: Term,
        literal: Term,
        model: &mut dyn ModelOf,
    ) -> Result<bool, Reason> {
        let (atom, negated) = match (arena.op(literal), arena.children(literal)) {
            (Op::Not, &[child]) => (child, true),
            _ => (literal, false),
        };
        let (op, &[left, right]) = (arena.op(atom), arena.children(atom)) else { return Ok(false) };
        if !matches!((op, negated), (Op::Eq, _) | (Op::Le | Op::Lt, false)) {
            return Ok(false);
        }
        let Some((factor, rest)) = linear(arena, input, left, right) else { return Ok(false) };
        let zero = number(arena, 0);
        if factor == zero {
            let other = arena.mk(op, &[rest, zero]);
            self.others.push(if negated { arena.not(other) } else { other });
            return Ok(true);
        }
        // factor · input + rest compared with 0: input compared with -rest / factor, the other way round for
        // a negative factor.
        let negative = arena.mk(Op::Lt, &[factor, zero]);
        let negative = arena.as_bool(negative) == Some(true);
        let opposite = arena.mk(Op::Neg, &[rest]);
        let term = divide(arena, opposite, factor);
        match (op, negated) {
            (Op::Eq, false) => self.equal.push(term),
            (Op::Eq, true) => {
                let less = arena.mk(Op::Lt, &[input, term]);
                let side = if model.holds(arena, less)? { &mut self.upper } else { &mut self.lower };
                side.push(Bound { term, strict: true });
            }
            _ => {
                let side = if negative { &mut self.lower } else { &mut self.upper };
                side.push(Bound { term, strict: op == Op::Lt });
            }
        }
        Ok(true)
    }
}

/// `left - right` as a factor of the input and the rest.
fn linear(arena: &mut Arena, input: Term, left: Term, right: Term) -> Option<(Term, Term)> {
    let (one, minus_one) = (number(arena, 1), number(arena, -1));
    let mut factor = number(arena, 0);
    let mut rest = Vec::new();
    let mut stack = vec![(right, minus_one), (left, one)];
    while let Some((term, by)) = stack.pop() {
        if term == input {
            factor = arena.mk(Op::Add, &[factor, by]);
            continue;
        }
        if !mentions(arena, term, input) {
            rest.push(times(arena, by, term));
            continue;
        }
        let children = arena.children(term).to_vec();
        match (arena.op(term), &children[..]) {
            (Op::Add, _) => stack.extend(children.iter().rev().map(|&child| (child, by))),
            (Op::Neg, &[child]) => stack.push((child, arena.mk(Op::Mul, &[by, minus_one]))),
            (Op::RealDiv, &[child, by_what]) if is_nonzero(arena, by_what) => {
                stack.push((child, divide(arena, by, by_what)));
            }
            (Op::Mul, _) => {
                let mut by = by;
                let mut inner = None;
                for &child in &children {
                    if arena.as_value(child).is_some() {
                        by = arena.mk(Op::Mul, &[by, child]);
                    } else if inner.replace(child).is_some() {
                        return None;
                    }
                }
                stack.push((inner?, by));
            }
            _ => return None,
        }
    }
    let rest = match &rest[..] {
        [] => number(arena, 0),
        &[only] => only,
        summands => arena.mk(Op::Add, summands),
    };
    Some((factor, rest))
}

/// A value between bounds that leave one: the middle, or a step away where one side is open.
fn between(arena: &mut Arena, lower: &[Bound], upper: &[Bound]) -> Term {
    let extreme = |arena: &mut Arena, bounds: &[Bound], greatest: bool| {
        let (first, others) = bounds.split_first()?;
        Some(others.iter().fold(first.term, |extreme, bound| {
            let less = arena.mk(Op::Le, &[extreme, bound.term]);
            let (then, otherwise) = if greatest { (bound.term, extreme) } else { (extreme, bound.term) };
            arena.ite(less, then, otherwise)
        }))
    };
    match (extreme(arena, lower, true), extreme(arena, upper, false)) {
        (Some(low), Some(high)) => {
            let (sum, two) = (arena.mk(Op::Add, &[low, high]), number(arena, 2));
            divide(arena, sum, two)
        }
        (Some(low), None) => {
            let one = number(arena, 1);
            arena.mk(Op::Add, &[low, one])
        }
        (None, Some(high)) => {
            let minus_one = number(arena, -1);
            arena.mk(Op::Add, &[high, minus_one])
        }
        (None, None) => number(arena, 0),
    }
}

/// `low < high` where one of them is strict, `low <= high` elsewhere.
fn below(arena: &mut Arena, low: Bound, high: Bound) -> Term {
    arena.mk(if low.strict || high.strict { Op::Lt } else { Op::Le }, &[low.term, high.term])
}

fn number(arena: &mut Arena, value: i64) -> Term {
    let integer = arena.constant(Value::Int(BigInt::from(value)));
    arena.mk(Op::ToReal, &[integer])
}

fn times(arena: &mut Arena, factor: Term, term: Term) -> Term {
    if factor == number(arena, 1) { term } else { arena.mk(Op::Mul, &[factor, term]) }
}

/// The quotient by a constant other than zero.
fn divide(arena: &mut Arena, term: Term, by: Term) -> Term {
    let one = number(arena, 1);
    let inverse = arena.mk(Op::RealDiv, &[one, by]);
    times(arena, inverse, term)
}

fn is_nonzero(arena: &mut Arena, term: Term) -> bool {
    arena.as_value(term).is_some() && term != number(arena, 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::testing::Fixed;
    use nilas_term::smtlib::parse_term;
    use nilas_term::{Evaluator, Model, Sort};

    /// Every state of the projection satisfies the literals with what the input is set to, the model's state
    /// is among them, and where the model had nothing to decide no state is lost.
    #[test]
    fn projections_are_exact() {
        let mut arena = Arena::new();
        let [x, y, h] = ["x", "y", "h"].map(|name| arena.variable(name, &Sort::Real).expect("a new name"));
        let literals: Vec<(Term, bool)> = [
            ("(< h x)", true),
            ("(<= (+ y 1.0) (* 2.0 h))", true),
            ("(< (- y h) x)", true),
            ("(<= (/ h (- 2.0)) y)", true),
            ("(= (+ h h) (+ x y))", true),
            ("(not (= h y))", false),
            ("(< (+ h x) (+ h y))", true),
        ]
        .into_iter()
        .map(|(text, exact)| (parse_term(&mut arena, text).expect("a literal"), exact))
        .collect();
        let halves: Vec<Value> = (-24..25)
            .map(|n| {
                let (n, two) = (number(&mut arena, n), number(&mut arena, 2));
                let quotient = divide(&mut arena, n, two);
                arena.as_value(quotient).expect("quotients of constants fold").clone()
            })
            .collect();
        let half = |n: i64| halves[usize::try_from(n + 24).expect("a small number")].clone();
        let points: Vec<(i64, i64)> = (-3..4).flat_map(|a| (-3..4).map(move |b| (a, b))).collect();
        let mut projections = 0;
        for mask in 1_usize..1 << literals.len() {
            if mask.count_ones() > 2 {
                continue;
            }
            let chosen = literals.iter().enumerate().filter(|(index, _)| mask >> index & 1 == 1);
            let (with, exact): (Vec<Term>, Vec<bool>) = chosen.map(|(_, chosen)| *chosen).unzip();
            for &(a, b) in &points {
                for c in -6..7 {
                    let mut model = Model::new();
                    for (variable, value) in [(x, a), (y, b), (h, c)] {
                        model.set(variable, half(value));
                    }
                    let mut model = Fixed(model);
                    if !with.iter().all(|&literal| model.holds(&arena, literal) == Ok(true)) {
                        continue;
                    }
                    let found = eliminate(&mut arena, h, &with, &mut model).expect("all has a value");
                    let (term, without) = found.expect("all is linear");
                    projections += 1;
                    for &(a, b) in &points {
                        let mut here = Evaluator::new([(x, half(a)), (y, half(b))].into_iter().collect());
                        let inside = without.iter().all(|&literal| here.holds(&arena, literal) == Ok(true));
                        if inside {
                            let value = here.eval(&arena, term).expect("over x and y");
                            here.set(h, value);
                            assert!(with.iter().all(|&literal| here.holds(&arena, literal) == Ok(true)));
                        } else if exact.iter().all(|&exact| exact) {
                            for c in -12..13 {
                                here.set(h, half(c));
                                let lost = with.iter().all(|&l| here.holds(&arena, l) == Ok(true));
                                assert!(!lost, "a state is lost");
                            }
                        }
                    }
                    assert!(without.iter().all(|&literal| model.holds(&arena, literal) == Ok(true)));
                    // One model per set of literals will do for exact ones.
                    if exact.iter().all(|&exact| exact) {
                        break;
                    }
                }
            }
        }
        assert!(projections > 100, "{projections}");
    }
}
