//! Bounds of floats between the constants of a program.
//!
//! The state of a filter is bounded, as a rule by a number that the program does not name: `s = 0.9 s + x`
//! with `x` up to 1 stays below 10. So floats are tried with powers of two below the constants that bound them:
//! what is not inductive is thrown out, as with constants. Between the least step that is left and the one
//! below it finer steps are tried, twice. This is what an abstract interpretation with widening to thresholds and narrowing
//! would find, but every question is about whole edges, and exact.

use crate::analyses::houdini::{Houdini, Transitions};
use crate::bmc::Reasoning;
use crate::outcome::Unknown;
use nilas_program::{Automaton, LocationId, VarId};
use nilas_smt::Budget;
use nilas_term::{Arena, BitVec, FloatValue, Format, Op, RoundingMode, Sort, Term, Value};
use rustc_hash::FxHashSet;
use std::cmp::Ordering;

/// The steps are the powers of two with these exponents.
const EXPONENTS: std::ops::RangeInclusive<u32> = 0..=16;
/// Parts that the distance of two steps is cut into, and how often.
const PARTS: u64 = 8;
const FINER: usize = 2;
/// Propagations that it may cost.
const MOST: u64 = 2_000_000;
/// Ends of variables at locations that are tried.
const ENDS: usize = 64;

/// An end of a variable at a location, and what bounds it.
struct End {
    location: LocationId,
    variable: Term,
    format: Format,
    upper: bool,
    /// The least size that is left, and one below it that is not.
    kept: Option<(FloatValue, FloatValue)>,
    /// Whether that is a step of the ladder.
    is_step: bool,
}

impl End {
    /// That the variable does not go beyond a size: `x <= size`, or `-size <= x`.
    fn formula(&self, arena: &mut Arena, size: &FloatValue) -> Term {
        if self.upper {
            let constant = arena.constant(Value::Float(size.clone()));
            arena.mk(Op::FpLe, &[self.variable, constant])
        } else {
            let constant = arena.constant(Value::Float(size.neg()));
            arena.mk(Op::FpLe, &[constant, self.variable])
        }
    }
}

const NEAREST: RoundingMode = RoundingMode::NearestEven;

fn integer(format: Format, number: u64) -> FloatValue {
    FloatValue::from_unsigned(format, &BitVec::new(64, number), NEAREST)
}

/// Adds the steps that are inductive together with what is known of locations, the least of each end; how many.
pub(super) fn add(
    arena: &mut Arena,
    automaton: &Automaton,
    transitions: &mut dyn Transitions,
    asked: &dyn Fn(LocationId, VarId) -> bool,
    known: &mut [Vec<Term>],
    budget: &Budget,
) -> Result<u64, Unknown> {
    let mut ends = open_ends(arena, automaton, asked, known);
    if ends.is_empty() || ends.len() > ENDS {
        return Ok(0);
    }
    for round in 0..=FINER {
        let sizes: Vec<Vec<FloatValue>> = ends.iter().map(|end| sizes(end, round)).collect();
        let mut candidates: Vec<Vec<Term>> = vec![Vec::new(); known.len()];
        for (end, sizes) in ends.iter().zip(&sizes) {
            // What was kept before stays among them: it may be needed for what is tried.
            for size in sizes.iter().chain(end.kept.iter().map(|(kept, _)| kept)) {
                let formula = end.formula(arena, size);
                candidates[end.location.index()].push(formula);
            }
        }
        let mut houdini = Houdini::over(Reasoning::Bounds, automaton.edges.len(), MOST);
        if !houdini.keep_inductive(arena, automaton, transitions, known, &mut candidates, budget)? {
            break;
        }
        let left: Vec<FxHashSet<Term>> =
            candidates.into_iter().map(|formulas| formulas.into_iter().collect()).collect();
        for (end, sizes) in ends.iter_mut().zip(sizes) {
            // Sizes grow.
            let is_left = |size: &FloatValue| {
                let formula = end.formula(arena, size);
                left[end.location.index()].contains(&formula)
            };
            let Some(least) = sizes.iter().position(is_left) else {
                if let (Some((_, below)), Some(last)) = (&mut end.kept, sizes.last()) {
                    *below = last.clone();
                }
                continue;
            };
            end.is_step = true;
            let below = match (least.checked_sub(1), &end.kept) {
                (Some(at), _) => sizes[at].clone(),
                (None, Some((_, below))) => below.clone(),
                (None, None) => FloatValue::zero(end.format, false),
            };
            end.kept = Some((sizes[least].clone(), below));
        }
    }
    let mut count = 0;
    for end in &ends {
        if let Some((size, _)) = end.kept.as_ref().filter(|_| end.is_step) {
            let formula = end.formula(arena, size);
            known[end.location.index()].push(formula);
            count += 1;
        }
    }
    Ok(count)
}

/// The sizes to try for an end, growing.
fn sizes(end: &End, round: usize) -> Vec<FloatValue> {
    let is_less = |size: &FloatValue, than: &FloatValue| size.compare(than).is_some_and(Ordering::is_lt);
    match &end.kept {
        kept if round == 0 => EXPONENTS
            .map(|exponent| integer(end.format, 1 << exponent))
            .filter(|size| !size.is_infinite() && kept.iter().all(|(kept, _)| is_less(size, kept)))
            .collect(),
        None => Vec::new(),
        Some((kept, below)) => {
            let distance = kept.add(&below.neg(), NEAREST);
            let part = |at: u64| {
                let share = distance.mul(&integer(end.format, at), NEAREST);
                below.add(&share.div(&integer(end.format, PARTS), NEAREST), NEAREST)
            };
            (1..PARTS).map(part).collect()
        }
    }
}

/// The ends of floats that may be on both sides of zero, with the constants that bound them.
fn open_ends(
    arena: &Arena,
    automaton: &Automaton,
    asked: &dyn Fn(LocationId, VarId) -> bool,
    known: &[Vec<Term>],
) -> Vec<End> {
    let mut ends = Vec::new();
    for location in automaton.location_ids() {
        for (id, variable) in automaton.variable_ids().zip(&automaton.variables) {
            let Sort::Float(exponent, significand) = variable.sort else { continue };
            if !asked(location, id) {
                continue;
            }
            let format = Format::new(exponent, significand);
            for upper in [true, false] {
                let size = |&formula: &Term| {
                    let [left, right] = arena.children(formula) else { return None };
                    let (bounded, constant) = if upper { (left, right) } else { (right, left) };
                    let is_bound = arena.op(formula) == Op::FpLe && *bounded == variable.term;
                    match arena.as_value(*constant).filter(|_| is_bound)? {
                        Value::Float(bound) => Some(if upper { bound.clone() } else { bound.neg() }),
                        _ => None,
                    }
                };
                let sizes = known[location.index()].iter().filter_map(size);
                let least = sizes.reduce(|one, two| match two.compare(&one) {
                    Some(Ordering::Less) => two,
                    _ => one,
                });
                let zero = FloatValue::zero(format, false);
                if least.as_ref().is_some_and(|least| least.compare(&zero) != Some(Ordering::Greater)) {
                    continue;
                }
                let kept = least.map(|least| (least, zero));
                ends.push(End { location, variable: variable.term, format, upper, kept, is_step: false });
            }
        }
    }
    ends
}
