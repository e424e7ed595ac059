//! Formulas over mathematical integers and reals, by branch and prune.
//!
//! Numbers without a largest one have no ranks, so they are no columns of the search. Every term has an interval with
//! exact rational ends ([`range`]), which is narrowed from its children and from what is required of it
//! ([`contract`]); where nothing moves any more, a truth value or the interval of a variable is split. A case
//! is closed when some interval is empty. Intervals of integers with both ends get down to points, so where all
//! variables are such, or truth values, every question is decided. Of reals there are always more points: cases
//! that are narrow and not closed are left, and then the answer is *unknown*, unless a model is found. A model is
//! looked for by giving one variable after the other a value and narrowing in between; it counts if all formulas
//! evaluate to true.

mod contract;
mod range;
#[cfg(test)]
mod tests;

use contract::{Node, backward, decided, forward, met, truth};
use nilas_term::{Arena, Budget, Evaluator, Interrupt, Model, Op, Term, Value};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use range::{End, Range};
use rustc_hash::FxHashMap;

/// Sweeps up and down before a case is split.
const SWEEPS: usize = 8;
/// Cases that wait at the same time.
const MOST_WAITING: usize = 2_000;
/// Evaluations between two looks at the clock.
const POLL: u64 = 1_000;
/// Real variables are cut until their intervals have less than this part of 1.
const NARROW: u32 = 1 << 20;
/// Evaluations of terms about real numbers, where nobody else limits them.
const REAL: u64 = 2_000_000;
/// Cases before a model is looked for in fewer of them, and in how many then.
const EAGER: u64 = 32;
const ONE_IN: u64 = 8;

/// The answer about a set of formulas.
pub(crate) enum Found {
    Model(Box<Evaluator>),
    Unsat,
    Unknown(Why),
}

/// Why there is no answer.
pub(crate) enum Why {
    Interrupted(Interrupt),
    /// What stands in the way.
    Open(String),
}

/// A case: what every term can be, and how often each variable was cut.
#[derive(Clone)]
struct Case {
    known: Vec<Range>,
    cuts: Vec<u32>,
}

struct Search<'a> {
    arena: &'a Arena,
    nodes: Vec<Node>,
    roots: Vec<usize>,
    formulas: &'a [Term],
    variables: Vec<usize>,
    budget: &'a Budget,
    patience: Option<u64>,
    done: u64,
}

/// Looks for a model of formulas over truth values, integers and reals, for at most so many evaluations of terms.
/// Formulas about anything else are told as an error.
pub(crate) fn solve(
    arena: &Arena,
    formulas: &[Term],
    budget: &Budget,
    patience: Option<u64>,
) -> Result<Found, String> {
    let (nodes, roots) = nodes(arena, formulas)?;
    let is_variable = |&number: &usize| matches!(nodes[number].op, Op::Var(_));
    let variables: Vec<usize> = (0..nodes.len()).filter(is_variable).collect();
    let is_real = |&number: &usize| !nodes[number].is_integer && !nodes[number].is_truth;
    let patience = patience.or_else(|| variables.iter().any(is_real).then_some(REAL));
    let mut search = Search { arena, nodes, roots, formulas, variables, budget, patience, done: 0 };
    Ok(search.run().unwrap_or_else(Found::Unknown))
}

/// All terms below formulas, children first, and which of them the formulas are.
fn nodes(arena: &Arena, formulas: &[Term]) -> Result<(Vec<Node>, Vec<usize>), String> {
    let mut nodes = Vec::new();
    let mut numbers: FxHashMap<Term, usize> = FxHashMap::default();
    let mut stack: Vec<Term> = formulas.to_vec();
    while let Some(&term) = stack.last() {
        if numbers.contains_key(&term) {
            stack.pop();
            continue;
        }
        let children = arena.children(term);
        let missing = children.iter().filter(|child| !numbers.contains_key(child));
        let before = stack.len();
        stack.extend(missing);
        if stack.len() == before {
            stack.pop();
            let children = children.iter().map(|child| numbers[child]).collect();
            numbers.insert(term, nodes.len());
            nodes.push(Node::new(arena, term, children)?);
        }
    }
    Ok((nodes, formulas.iter().map(|formula| numbers[formula]).collect()))
}

impl Search<'_> {
    fn run(&mut self) -> Result<Found, Why> {
        let known = self.nodes.iter().map(Node::all).collect();
        let mut first = Case { known, cuts: vec![0; self.nodes.len()] };
        for &root in &self.roots {
            first.known[root] = first.known[root].meet(&truth(true));
        }
        let mut waiting = vec![first];
        let mut left_open = None;
        let (mut cases, mut closed) = (0, 0);
        while let Some(mut case) = waiting.pop() {
            cases += 1;
            if !self.narrow(&mut case)? {
                closed += 1;
                if self.budget.conflicts.is_some_and(|most| closed >= most) {
                    return Err(Why::Interrupted(Interrupt::Conflicts));
                }
                continue;
            }
            if (cases <= EAGER || cases % ONE_IN == 0)
                && let Some(model) = self.dive(&case)?
            {
                return Ok(Found::Model(model));
            }
            match self.split(&case) {
                Ok(Some(halves)) => waiting.extend(halves),
                // Everything is a point.
                Ok(None) => match self.dive(&case)? {
                    Some(model) => return Ok(Found::Model(model)),
                    None => left_open = Some("a quotient by zero may be anything".to_owned()),
                },
                Err(why) => left_open = Some(why),
            }
            if self.patience.is_some_and(|most| self.done > most) || waiting.len() > MOST_WAITING {
                return Err(Why::Open(left_open.unwrap_or_else(|| "too many cases".to_owned())));
            }
        }
        Ok(left_open.map_or(Found::Unsat, |why| Found::Unknown(Why::Open(why))))
    }

    /// Sweeps up and down until nothing changes. Whether anything is left.
    fn narrow(&mut self, case: &mut Case) -> Result<bool, Why> {
        for _ in 0..SWEEPS {
            let mut changed = false;
            for number in 0..self.nodes.len() {
                self.count()?;
                let made = forward(&self.nodes[number], &case.known);
                let Some(moved) = self.learn(case, number, &made) else { return Ok(false) };
                changed |= moved;
            }
            for number in (0..self.nodes.len()).rev() {
                self.count()?;
                for (child, required) in backward(&self.nodes[number], &case.known[number], &case.known) {
                    let Some(moved) = self.learn(case, child, &required) else { return Ok(false) };
                    changed |= moved;
                }
            }
            if !changed {
                break;
            }
        }
        Ok(true)
    }

    /// Narrows what a term can be; nothing if nothing is left, else whether it has become less.
    fn learn(&self, case: &mut Case, number: usize, more: &Range) -> Option<bool> {
        let before = &case.known[number];
        let left = met(&self.nodes[number], before, more);
        if left.is_empty() {
            return None;
        }
        let changed = left != *before;
        case.known[number] = left;
        Some(changed)
    }

    fn count(&mut self) -> Result<(), Why> {
        self.done += 1;
        match self.done.is_multiple_of(POLL).then(|| self.budget.exhausted()).flatten() {
            Some(why) => Err(Why::Interrupted(why)),
            None => Ok(()),
        }
    }

    /// Gives one variable after the other a value, and narrows in between; the model, if all formulas are true.
    fn dive(&mut self, case: &Case) -> Result<Option<Box<Evaluator>>, Why> {
        let mut case = case.clone();
        for at in 0..self.variables.len() {
            let number = self.variables[at];
            let range = &case.known[number];
            if range.value().is_some() {
                continue;
            }
            let value = Range::point(inside(range, self.nodes[number].is_integer));
            if self.learn(&mut case, number, &value).is_none() || !self.narrow(&mut case)? {
                return Ok(None);
            }
        }
        let mut model = Model::new();
        for &number in &self.variables {
            let Some(value) = case.known[number].value() else { return Ok(None) };
            let node = &self.nodes[number];
            let value = match (node.is_truth, node.is_integer) {
                (true, _) => Value::Bool(value.is_one()),
                (_, true) => Value::Int(value.to_integer()),
                _ => Value::Real(value.clone()),
            };
            model.set(node.term, value);
        }
        let mut evaluator = Box::new(Evaluator::new(model).with_defaults());
        let holds = self.formulas.iter().all(|&formula| evaluator.holds(self.arena, formula) == Ok(true));
        Ok(holds.then_some(evaluator))
    }

    /// Two cases that together are this one; nothing if everything is decided. What cannot be split is told.
    fn split(&self, case: &Case) -> Result<Option<[Case; 2]>, String> {
        if let Some(number) = self.open_condition(case) {
            return Ok(Some([false, true].map(|value| {
                let mut half = case.clone();
                half.known[number] = half.known[number].meet(&truth(value));
                half
            })));
        }
        let mut why = None;
        let open = |&&number: &&usize| case.known[number].value().is_none();
        let mut variables: Vec<usize> = self.variables.iter().filter(open).copied().collect();
        if variables.is_empty() {
            return Ok(None);
        }
        variables.sort_by_key(|&number| case.cuts[number]);
        for number in variables {
            let range = &case.known[number];
            let node = &self.nodes[number];
            let Some(width) = range.width() else {
                let print = nilas_term::smtlib::print_term(self.arena, node.term);
                why = Some(format!("{print} has no bounds on both sides"));
                continue;
            };
            let narrow = BigRational::new(BigInt::one(), BigInt::from(NARROW));
            if !node.is_integer && width < narrow {
                why.get_or_insert_with(|| {
                    "a real number lies in a narrow interval, and no model was found".to_owned()
                });
                continue;
            }
            let middle = &range.lo.as_ref().map_or_else(BigRational::zero, |end| end.at.clone())
                + &width / BigRational::from_integer(BigInt::from(2));
            let cut = if node.is_integer { middle.floor() } else { middle };
            let low = Range { lo: None, hi: Some(End::closed(cut.clone())) };
            let high = Range { lo: Some(End { at: cut, open: true }), hi: None };
            return Ok(Some([high, low].map(|half| {
                let mut next = case.clone();
                next.cuts[number] += 1;
                next.known[number] = met(node, &next.known[number], &half);
                next
            })));
        }
        Err(why.unwrap_or_default())
    }

    /// A truth value that something hangs on: a part of a disjunction that must hold, the condition of a choice,
    /// or a variable.
    fn open_condition(&self, case: &Case) -> Option<usize> {
        let open = |&child: &usize| self.nodes[child].is_truth && decided(&case.known[child]).is_none();
        let undecided = |node: &Node| node.children.iter().copied().find(|child| open(child));
        let numbers = 0..self.nodes.len();
        let hangs = numbers.clone().rev().find_map(|number| {
            let node = &self.nodes[number];
            match (node.op, decided(&case.known[number])) {
                // Where a part decides already, nothing hangs on the others.
                (Op::And, Some(false)) | (Op::Or, Some(true)) => {
                    let value = Some(node.op == Op::Or);
                    let done = node.children.iter().any(|&child| decided(&case.known[child]) == value);
                    if done { None } else { undecided(node) }
                }
                (Op::Xor | Op::Eq | Op::Ite, _) => undecided(node),
                _ => None,
            }
        });
        hangs.or_else(|| self.variables.iter().copied().find(|variable| open(variable)))
    }
}

/// A number in an interval that is not empty, with few digits: zero, an integer, or the middle.
fn inside(range: &Range, is_integer: bool) -> BigRational {
    let zero = BigRational::zero();
    if range.contains(&zero) {
        return zero;
    }
    let one = BigRational::one();
    let middle = match (&range.lo, &range.hi) {
        (Some(lo), Some(hi)) => (&lo.at + &hi.at) / BigRational::from_integer(BigInt::from(2)),
        (Some(lo), None) => &lo.at.ceil() + &one,
        (None, Some(hi)) => &hi.at.floor() - &one,
        (None, None) => zero,
    };
    let whole = if middle.is_negative() { middle.ceil() } else { middle.floor() };
    match range.contains(&whole) {
        true => whole,
        false if is_integer => range.integers().lo.map_or(whole, |end| end.at),
        false => middle,
    }
}
