//! Bounds of variables that hold wherever executions are.
//!
//! Proposed is, at every location, that a number lies above or below a constant of the program, and that a
//! float is not NaN; what is not inductive together is thrown out (Houdini). Bounds are what the solver
//! reasons about, so each question is quick. Floats that are bounded by no constant are tried with the steps of
//! a ladder ([`ladder`]). What an abstract interpretation finds of differences of variables
//! ([`differences`](crate::analyses::differences)) comes last, for it rests on all of that.

use super::ladder;
use crate::analyses::differences::differences;
use crate::analyses::houdini::Houdini;
use crate::bmc::Reasoning;
use crate::exchange::Own;
use crate::k_induction::Known;
use crate::landmarks::terms;
use crate::outcome::Unknown;
use crate::relevant::Relevant;
use nilas_program::{LiveVariables, LocationId, Program, VarId};
use nilas_smt::Budget;
use nilas_term::{Arena, FloatValue, Op, Sort, Term, Value};
use rustc_hash::FxHashSet;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Constants that are tried for one variable, those nearest to zero first.
const CONSTANTS: usize = 24;
/// Candidates at one location.
const CANDIDATES: usize = 400;
/// Propagations that it may cost, and what is found of differences.
const MOST: u64 = 10_000_000;
const FOR_DIFFERENCES: u64 = 3_000_000;

/// What was found.
#[derive(Default)]
pub(super) struct Found {
    pub(super) known: Known,
    /// How many of the formulas have constants of the program, and how many steps of the ladder.
    pub(super) constants: u64,
    pub(super) steps: u64,
    /// How many were found by abstract interpretation.
    pub(super) differences: u64,
}

/// The largest set of candidates that is inductive; none if that was not found in time.
pub(super) fn inductive(program: &Program, budget: &Budget) -> Result<Found, Unknown> {
    let automaton = &program.automaton;
    let mut arena = program.arena.clone();
    let relevant = Relevant::new(automaton);
    let live = LiveVariables::within(program, budget).map_err(Unknown::Interrupted)?;
    let proposed = proposed(&mut arena, program);
    let inner = |id: LocationId| id != automaton.entry && !automaton.is_sink(id) && relevant.contains(id);
    // What nobody asks for may have been dropped by a pass: nothing is known of it.
    let of = |id: LocationId| {
        let asked = |&&(variable, _): &&(VarId, Term)| inner(id) && live.contains(id, variable);
        proposed.iter().filter(asked).map(|&(_, formula)| formula).take(CANDIDATES).collect()
    };
    let mut candidates: Vec<Vec<Term>> = automaton.location_ids().map(of).collect();
    let mut transitions = Own::new(automaton, &relevant, budget);
    let mut houdini = Houdini::over(Reasoning::Bounds, automaton.edges.len(), MOST);
    let done =
        houdini.keep_inductive(&mut arena, automaton, &mut transitions, &[], &mut candidates, budget)?;
    if !done {
        return Ok(Found::default());
    }
    let constants = candidates.iter().map(Vec::len).sum::<usize>() as u64;
    let asked = |id: LocationId, variable: VarId| inner(id) && live.contains(id, variable);
    let steps = ladder::add(&mut arena, automaton, &mut transitions, &asked, &mut candidates, budget)?;
    let mut further = differences(&mut arena, automaton, &relevant, &live, budget);
    for (further, known) in further.iter_mut().zip(&candidates) {
        // Weaker formulas stay for now: they may be inductive where the stronger are not.
        let is_new = |&formula: &Term| !strongest(&arena, known, &[formula]).is_empty();
        *further = further.iter().copied().filter(is_new).take(CANDIDATES).collect();
    }
    let mut houdini = Houdini::over(Reasoning::Bounds, automaton.edges.len(), FOR_DIFFERENCES);
    let mut differences = 0;
    if houdini.keep_inductive(&mut arena, automaton, &mut transitions, &candidates, &mut further, budget)? {
        for (further, known) in further.into_iter().zip(&mut candidates) {
            let further = strongest(&arena, known, &further);
            differences += further.len() as u64;
            known.extend(further);
        }
    }
    let formulas = automaton.location_ids().zip(candidates);
    let formulas = formulas.flat_map(|(id, kept)| kept.into_iter().map(move |formula| (id, formula)));
    Ok(Found { known: Known { formulas: formulas.collect(), arena }, constants, steps, differences })
}

/// The float that a formula bounds by a constant, whether from above, and the constant.
fn bound(arena: &Arena, formula: Term) -> Option<(Term, bool, &FloatValue)> {
    let [left, right] = *arena.children(formula) else { return None };
    let float = |term: Term| match arena.as_value(term)? {
        Value::Float(float) => Some(float),
        _ => None,
    };
    match (arena.op(formula), float(left), float(right)) {
        (Op::FpLe, None, Some(most)) => Some((left, true, most)),
        (Op::FpLe, Some(least), None) => Some((right, false, least)),
        _ => None,
    }
}

/// Formulas without bounds of floats that follow from what is known, or from formulas before them.
fn strongest(arena: &Arena, known: &[Term], formulas: &[Term]) -> Vec<Term> {
    let mut kept = Vec::new();
    for &formula in formulas {
        let follows = |&other: &Term| match (bound(arena, formula), bound(arena, other)) {
            (Some((term, upper, constant)), Some((same, also, stronger)))
                if term == same && upper == also =>
            {
                let (less, more) = if upper { (stronger, constant) } else { (constant, stronger) };
                less.compare(more).is_some_and(Ordering::is_le)
            }
            _ => formula == other,
        };
        if !known.iter().chain(&kept).any(follows) {
            kept.push(formula);
        }
    }
    kept
}

/// What is proposed of variables.
fn proposed(arena: &mut Arena, program: &Program) -> Vec<(VarId, Term)> {
    let constants = constants(arena, program);
    let mut proposed = Vec::new();
    for (id, variable) in program.automaton.variable_ids().zip(&program.automaton.variables) {
        let (le, negate) = match &variable.sort {
            Sort::Float(..) => (Op::FpLe, true),
            Sort::BitVec(width) if *width > 1 => (Op::BvSle, false),
            _ => continue,
        };
        if negate {
            let nan = arena.mk(Op::FpIsNan, &[variable.term]);
            proposed.push((id, arena.not(nan)));
        }
        let own: Vec<Term> =
            constants.iter().copied().filter(|&it| *arena.sort(it) == variable.sort).collect();
        for constant in own.into_iter().take(CONSTANTS) {
            proposed.push((id, arena.mk(le, &[variable.term, constant])));
            proposed.push((id, arena.mk(le, &[constant, variable.term])));
        }
    }
    proposed
}

/// Numbers of the program, their opposites, and zero, those nearest to zero first.
fn constants(arena: &mut Arena, program: &Program) -> Vec<Term> {
    let mut stack = terms(&program.automaton);
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut found: BTreeSet<(nilas_term::BitVec, Term)> = BTreeSet::new();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        stack.extend_from_slice(arena.children(term));
        let Some(value) = arena.as_value(term).cloned() else { continue };
        let both = match value {
            Value::Float(float) if !float.is_nan() => {
                let zero = FloatValue::zero(float.format(), false);
                vec![
                    (float.abs().bits, Value::Float(float.clone())),
                    (float.abs().bits, Value::Float(float.neg())),
                    (zero.bits.clone(), Value::Float(zero)),
                ]
            }
            Value::BitVec(bits) => vec![(bits.abs(), Value::BitVec(bits.clone()))],
            _ => continue,
        };
        for (size, value) in both {
            let constant = arena.constant(value);
            found.insert((size, constant));
        }
    }
    found.into_iter().map(|(_, constant)| constant).collect()
}
