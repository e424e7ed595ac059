//! Bounds of variables and of their differences, from an abstract interpretation with widening.
//!
//! The state of a filter is bounded by a number that the program does not name, and how far two variables are
//! apart often matters more than where they are: the output of a rate limiter and what it was before, a filter's
//! input and output, an index and a length. Every location has a [`zone`]: for all pairs of floats and of
//! bit-vectors what their difference is at most. Commands are executed on zones, in which terms are linear forms
//! ([`forms`]) with everything that floats are rounded by; ways that meet are joined. Where a location changes
//! again and again its bounds jump to thresholds (widening), and a few sweeps afterwards take back what was too
//! much (narrowing).
//!
//! Bounds are computed with directed rounding ([`nilas_icp::outward`]), but a float that is compared is taken to be a number.
//! The result is only proposed ([`formulas`]): what is not inductive is thrown out by a solver.

mod forms;
mod formulas;
#[cfg(test)]
mod tests;
mod transfer;
mod zone;

use crate::relevant::Relevant;
use nilas_icp::outward::Range;
use nilas_program::{Automaton, LiveVariables, LocationId, VarId};
use nilas_smt::Budget;
use nilas_term::{Arena, BitVec, Format, Op, Sort, Term, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use zone::{Column, Zone};

/// Variables that a program may have: a zone is quadratic in them, and closing it cubic.
const MOST: usize = 40;
/// Programs with more nodes times variables than this are left alone.
const LARGEST: usize = 20_000;
/// Changes of a location before its bounds jump, and before they jump as far as they can.
const THRESHOLDS_AFTER: usize = 3;
const ENDS_AFTER: usize = 60;
/// Sweeps that take back what widening added.
const SWEEPS: usize = 24;
/// Thresholds besides the numbers of the program: powers of two with these exponents.
const EXPONENTS: std::ops::RangeInclusive<i32> = -10..=34;
/// Bit-vectors that are followed.
const WIDEST: u32 = 64;

struct Analysis<'a> {
    arena: &'a mut Arena,
    automaton: &'a Automaton,
    /// Columns of variables, and whether bit-vectors are read as signed numbers.
    columns: FxHashMap<Term, (Column, bool)>,
    integers: Vec<bool>,
    thresholds: Vec<f64>,
}

/// Bounds that the analysis finds for live variables at each location, for floats several of each.
pub(crate) fn differences(
    arena: &mut Arena,
    automaton: &Automaton,
    relevant: &Relevant,
    live: &LiveVariables,
    budget: &Budget,
) -> Vec<Vec<Term>> {
    let mut found = vec![Vec::new(); automaton.locations.len()];
    let nodes: usize = automaton.edges.iter().map(|edge| edge.command.nodes()).sum();
    let columns = columns(arena, automaton);
    if columns.is_empty() || columns.len() > MOST || nodes.saturating_mul(columns.len()) > LARGEST {
        return found;
    }
    let thresholds = thresholds(arena, automaton);
    let mut integers = vec![true; columns.len() + 1];
    for variable in &automaton.variables {
        if let Some(&(column, _)) = columns.get(&variable.term) {
            integers[column] = matches!(variable.sort, Sort::BitVec(_));
        }
    }
    let mut analysis = Analysis { arena, automaton, columns, integers, thresholds };
    let Some(reached) = analysis.run(relevant, budget) else { return found };
    for (location, zone) in automaton.location_ids().zip(reached) {
        if location == automaton.entry || automaton.is_sink(location) {
            continue;
        }
        let Some(zone) = zone else { continue };
        let asked = |variable: &VarId| live.contains(location, *variable);
        let variables: Vec<VarId> = automaton.variable_ids().filter(asked).collect();
        found[location.index()] = analysis.formulas(&zone, &variables);
    }
    found
}

impl Analysis<'_> {
    fn column_of(&self, variable: VarId) -> Option<(Column, bool)> {
        self.columns.get(&self.automaton.variable(variable).term).copied()
    }

    fn is_integer(&self, column: Column) -> bool {
        self.integers[column]
    }

    fn values_of(&self, variable: VarId) -> Range {
        match (&self.automaton.variable(variable).sort, self.column_of(variable)) {
            (Sort::BitVec(width), Some((_, signed))) => values(*width, signed),
            _ => Range::ALL,
        }
    }

    /// The zone of each location; nothing if the budget ends.
    fn run(&self, relevant: &Relevant, budget: &Budget) -> Option<Vec<Option<Zone>>> {
        let automaton = self.automaton;
        let mut ranges = vec![Range::ALL; self.columns.len()];
        for variable in automaton.variable_ids() {
            if let Some((column, _)) = self.column_of(variable) {
                ranges[column - 1] = self.values_of(variable);
            }
        }
        let mut reached: Vec<Option<Zone>> = vec![None; automaton.locations.len()];
        let mut changes = vec![0_usize; automaton.locations.len()];
        reached[automaton.entry.index()] = Some(Zone::of(&ranges));
        let mut waiting = vec![automaton.entry];
        while let Some(location) = waiting.pop() {
            if budget.exhausted().is_some() {
                return None;
            }
            let Some(here) = reached[location.index()].clone() else { continue };
            for &edge in &relevant.outgoing[location.index()] {
                let edge = automaton.edge(edge);
                if automaton.is_sink(edge.target) {
                    continue;
                }
                let Some(after) = self.execute(&edge.command, &here) else { continue };
                let target = edge.target.index();
                let joined = match &reached[target] {
                    None => after,
                    Some(old) => {
                        let joined = old.join(&after);
                        if joined == *old {
                            continue;
                        }
                        changes[target] += 1;
                        match changes[target] {
                            0..=THRESHOLDS_AFTER => joined,
                            it if it <= ENDS_AFTER => old.widen(&joined, &self.thresholds),
                            _ => old.widen(&joined, &[]),
                        }
                    }
                };
                reached[target] = Some(joined);
                if !waiting.contains(&edge.target) {
                    waiting.push(edge.target);
                }
            }
        }
        self.narrow(relevant, &mut reached, budget)?;
        Some(reached)
    }

    /// Executes every edge again, and keeps what comes out.
    fn narrow(&self, relevant: &Relevant, reached: &mut [Option<Zone>], budget: &Budget) -> Option<()> {
        let automaton = self.automaton;
        let inner = |id: &LocationId| *id != automaton.entry && !automaton.is_sink(*id);
        for _ in 0..SWEEPS {
            let before = reached.to_vec();
            for location in automaton.location_ids().filter(inner) {
                if budget.exhausted().is_some() {
                    return None;
                }
                let into = |&edge: &nilas_program::EdgeId| {
                    let edge = automaton.edge(edge);
                    self.execute(&edge.command, reached[edge.source.index()].as_ref()?)
                };
                let all = relevant.incoming[location.index()].iter().filter_map(into);
                reached[location.index()] = all.reduce(|one, two| one.join(&two));
            }
            if before == reached {
                break;
            }
        }
        Some(())
    }
}

/// A column for each float and bit-vector. Bit-vectors are read as signed numbers unless they are mostly compared
/// as unsigned ones.
fn columns(arena: &Arena, automaton: &Automaton) -> FxHashMap<Term, (Column, bool)> {
    let mut signs: FxHashMap<Term, i64> = FxHashMap::default();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut stack = crate::landmarks::terms(automaton);
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        let vote = match arena.op(term) {
            Op::BvSle | Op::BvSlt | Op::SignExtend(_) | Op::FpFromSigned(..) => 1,
            Op::BvUle | Op::BvUlt | Op::ZeroExtend(_) | Op::FpFromUnsigned(..) => -1,
            _ => 0,
        };
        for &child in arena.children(term) {
            *signs.entry(child).or_default() += vote;
            stack.push(child);
        }
    }
    let mut columns = FxHashMap::default();
    for variable in &automaton.variables {
        let is_number = match variable.sort {
            Sort::Float(exponent, significand) => is_followed(Format::new(exponent, significand)),
            Sort::BitVec(width) => (2..=WIDEST).contains(&width),
            _ => false,
        };
        if is_number {
            let signed = signs.get(&variable.term).is_none_or(|&votes| votes >= 0);
            columns.insert(variable.term, (columns.len() + 1, signed));
        }
    }
    columns
}

/// Sizes that bounds jump to: numbers of the program and powers of two, of both signs, growing.
fn thresholds(arena: &Arena, automaton: &Automaton) -> Vec<f64> {
    let mut found: Vec<f64> = EXPONENTS.map(|exponent| 2.0_f64.powi(exponent)).collect();
    found.push(0.0);
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut stack = crate::landmarks::terms(automaton);
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        stack.extend_from_slice(arena.children(term));
        match arena.as_value(term) {
            Some(Value::Float(float)) => found.extend(forms::number(float)),
            Some(Value::BitVec(bits)) if bits.width() <= WIDEST => found.push(signed_number(bits).hi),
            _ => {}
        }
    }
    found.extend(found.clone().iter().map(|number| -number));
    found.sort_by(f64::total_cmp);
    found.dedup();
    found
}

/// Whether the numbers of a format are numbers of the machine.
fn is_followed(format: Format) -> bool {
    format.exponent <= Format::DOUBLE.exponent && format.significand <= Format::DOUBLE.significand
}

/// The values of bit-vectors.
fn values(width: u32, signed: bool) -> Range {
    let size = 2.0_f64.powi(exponent(width));
    // The greatest number of 64 bits is none of the machine: the next one is.
    let greatest = |end: f64| if width <= 53 { end - 1.0 } else { end };
    match signed {
        true => Range { lo: -size / 2.0, hi: greatest(size / 2.0) },
        false => Range { lo: 0.0, hi: greatest(size) },
    }
}

/// A bit-vector as a signed number.
fn signed_number(bits: &BitVec) -> Range {
    let number = i64::try_from(bits.to_signed()).unwrap_or(i64::MAX);
    let near = number as f64;
    if near as i128 == i128::from(number) {
        Range::point(near)
    } else {
        Range { lo: near.next_down(), hi: near.next_up() }
    }
}

fn exponent(bits: u32) -> i32 {
    i32::try_from(bits).unwrap_or(i32::MAX)
}

fn exponent_of(exponent: i64) -> i32 {
    i32::try_from(exponent).unwrap_or(i32::MIN)
}
