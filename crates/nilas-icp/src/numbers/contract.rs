//! What a term can be, from its children, and its children from it.
//!
//! Forward, a term gets the values that its operator can make of those of its children; backward, a child keeps
//! those from which the term can be what is required of it. Both keep every value of every solution. Integers keep
//! integers only, so a strict bound of one is a weak bound of its neighbour.

use super::range::{End, Range};
use nilas_term::{Arena, Op, Sort, Term, Value};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

/// A term with its children by number. Children come first.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) term: Term,
    pub(super) op: Op,
    pub(super) is_integer: bool,
    pub(super) is_truth: bool,
    pub(super) children: Vec<usize>,
    pub(super) value: Option<BigRational>,
}

impl Node {
    /// A term over truth values and numbers; the name of what it is otherwise.
    pub(super) fn new(arena: &Arena, term: Term, children: Vec<usize>) -> Result<Node, String> {
        let op = arena.op(term);
        let (is_integer, is_truth) = match arena.sort(term) {
            Sort::Bool => (false, true),
            Sort::Int => (true, false),
            Sort::Real => (false, false),
            sort => return Err(format!("terms of sort {sort} beside numbers")),
        };
        let value = match (op, arena.as_value(term)) {
            (_, Some(Value::Bool(value))) => Some(truth_value(*value)),
            (_, Some(Value::Int(value))) => Some(BigRational::from_integer(value.clone())),
            (_, Some(Value::Real(value))) => Some(value.clone()),
            (Op::Var(_) | Op::Not | Op::And | Op::Or | Op::Xor | Op::Eq | Op::Ite, None) => None,
            (Op::Neg | Op::Add | Op::Mul | Op::Le | Op::Lt, None) => None,
            (Op::IntDiv | Op::IntMod | Op::IntAbs | Op::RealDiv | Op::Divisible(_), None) => None,
            (Op::ToReal | Op::ToInt | Op::IsInt, None) => None,
            (op, _) => return Err(format!("{op:?} of numbers")),
        };
        Ok(Node { term, op, is_integer, is_truth, children, value })
    }

    /// All values of its sort. Truth values are 0 and 1.
    pub(super) fn all(&self) -> Range {
        match &self.value {
            Some(value) => Range::point(value.clone()),
            None if self.is_truth => Range::closed(BigRational::zero(), BigRational::one()),
            None => Range::ALL,
        }
    }
}

pub(super) fn truth_value(value: bool) -> BigRational {
    if value { BigRational::one() } else { BigRational::zero() }
}

pub(super) fn truth(value: bool) -> Range {
    Range::point(truth_value(value))
}

/// Whether a truth value is decided.
pub(super) fn decided(range: &Range) -> Option<bool> {
    range.value().map(One::is_one)
}

fn undecided() -> Range {
    Range::closed(BigRational::zero(), BigRational::one())
}

fn told(value: Option<bool>) -> Range {
    value.map_or_else(undecided, truth)
}

fn integer(number: u32) -> BigRational {
    BigRational::from_integer(BigInt::from(number))
}

/// Whether everything in one interval is below everything in the other, or nothing is; by `<=` or by `<`.
fn compared(left: &Range, right: &Range, strict: bool) -> Option<bool> {
    // `left - right` against zero.
    let difference = left.minus(right);
    let zero = BigRational::zero();
    let at_most = |end: &End| end.at < zero || (end.at == zero && (!strict || end.open));
    let beyond = |end: &End| end.at > zero || (end.at == zero && (strict || end.open));
    match (&difference.lo, &difference.hi) {
        (_, Some(hi)) if at_most(hi) => Some(true),
        (Some(lo), _) if beyond(lo) => Some(false),
        _ => None,
    }
}

/// What a term can be, given what its children can be.
pub(super) fn forward(node: &Node, known: &[Range]) -> Range {
    let child = |at: usize| &known[node.children[at]];
    let truths = || node.children.iter().map(|&child| decided(&known[child]));
    let made = match node.op {
        Op::Var(_) | Op::Const(_) => return node.all(),
        Op::Not => told(decided(child(0)).map(|value| !value)),
        Op::And if truths().any(|it| it == Some(false)) => truth(false),
        Op::Or if truths().any(|it| it == Some(true)) => truth(true),
        Op::And => told(truths().all(|it| it == Some(true)).then_some(true)),
        Op::Or => told(truths().all(|it| it == Some(false)).then_some(false)),
        Op::Xor => told(truths().try_fold(false, |sum, it| Some(sum != it?))),
        Op::Eq => match (child(0).value(), child(1).value()) {
            (Some(one), Some(two)) => truth(one == two),
            _ if child(0).meet(child(1)).is_empty() => truth(false),
            _ => undecided(),
        },
        Op::Ite => match decided(child(0)) {
            Some(true) => child(1).clone(),
            Some(false) => child(2).clone(),
            None => child(1).join(child(2)),
        },
        Op::Le | Op::Lt => told(compared(child(0), child(1), node.op == Op::Lt)),
        Op::Neg => child(0).negated(),
        Op::Add => sum(node, known, None),
        Op::Mul if is_square(node) => child(0).square(),
        Op::Mul => product(node, known, None),
        Op::RealDiv if child(1).excludes_zero() => child(0).times(&child(1).inverse()),
        // The quotient of SMT-LIB leaves a remainder that is not negative.
        Op::IntDiv if is_positive(child(1)) => child(0).times(&child(1).inverse()).floor(),
        Op::IntDiv if is_positive(&child(1).negated()) => {
            child(0).times(&child(1).negated().inverse()).floor().negated()
        }
        Op::IntMod if child(1).excludes_zero() => remainder(child(0), &child(1).absolute()),
        Op::IntAbs => child(0).absolute(),
        Op::ToReal => child(0).clone(),
        Op::ToInt => child(0).floor(),
        Op::IsInt => match child(0).value() {
            Some(number) => truth(number.is_integer()),
            None if child(0).integers().is_empty() => truth(false),
            None => undecided(),
        },
        Op::Divisible(by) if by > 0 => match child(0).value() {
            Some(number) => truth((number / integer(by)).is_integer()),
            None => undecided(),
        },
        _ => node.all(),
    };
    kept(node, &made)
}

/// Integers and truth values are integers, and ends have few digits.
fn kept(node: &Node, range: &Range) -> Range {
    if node.is_integer || node.is_truth { range.integers() } else { range.coarse() }
}

fn is_positive(range: &Range) -> bool {
    range.lo.as_ref().is_some_and(|lo| lo.at.is_positive())
}

fn is_square(node: &Node) -> bool {
    matches!(node.children[..], [one, two] if one == two)
}

fn sum(node: &Node, known: &[Range], without: Option<usize>) -> Range {
    let zero = Range::point(BigRational::zero());
    let parts = node.children.iter().enumerate().filter(|&(at, _)| Some(at) != without);
    parts.fold(zero, |sum, (_, &child)| sum.plus(&known[child]))
}

fn product(node: &Node, known: &[Range], without: Option<usize>) -> Range {
    let one = Range::point(BigRational::one());
    let factors = node.children.iter().enumerate().filter(|&(at, _)| Some(at) != without);
    factors.fold(one, |product, (_, &child)| product.times(&known[child]))
}

/// `x mod y` for `y` of the given sizes.
fn remainder(x: &Range, sizes: &Range) -> Range {
    let zero = BigRational::zero();
    let below = sizes.hi.as_ref().map(|end| End::closed(&end.at - BigRational::one()));
    let all = Range { lo: Some(End::closed(zero.clone())), hi: below };
    let least = sizes.lo.as_ref().map(|end| &end.at - BigRational::one());
    match (&x.lo, &x.hi, least) {
        // Already less than the divisor: it stays.
        (Some(lo), Some(hi), Some(least)) if !lo.at.is_negative() && hi.at <= least => x.clone(),
        (Some(lo), Some(hi), _) if !lo.at.is_negative() => all.meet(&Range::closed(zero, hi.at.clone())),
        _ => all,
    }
}

/// What follows for the children of a term.
pub(super) fn backward(node: &Node, own: &Range, known: &[Range]) -> Vec<(usize, Range)> {
    let child = |at: usize| &known[node.children[at]];
    let all = |range: Range| node.children.iter().map(|&child| (child, range.clone())).collect();
    match (node.op, decided(own).filter(|_| node.is_truth)) {
        (Op::Not, Some(value)) => vec![(node.children[0], truth(!value))],
        (Op::And, Some(true)) => all(truth(true)),
        (Op::Or, Some(false)) => all(truth(false)),
        (Op::And, Some(false)) => last(node, known, true),
        (Op::Or, Some(true)) => last(node, known, false),
        (Op::Xor, Some(value)) => {
            let open: Vec<usize> =
                node.children.iter().copied().filter(|&it| decided(&known[it]).is_none()).collect();
            let rest =
                node.children.iter().filter_map(|&it| decided(&known[it])).fold(false, |sum, it| sum != it);
            match open[..] {
                [last] => vec![(last, truth(value != rest))],
                _ => Vec::new(),
            }
        }
        (Op::Eq, Some(true)) => all(child(0).meet(child(1))),
        (Op::Eq, Some(false)) => {
            let other =
                |at: usize, from: usize| Some((node.children[at], without(child(at), child(from).value()?)));
            [other(0, 1), other(1, 0)].into_iter().flatten().collect()
        }
        (Op::Le | Op::Lt, Some(value)) => {
            let (less, more) = if value { (0, 1) } else { (1, 0) };
            let open = (node.op == Op::Lt) == value;
            let end = |end: &Option<End>| {
                end.as_ref().map(|end| End { at: end.at.clone(), open: end.open || open })
            };
            let (below, above) = (end(&child(more).hi), end(&child(less).lo));
            vec![
                (node.children[less], Range { lo: None, hi: below }),
                (node.children[more], Range { lo: above, hi: None }),
            ]
        }
        (Op::Ite, _) => match decided(child(0)) {
            Some(value) => vec![(node.children[if value { 1 } else { 2 }], own.clone())],
            None if own.meet(child(1)).is_empty() => vec![(node.children[0], truth(false))],
            None if own.meet(child(2)).is_empty() => vec![(node.children[0], truth(true))],
            None => Vec::new(),
        },
        (Op::Neg, _) => vec![(node.children[0], own.negated())],
        (Op::ToReal, _) => vec![(node.children[0], own.clone())],
        (Op::Add, _) => {
            let part = |(at, &child): (usize, &usize)| (child, own.minus(&sum(node, known, Some(at))));
            node.children.iter().enumerate().map(part).collect()
        }
        (Op::Mul, _) if is_square(node) => vec![(node.children[0], own.roots())],
        (Op::Mul, _) => {
            let part = |(at, &child): (usize, &usize)| {
                let others = product(node, known, Some(at));
                others.excludes_zero().then(|| (child, own.times(&others.inverse())))
            };
            node.children.iter().enumerate().filter_map(part).collect()
        }
        (Op::RealDiv, _) if child(1).excludes_zero() => {
            let mut found = vec![(node.children[0], own.times(child(1)))];
            if own.excludes_zero() {
                found.push((node.children[1], child(0).times(&own.inverse())));
            }
            found
        }
        (Op::IntDiv, _) if is_positive(child(1)) => {
            // `y q <= x < y q + y`
            let low = own.times(child(1));
            let high = own.plus(&Range::point(BigRational::one())).times(child(1));
            let hi = high.hi.map(|end| End { open: true, ..end });
            vec![(node.children[0], Range { lo: low.lo, hi })]
        }
        (Op::IntAbs, _) => match &own.hi {
            Some(hi) => vec![(node.children[0], Range::closed(-hi.at.clone(), hi.at.clone()))],
            None => Vec::new(),
        },
        (Op::ToInt, _) => {
            let hi = own.hi.as_ref().map(|end| End { at: &end.at + BigRational::one(), open: true });
            vec![(node.children[0], Range { lo: own.lo.clone(), hi })]
        }
        (Op::IsInt, Some(true)) => vec![(node.children[0], child(0).integers())],
        _ => Vec::new(),
    }
}

/// The last child that can still be different from `value`, if all others are it.
fn last(node: &Node, known: &[Range], value: bool) -> Vec<(usize, Range)> {
    let mut open = node.children.iter().filter(|&&child| decided(&known[child]) != Some(value));
    match (open.next(), open.next()) {
        (Some(&child), None) => vec![(child, truth(!value))],
        _ => Vec::new(),
    }
}

/// An interval without a number, if that is one of its ends.
fn without(range: &Range, number: &BigRational) -> Range {
    let end = |end: &Option<End>| {
        end.as_ref().map(|end| End { at: end.at.clone(), open: end.open || end.at == *number })
    };
    Range { lo: end(&range.lo), hi: end(&range.hi) }
}

/// What is left of a term's values, integers and few digits only.
pub(super) fn met(node: &Node, before: &Range, more: &Range) -> Range {
    before.meet(&kept(node, more))
}
