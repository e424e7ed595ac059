//! Case by case: narrow until nothing changes, then split.
//!
//! A case is what every term can be under what was required so far. It is closed when some set is empty; the
//! formulas are refuted when all cases are closed. A split is a truth value, which is true or false, or an
//! interval of a variable, which is cut in two (NaN goes with the lower part).

use super::Node;
use super::backward::backward;
use super::bits::{Bits, Span};
use super::floats::{Floats, value};
use super::forward::forward;
use super::known::Known;
use nilas_smt::{Budget, Reason};
use nilas_term::{Arena, Op};

/// Sweeps up and down before a case is split.
const SWEEPS: usize = 12;
/// Cases that wait at the same time.
const MOST_WAITING: usize = 400;
/// Evaluations between two looks at the clock.
const POLL: u64 = 4_000;

/// What is known in a case.
#[derive(Clone)]
struct Case {
    known: Vec<Known>,
    /// Terms to be evaluated again.
    dirty: Vec<bool>,
    /// How often each variable was cut.
    cuts: Vec<u32>,
}

pub(super) struct Tableau<'a> {
    arena: &'a Arena,
    nodes: &'a [Node],
    parents: Vec<Vec<usize>>,
    variables: Vec<usize>,
    patience: u64,
    budget: &'a Budget,
    done: u64,
}

/// How a case ended.
enum End {
    Closed,
    /// Everything required holds, whatever the variables are.
    Satisfied,
    Open,
}

impl<'a> Tableau<'a> {
    pub(super) fn new(arena: &'a Arena, nodes: &'a [Node], patience: u64, budget: &'a Budget) -> Self {
        let mut parents = vec![Vec::new(); nodes.len()];
        let mut variables = Vec::new();
        for (number, node) in nodes.iter().enumerate() {
            for source in node.sources() {
                if parents[source].last() != Some(&number) {
                    parents[source].push(number);
                }
            }
            if matches!(node.op, Op::Var(_)) {
                variables.push(number);
            }
        }
        Tableau { arena, nodes, parents, variables, patience, budget, done: 0 }
    }

    /// Whether nothing satisfies the formulas, as far as cases can show in time.
    pub(super) fn refutes(mut self, formulas: &[usize]) -> Result<bool, Reason> {
        let known = self.nodes.iter().map(|node| Known::all(&node.sort)).collect();
        let count = self.nodes.len();
        let mut first = Case { known, dirty: vec![true; count], cuts: vec![0; self.variables.len()] };
        for &formula in formulas {
            first.known[formula] = first.known[formula].meet(Known::truth(true));
        }
        let mut waiting = vec![first];
        while let Some(mut case) = waiting.pop() {
            match self.narrow(&mut case, formulas)? {
                End::Closed => {}
                End::Satisfied => return Ok(false),
                End::Open => {
                    let Some(halves) = self.split(&case) else { return Ok(false) };
                    waiting.extend(halves);
                }
            }
            if self.done > self.patience || waiting.len() > MOST_WAITING {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Sweeps up and down until nothing changes.
    fn narrow(&mut self, case: &mut Case, formulas: &[usize]) -> Result<End, Reason> {
        for _ in 0..SWEEPS {
            let mut changed = Vec::new();
            for number in 0..self.nodes.len() {
                if !std::mem::replace(&mut case.dirty[number], false) {
                    continue;
                }
                self.count(self.nodes[number].cost())?;
                changed.push(number);
                let made = forward(self.arena, &self.nodes[number], &case.known);
                if !self.learn(case, number, made) {
                    return Ok(End::Closed);
                }
            }
            for &number in changed.iter().rev() {
                for (child, required) in backward(&self.nodes[number], case.known[number], &case.known) {
                    if !self.learn(case, child, required) {
                        return Ok(End::Closed);
                    }
                }
            }
            if changed.is_empty() {
                break;
            }
        }
        let holds = |&formula: &usize| {
            // Required is not enough: it must follow from the children.
            forward(self.arena, &self.nodes[formula], &case.known).decided() == Some(true)
        };
        let no_requirement_below = formulas.iter().all(|&formula| self.follows(formula, case));
        Ok(if formulas.iter().all(holds) && no_requirement_below { End::Satisfied } else { End::Open })
    }

    /// Whether a formula is true whatever the variables of the case are: everything below is as it is
    /// computed, not as it is required.
    fn follows(&self, formula: usize, case: &Case) -> bool {
        let mut stack = vec![formula];
        let mut seen = vec![false; self.nodes.len()];
        while let Some(number) = stack.pop() {
            if std::mem::replace(&mut seen[number], true) {
                continue;
            }
            let node = &self.nodes[number];
            let is_variable = matches!(node.op, Op::Var(_));
            if !is_variable && forward(self.arena, node, &case.known) != case.known[number] {
                return false;
            }
            stack.extend(&node.children);
        }
        true
    }

    fn count(&mut self, cost: u64) -> Result<(), Reason> {
        let before = self.done / POLL;
        self.done += cost;
        match (self.done / POLL > before).then(|| self.budget.exhausted()).flatten() {
            Some(why) => Err(Reason::Interrupted(why)),
            None => Ok(()),
        }
    }

    /// Narrows what a term can be; false if nothing is left.
    fn learn(&self, case: &mut Case, number: usize, more: Known) -> bool {
        let met = case.known[number].meet(more);
        if met != case.known[number] {
            case.known[number] = met;
            case.dirty[number] = true;
            for &parent in &self.parents[number] {
                case.dirty[parent] = true;
            }
        }
        !met.is_empty()
    }

    /// Two cases that together are this one; nothing if there is nothing to split.
    fn split(&self, case: &Case) -> Option<[Case; 2]> {
        if let Some(number) = open_condition(self.nodes, &case.known) {
            let half = |value: bool| {
                let mut half = case.clone();
                self.learn(&mut half, number, Known::truth(value));
                half
            };
            return Some([half(false), half(true)]);
        }
        let cuttable = |&(_, &number): &(usize, &usize)| cut(case.known[number]).is_some();
        let variables = self.variables.iter().enumerate().filter(cuttable);
        let (at, &number) = variables.min_by_key(|&(at, _)| case.cuts[at])?;
        let halves = cut(case.known[number])?;
        Some(halves.map(|half| {
            let mut next = case.clone();
            next.cuts[at] += 1;
            self.learn(&mut next, number, half);
            next
        }))
    }
}

/// A truth value that something hangs on: a case of a disjunction that must hold, or the condition of a choice.
fn open_condition(nodes: &[Node], known: &[Known]) -> Option<usize> {
    let open = |&child: &usize| known[child].decided().is_none();
    let disjunction = |node: &Node, own: Known| {
        let case_of = match (node.op, own.decided()?) {
            (Op::Or, true) => true,
            (Op::And, false) => false,
            _ => return None,
        };
        let done = node.children.iter().any(|&child| known[child].decided() == Some(case_of));
        node.children.iter().copied().find(|child| !done && open(child))
    };
    let by_number = nodes.iter().zip(known);
    let choice = |node: &Node| {
        let condition = *node.children.first()?;
        (node.op == Op::Ite && open(&condition)).then_some(condition)
    };
    let free = |node: &&Node| matches!(node.op, Op::Var(_)) && node.sort == nilas_term::Sort::Bool;
    by_number
        .clone()
        .rev()
        .find_map(|(node, &own)| disjunction(node, own))
        .or_else(|| nodes.iter().find_map(choice))
        .or_else(|| {
            let mut variables = nodes.iter().enumerate().filter(|(_, node)| free(node));
            variables.find(|(number, _)| open(number)).map(|(number, _)| number)
        })
}

/// A term and two sets that together are all that it can be; nothing if there is nothing to split. Of variables
/// the one with the widest interval is cut.
pub(super) fn halves(nodes: &[Node], known: &[Known]) -> Option<(usize, [Known; 2])> {
    if let Some(number) = open_condition(nodes, known) {
        return Some((number, [false, true].map(Known::truth)));
    }
    let width = |known: Known| match known {
        Known::Float(floats) => floats.hi.abs_diff(floats.lo),
        Known::Bits(bits) => bits.signed.hi.abs_diff(bits.signed.lo),
        _ => u128::MAX,
    };
    let variables = nodes.iter().enumerate().filter(|(_, node)| matches!(node.op, Op::Var(_)));
    let cuttable = variables.filter_map(|(number, _)| Some((number, cut(known[number])?)));
    cuttable.max_by_key(|&(number, _)| width(known[number]))
}

/// The halves of an interval; nothing if it is one value.
fn cut(known: Known) -> Option<[Known; 2]> {
    match known {
        Known::Float(floats) if floats.lo < floats.hi => {
            let at = middle(floats);
            let (low, high) = (Floats { hi: at, ..floats }, Floats { lo: at + 1, nan: false, ..floats });
            Some([low, high].map(Known::Float))
        }
        Known::Float(floats) if floats.numbers() && floats.nan => {
            let (nan, numbers) = (Floats { lo: 1, hi: 0, ..floats }, Floats { nan: false, ..floats });
            Some([nan, numbers].map(Known::Float))
        }
        Known::Bits(bits) if bits.signed.lo < bits.signed.hi => {
            let Span { lo, hi } = bits.signed;
            // Signs apart at first: then both readings are intervals.
            let at = if lo < 0 && hi >= 0 { -1 } else { lo + (hi - lo) / 2 };
            let half = |span: Span| Known::Bits(bits.meet(Bits { signed: span, ..bits }));
            Some([half(Span { lo, hi: at }), half(Span { lo: at + 1, hi })])
        }
        Known::Mode(modes) if modes.count_ones() > 1 => {
            let lowest = modes & modes.wrapping_neg();
            Some([lowest, modes & !lowest].map(Known::Mode))
        }
        _ => None,
    }
}

/// A rank between both ends, the upper one excluded: that of the number in the middle, or, where the ends are
/// of very different size, the middle of the ranks.
fn middle(floats: Floats) -> i128 {
    let Floats { lo, hi, format, .. } = floats;
    if lo < 0 && hi >= 0 {
        return -1;
    }
    let halfway = lo + (hi - lo) / 2;
    let binade = 1_i128 << format.fraction();
    if hi - lo > 64 * binade {
        return halfway;
    }
    let half = |rank: i128| {
        let two = nilas_term::FloatValue::from_unsigned(format, &nilas_term::BitVec::new(2, 2), NEAREST);
        value(format, rank).div(&two, NEAREST)
    };
    let sum = half(lo).add(&half(hi), NEAREST);
    Floats::one(&sum).filter(|it| it.numbers() && it.lo >= lo && it.lo < hi).map_or(halfway, |it| it.lo)
}

const NEAREST: nilas_term::RoundingMode = nilas_term::RoundingMode::NearestEven;
