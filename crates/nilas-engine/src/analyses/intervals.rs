//! Interval and equality invariants from a cheap abstract interpretation.
//!
//! Every location has, for each variable, the interval of its signed and of its unsigned values, found by
//! executing commands on intervals from the entry on: assignments evaluate terms, assumptions that bound a
//! variable by something cut its interval, ways that meet are joined. Where a location changes again and
//! again its bounds jump to the next of the program's constants, then to the ends (widening with landmarks).
//! Arithmetic that may wrap gives the whole range.
//!
//! The result is only proposed: what is not inductive is thrown out by the solver, so a mistake here costs a
//! lemma, not a proof.

use crate::landmarks::constants;
use nilas_program::{Automaton, Basic, Command, LiveVariables, VarId};
use nilas_smt::weaken::{Order, Shape};
use nilas_term::{Arena, BitVec, Op, Sort, Term};
use num_bigint::{BigInt, Sign};
use rustc_hash::FxHashMap;

/// How often a location may change before its bounds jump to landmarks, and before they jump to the ends.
const LANDMARKS_AFTER: usize = 3;
const ENDS_AFTER: usize = 12;
/// Programs with more variables times nodes than this are left alone.
const LARGEST: usize = 2_000_000;
/// Terms are evaluated to this depth; what is below is taken to be anything.
const DEEPEST: usize = 32;

/// The integers between two bounds, both included. Never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Interval {
    low: BigInt,
    high: BigInt,
}

impl Interval {
    fn all(width: u32, signed: bool) -> Interval {
        let size = BigInt::from(1) << width;
        if signed {
            let half: BigInt = size >> 1;
            Interval { low: -half.clone(), high: half - 1 }
        } else {
            Interval { low: BigInt::from(0), high: size - 1 }
        }
    }

    fn join(&self, other: &Interval) -> Interval {
        Interval {
            low: self.low.clone().min(other.low.clone()),
            high: self.high.clone().max(other.high.clone()),
        }
    }

    /// What both contain, if anything.
    fn meet(&self, other: &Interval) -> Option<Interval> {
        let low = self.low.clone().max(other.low.clone());
        let high = self.high.clone().min(other.high.clone());
        (low <= high).then_some(Interval { low, high })
    }
}

/// What is known of a bit-vector: its value as a signed and as an unsigned number.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Range {
    signed: Interval,
    unsigned: Interval,
}

impl Range {
    fn all(width: u32) -> Range {
        Range { signed: Interval::all(width, true), unsigned: Interval::all(width, false) }
    }

    fn of(value: &BitVec) -> Range {
        let point = |value: BigInt| Interval { low: value.clone(), high: value };
        Range { signed: point(value.to_signed()), unsigned: point(BigInt::from(value.to_big())) }
    }

    /// Intervals that may have left the width: what has is the whole range, unless the other view knows
    /// better.
    fn wrap(width: u32, signed: Interval, unsigned: Interval) -> Range {
        let all = Range::all(width);
        let fits = |interval: &Interval, all: &Interval| interval.low >= all.low && interval.high <= all.high;
        let signed_fits = fits(&signed, &all.signed);
        let unsigned_fits = fits(&unsigned, &all.unsigned);
        let mut range = Range {
            signed: if signed_fits { signed } else { all.signed.clone() },
            unsigned: if unsigned_fits { unsigned } else { all.unsigned },
        };
        range.tighten(&all.signed.high);
        range
    }

    /// Where all values are on one side of the sign, each view tells something to the other.
    fn tighten(&mut self, greatest: &BigInt) {
        let zero = BigInt::from(0);
        if self.signed.low >= zero
            && let Some(both) = self.unsigned.meet(&self.signed)
        {
            self.unsigned = both.clone();
            self.signed = both;
        } else if self.unsigned.high <= *greatest
            && let Some(both) = self.signed.meet(&self.unsigned)
        {
            self.signed = both.clone();
            self.unsigned = both;
        }
    }

    fn join(&self, other: &Range) -> Range {
        Range { signed: self.signed.join(&other.signed), unsigned: self.unsigned.join(&other.unsigned) }
    }
}

/// Ranges of the bit-vector variables, by the variable's number.
type Ranges = Vec<Option<Range>>;

struct Analysis<'a> {
    arena: &'a mut Arena,
    automaton: &'a Automaton,
    variables: FxHashMap<Term, VarId>,
    landmarks: Vec<BitVec>,
}

/// Bounds that the analysis finds for live variables at each location.
pub(crate) fn intervals(arena: &mut Arena, automaton: &Automaton, live: &LiveVariables) -> Vec<Vec<Term>> {
    let mut found = vec![Vec::new(); automaton.locations.len()];
    let nodes: usize = automaton.edges.iter().map(|edge| edge.command.nodes()).sum();
    if nodes.saturating_mul(automaton.variables.len()) > LARGEST {
        return found;
    }
    let landmarks = constants(arena, automaton);
    let variables = automaton.variable_index();
    let mut analysis = Analysis { arena, automaton, variables, landmarks };
    let reached = analysis.run();
    for (location, ranges) in automaton.location_ids().zip(reached) {
        if location == automaton.entry || automaton.is_sink(location) {
            continue;
        }
        let Some(ranges) = ranges else { continue };
        for (variable, range) in automaton.variable_ids().zip(ranges) {
            if let Some(range) = range
                && live.contains(location, variable)
            {
                found[location.index()].extend(analysis.literals(variable, &range));
            }
        }
    }
    found
}

impl Analysis<'_> {
    fn run(&mut self) -> Vec<Option<Ranges>> {
        let automaton = self.automaton;
        let top: Ranges = automaton
            .variables
            .iter()
            .map(|variable| match variable.sort {
                Sort::BitVec(width) => Some(Range::all(width)),
                _ => None,
            })
            .collect();
        let mut reached: Vec<Option<Ranges>> = vec![None; automaton.locations.len()];
        let mut changes = vec![0_usize; automaton.locations.len()];
        reached[automaton.entry.index()] = Some(top);
        let mut waiting = vec![automaton.entry];
        while let Some(location) = waiting.pop() {
            let Some(here) = reached[location.index()].clone() else { continue };
            for edge in &automaton.edges {
                if edge.source != location || automaton.is_sink(edge.target) {
                    continue;
                }
                let Some(after) = self.execute(&edge.command, &here) else { continue };
                let target = edge.target.index();
                let joined = match &reached[target] {
                    None => after,
                    Some(old) => {
                        let joined = join(old, &after);
                        if joined == *old {
                            continue;
                        }
                        changes[target] += 1;
                        self.widen(old, joined, changes[target])
                    }
                };
                reached[target] = Some(joined);
                if !waiting.contains(&edge.target) {
                    waiting.push(edge.target);
                }
            }
        }
        reached
    }

    /// What holds after a command; `None` if nothing gets through.
    fn execute(&mut self, command: &Command, before: &Ranges) -> Option<Ranges> {
        if command.arcs().is_empty() {
            return Some(before.clone());
        }
        let mut at: Vec<Option<Ranges>> = vec![None; command.nodes()];
        at[command.start().index()] = Some(before.clone());
        // Arcs are in an order in which sources come before targets.
        for arc in command.arcs() {
            let Some(mut ranges) = at[arc.source.index()].clone() else { continue };
            match arc.basic {
                Basic::Skip => {}
                Basic::Assume(condition) => {
                    if !self.assume(&mut ranges, condition) {
                        continue;
                    }
                }
                Basic::Assign(variable, term) => {
                    if ranges[variable.index()].is_some() {
                        ranges[variable.index()] = self.eval(&ranges, term);
                    }
                }
                Basic::Havoc(variable, _) => {
                    if let Sort::BitVec(width) = self.automaton.variable(variable).sort {
                        ranges[variable.index()] = Some(Range::all(width));
                    }
                }
            }
            let target = &mut at[arc.target.index()];
            *target = Some(match target {
                None => ranges,
                Some(old) => join(old, &ranges),
            });
        }
        at.swap_remove(command.end().index())
    }

    /// Cuts ranges by a condition. Whether it can hold.
    fn assume(&mut self, ranges: &mut Ranges, condition: Term) -> bool {
        if let Some(value) = self.arena.as_bool(condition) {
            return value;
        }
        if self.arena.op(condition) == Op::And {
            let conjuncts = self.arena.children(condition).to_vec();
            return conjuncts.into_iter().all(|conjunct| self.assume(ranges, conjunct));
        }
        let (left, right, orders): (Term, Term, &[bool]) = match Shape::of(self.arena, condition) {
            Shape::Bound { term, order, rank } => return self.bound(ranges, term, order, &rank),
            Shape::Equal(left, right) => (left, right, &[true, false]),
            Shape::Less { left, right, signed, .. } => {
                return self.less(ranges, left, right, signed);
            }
            Shape::Other => return true,
        };
        // Equal: each is in the range of the other.
        for &signed in orders {
            if !self.less(ranges, left, right, signed) || !self.less(ranges, right, left, signed) {
                return false;
            }
        }
        true
    }

    fn bound(&mut self, ranges: &mut Ranges, term: Term, order: Order, rank: &BitVec) -> bool {
        let range = Range::of(&order.rank(rank));
        let limit = if order.signed { range.signed } else { range.unsigned };
        self.cut(ranges, term, order, &limit.low)
    }

    /// `left <= right`: the bounds of one cut the other.
    fn less(&mut self, ranges: &mut Ranges, left: Term, right: Term, signed: bool) -> bool {
        let view = |range: Range| if signed { range.signed } else { range.unsigned };
        let (Some(low), Some(high)) = (self.eval(ranges, left), self.eval(ranges, right)) else {
            return true;
        };
        let (low, high) = (view(low).low, view(high).high);
        self.cut(ranges, left, Order { signed, upper: true }, &high)
            && self.cut(ranges, right, Order { signed, upper: false }, &low)
    }

    /// Cuts the range of a term, if it is a variable. Whether something is left.
    fn cut(&mut self, ranges: &mut Ranges, term: Term, order: Order, limit: &BigInt) -> bool {
        let Some(&variable) = self.variables.get(&term) else { return true };
        let Some(range) = &mut ranges[variable.index()] else { return true };
        let interval = if order.signed { &mut range.signed } else { &mut range.unsigned };
        let other = if order.upper {
            Interval { low: interval.low.clone().min(limit.clone()), high: limit.clone() }
        } else {
            Interval { low: limit.clone(), high: interval.high.clone().max(limit.clone()) }
        };
        let Some(met) = interval.meet(&other) else { return false };
        *interval = met;
        if let Sort::BitVec(width) = self.automaton.variable(variable).sort {
            range.tighten(&Interval::all(width, true).high);
        }
        true
    }

    /// The range of a term; `None` if it is no bit-vector.
    fn eval(&self, ranges: &Ranges, term: Term) -> Option<Range> {
        self.eval_to(ranges, term, DEEPEST, &mut FxHashMap::default())
    }

    /// The same to a depth. `known` are terms that were met before.
    fn eval_to(
        &self,
        ranges: &Ranges,
        term: Term,
        depth: usize,
        known: &mut FxHashMap<Term, Range>,
    ) -> Option<Range> {
        let Sort::BitVec(width) = *self.arena.sort(term) else { return None };
        if let Some(range) = known.get(&term) {
            return Some(range.clone());
        }
        if let Some(value) = self.arena.as_bitvec(term) {
            return Some(Range::of(value));
        }
        if let Some(&variable) = self.variables.get(&term) {
            return ranges[variable.index()].clone();
        }
        let all = Range::all(width);
        if depth == 0 {
            return Some(all);
        }
        let children = self.arena.children(term);
        let mut child = |index: usize| self.eval_to(ranges, children[index], depth - 1, known);
        let range = match self.arena.op(term) {
            Op::BvAdd => {
                let mut sum = child(0)?;
                for index in 1..children.len() {
                    let other = child(index)?;
                    let add = |a: &Interval, b: &Interval| Interval {
                        low: &a.low + &b.low,
                        high: &a.high + &b.high,
                    };
                    sum = Range::wrap(
                        width,
                        add(&sum.signed, &other.signed),
                        add(&sum.unsigned, &other.unsigned),
                    );
                }
                sum
            }
            Op::BvNeg => {
                let inner = child(0)?;
                let negate = |a: &Interval| Interval { low: -&a.high, high: -&a.low };
                Range::wrap(width, negate(&inner.signed), negate(&inner.unsigned))
            }
            Op::BvMul => {
                let mut product = child(0)?;
                for index in 1..children.len() {
                    let other = child(index)?;
                    product = Range::wrap(
                        width,
                        multiply(&product.signed, &other.signed),
                        multiply(&product.unsigned, &other.unsigned),
                    );
                }
                product
            }
            Op::Ite => child(1)?.join(&child(2)?),
            Op::ZeroExtend(_) => {
                let inner = child(0)?.unsigned;
                Range::wrap(width, inner.clone(), inner)
            }
            Op::SignExtend(_) => {
                let inner = child(0)?.signed;
                Range::wrap(width, inner.clone(), inner)
            }
            Op::BvUrem => {
                let (left, right) = (child(0)?, child(1)?);
                if right.unsigned.low.sign() != Sign::Plus {
                    return Some(all);
                }
                let high = left.unsigned.high.min(right.unsigned.high - 1);
                let rest = Interval { low: BigInt::from(0), high };
                Range::wrap(width, rest.clone(), rest)
            }
            Op::BvAnd => {
                // Not more than the least of the greatest.
                let mut high = child(0)?.unsigned.high;
                for index in 1..children.len() {
                    high = high.min(child(index)?.unsigned.high);
                }
                let bits = Interval { low: BigInt::from(0), high };
                Range::wrap(width, bits.clone(), bits)
            }
            _ => all,
        };
        known.insert(term, range.clone());
        Some(range)
    }

    /// Where the new ranges go beyond the old ones, lets them jump.
    fn widen(&self, old: &Ranges, new: Ranges, changes: usize) -> Ranges {
        if changes <= LANDMARKS_AFTER {
            return new;
        }
        let mut result = new;
        for (variable, (old, new)) in self.automaton.variables.iter().zip(old.iter().zip(&mut result)) {
            let (Some(old), Some(new), Sort::BitVec(width)) = (old, new, &variable.sort) else { continue };
            let marks: Vec<Range> = if changes <= ENDS_AFTER {
                self.landmarks.iter().filter(|mark| mark.width() == *width).map(Range::of).collect()
            } else {
                Vec::new()
            };
            let all = Range::all(*width);
            let jump = |old: &Interval, new: &mut Interval, all: &Interval, marks: Vec<&BigInt>| {
                if new.low < old.low {
                    let below = marks.iter().filter(|mark| ***mark <= new.low).max();
                    new.low = below.map_or_else(|| all.low.clone(), |mark| (*mark).clone());
                }
                if new.high > old.high {
                    let above = marks.iter().filter(|mark| ***mark >= new.high).min();
                    new.high = above.map_or_else(|| all.high.clone(), |mark| (*mark).clone());
                }
            };
            jump(&old.signed, &mut new.signed, &all.signed, marks.iter().map(|m| &m.signed.low).collect());
            let unsigned = marks.iter().map(|mark| &mark.unsigned.low).collect();
            jump(&old.unsigned, &mut new.unsigned, &all.unsigned, unsigned);
        }
        result
    }

    /// The formulas that say that a variable is in a range.
    fn literals(&mut self, variable: VarId, range: &Range) -> Vec<Term> {
        let declared = self.automaton.variable(variable);
        let Sort::BitVec(width) = declared.sort else { return Vec::new() };
        let all = Range::all(width);
        let mut found = Vec::new();
        if range.unsigned.low == range.unsigned.high {
            let constant = self.arena.bv_constant(to_bits(width, &range.unsigned.low));
            return vec![self.arena.eq(declared.term, constant)];
        }
        for (interval, all, signed) in
            [(&range.signed, &all.signed, true), (&range.unsigned, &all.unsigned, false)]
        {
            for (bound, end, upper) in [(&interval.low, &all.low, false), (&interval.high, &all.high, true)] {
                if bound != end {
                    let order = Order { signed, upper };
                    let rank = order.rank(&to_bits(width, bound));
                    found.push(order.bound(self.arena, declared.term, &rank));
                }
            }
        }
        found
    }
}

fn to_bits(width: u32, value: &BigInt) -> BitVec {
    BitVec::from_signed(width, value)
}

fn multiply(a: &Interval, b: &Interval) -> Interval {
    let products = [&a.low * &b.low, &a.low * &b.high, &a.high * &b.low, &a.high * &b.high];
    let (mut low, mut high) = (products[0].clone(), products[0].clone());
    for product in products {
        low = low.min(product.clone());
        high = high.max(product);
    }
    Interval { low, high }
}

fn join(left: &Ranges, right: &Ranges) -> Ranges {
    let pairs = left.iter().zip(right);
    pairs.map(|(left, right)| Some(left.as_ref()?.join(right.as_ref()?))).collect()
}
