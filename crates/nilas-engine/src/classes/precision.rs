//! Which variables are tracked: all of them, or those that a path to a sink was shown to need.
//!
//! The second is abstraction of variables with refinement by counterexamples, as in explicit-value analysis
//! (Beyer and Löwe, FASE 2013). They find the variables by interpolation of values along the path; here it is
//! a core: the path's formula has an equation for each variable that a step changes, and the variables are
//! those whose equations cannot be missed, one by one. Nothing is said about values: classes are those of the
//! program's comparisons.

use crate::outcome::Unknown;
use crate::path::PathFormula;
use nilas_program::{Automaton, VarId};
use nilas_smt::{Activation, Answer, Budget, Embedded, Solver};
use nilas_term::Arena;
use std::collections::BTreeSet;

/// Conflicts that a question may take whether a variable can be missed.
const CONFLICTS: u64 = 2_000;

/// Which variables are tracked.
pub(super) enum Precision {
    /// All that are told apart.
    Every,
    /// Those of them that were needed so far.
    Chosen(BTreeSet<VarId>),
}

impl Precision {
    pub(super) fn none() -> Self {
        Precision::Chosen(BTreeSet::new())
    }

    pub(super) fn includes(&self, id: VarId) -> bool {
        match self {
            Precision::Every => true,
            Precision::Chosen(chosen) => chosen.contains(&id),
        }
    }

    /// Adds variables; whether there was a new one.
    pub(super) fn add(&mut self, needed: Vec<VarId>) -> bool {
        match self {
            Precision::Every => false,
            Precision::Chosen(chosen) => needed.into_iter().fold(false, |new, id| chosen.insert(id) | new),
        }
    }

    /// How many variables were chosen.
    pub(super) fn count(&self) -> u64 {
        match self {
            Precision::Every => 0,
            Precision::Chosen(chosen) => chosen.len() as u64,
        }
    }
}

/// Variables whose values from step to step are enough to exclude a path that has no execution. As few as can
/// be found one by one; those that were chosen before are missed last.
pub(super) fn needed(
    arena: &Arena,
    automaton: &Automaton,
    formula: &PathFormula,
    chosen: &BTreeSet<VarId>,
    budget: &Budget,
) -> Result<Vec<VarId>, Unknown> {
    let mut solver: Embedded = Embedded::default();
    let mut groups: Vec<(VarId, Activation)> = Vec::new();
    for id in automaton.variable_ids() {
        let equations = formula.steps.iter().filter_map(|step| step.get(1 + id.index()));
        let equations: Vec<_> =
            equations.copied().filter(|&equation| arena.as_bool(equation) != Some(true)).collect();
        if equations.is_empty() {
            continue;
        }
        let activation = solver.activation();
        for equation in equations {
            solver.assert_under(arena, activation, equation);
        }
        groups.push((id, activation));
    }
    for step in &formula.steps {
        // The guard, and what is known of the state before the step.
        let others = step.iter().take(1).chain(step.iter().skip(1 + automaton.variables.len()));
        others.for_each(|&other| solver.assert(arena, other));
    }
    // What comes first is missed first.
    groups.sort_by_key(|(id, _)| chosen.contains(id));
    match fewest(&mut solver, arena, &[], groups, budget)? {
        Some(left) => Ok(left),
        None => Err(Unknown::Internal("a path without an execution has one".to_owned())),
    }
}

/// Variables whose formulas contradict each other, and what is `always` said: as few as can be found one by
/// one, those that come first are missed first. `None` if there is no contradiction.
pub(crate) fn fewest(
    solver: &mut Embedded,
    arena: &Arena,
    always: &[Activation],
    groups: Vec<(VarId, Activation)>,
    budget: &Budget,
) -> Result<Option<Vec<VarId>>, Unknown> {
    let Some(mut left) = core(solver, arena, always, groups, budget)? else { return Ok(None) };
    // Those before cannot be missed.
    let mut next = 0;
    while next < left.len() {
        let mut without = left.clone();
        without.remove(next);
        let brief = Budget { conflicts: Some(CONFLICTS), ..budget.clone() };
        match core(solver, arena, always, without, &brief) {
            Ok(Some(fewer)) => left = fewer,
            Ok(None) => next += 1,
            Err(why) => match budget.exhausted() {
                Some(_) => return Err(why),
                None => next += 1,
            },
        }
    }
    Ok(Some(left.into_iter().map(|(id, _)| id).collect()))
}

/// Those of the variables whose equations suffice to exclude the path; `None` if all together do not.
fn core(
    solver: &mut Embedded,
    arena: &Arena,
    always: &[Activation],
    mut groups: Vec<(VarId, Activation)>,
    budget: &Budget,
) -> Result<Option<Vec<(VarId, Activation)>>, Unknown> {
    let chosen = groups.iter().map(|&(_, activation)| activation);
    let activations: Vec<Activation> = always.iter().copied().chain(chosen).collect();
    match solver.check(arena, &activations, &[], budget) {
        Answer::Sat => Ok(None),
        Answer::Unknown(reason) => Err(reason.into()),
        Answer::Unsat => {
            let failed: BTreeSet<Activation> = solver.failed_activations().iter().copied().collect();
            groups.retain(|(_, activation)| failed.contains(activation));
            Ok(Some(groups))
        }
    }
}
