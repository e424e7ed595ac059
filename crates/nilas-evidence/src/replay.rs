//! The replayer: runs an execution from the entry to a sink, with the interpreter alone.

use crate::check::{Rejection, Verdict};
use crate::evidence::{Execution, Step};
use crate::run::{self, Ways};
use nilas_program::interpret::{Interpreter, Step as Taken};
use nilas_program::{ArcId, Automaton, Basic, EdgeId, HavocSite, LocationId, Machine, Program, VarId};
use nilas_smt::{Budget, Reason};
use nilas_term::Value;
use std::collections::{BTreeMap, BTreeSet};

/// An execution as it happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Where it ended.
    pub verdict: Verdict,
    /// The values of all variables at the entry.
    pub initial: Vec<Value>,
    /// The edges taken.
    pub steps: Vec<TraceStep>,
}

/// One edge of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceStep {
    /// The edge.
    pub edge: EdgeId,
    /// The arcs of its command.
    pub arcs: Vec<ArcId>,
    /// Variables that it assigned, with their values after it; arrays may be left out.
    pub changes: Vec<(VarId, Value)>,
    /// The values of the `havoc`s on the way.
    pub inputs: Vec<(HavocSite, Value)>,
}

/// Runs an execution. The path it names is only a hint: where it does not fit, the first edge that can be taken is.
///
/// # Errors
/// When it does not get to a sink, or the budget ends first.
pub fn replay(program: &Program, execution: &Execution, budget: &Budget) -> Result<Trace, Rejection> {
    if let Some(trace) = replay_straight(program, execution, budget) {
        return Ok(trace);
    }
    let Program { arena, automaton } = program;
    let initial: Vec<Value> = automaton
        .variable_ids()
        .map(|id| match execution.initial.get(&id) {
            Some(value) => value.clone(),
            None => Value::default_of(&automaton.variable(id).sort),
        })
        .collect();
    let failure = |why: String| Rejection::NotReached { why };
    let mut interpreter =
        Interpreter::new(arena, automaton, initial.clone()).map_err(|error| failure(error.to_string()))?;
    let outgoing = outgoing(automaton);
    let mut hints = execution.path.iter().peekable();
    let mut steps: Vec<TraceStep> = Vec::new();
    let mut location = automaton.entry;
    while !automaton.is_sink(location) {
        if let Some(why) = budget.exhausted() {
            return Err(Rejection::Undecided(Reason::Interrupted(why)));
        }
        let before = interpreter.store().to_vec();
        let mut asked: BTreeMap<(HavocSite, usize), Value> = BTreeMap::new();
        let mut choose = |site: HavocSite, occurrence: usize| {
            let value = match execution.havocs.get(&(site, occurrence as u64)) {
                Some(value) => value.clone(),
                None => Value::default_of(&automaton.variable(automaton.havoc(site).variable).sort),
            };
            asked.insert((site, occurrence), value.clone());
            value
        };
        let mut taken: Option<(EdgeId, Vec<ArcId>)> = None;
        if let Some(hint) = hints.next_if(|hint| outgoing[location.index()].contains(&hint.edge)) {
            let command = &automaton.edge(hint.edge).command;
            // Arcs that are no path of the command are treated like a way that is blocked.
            if let Ok(Taken::Taken(arcs)) = interpreter.follow(command, &hint.arcs, &mut choose) {
                taken = Some((hint.edge, arcs));
            }
        }
        for &edge in &outgoing[location.index()] {
            if taken.is_some() {
                break;
            }
            match interpreter.step(edge, &mut choose) {
                Ok(Taken::Taken(arcs)) => taken = Some((edge, arcs)),
                Ok(Taken::Blocked) => {}
                Err(error) => return Err(failure(error.to_string())),
            }
        }
        let Some((edge, arcs)) = taken else {
            let name = &automaton.location(location).name;
            return Err(failure(format!("no edge can be taken at `{name}` after {} steps", steps.len())));
        };
        let after = interpreter.store();
        let changes = automaton
            .variable_ids()
            .filter(|id| before[id.index()] != after[id.index()])
            .map(|id| (id, after[id.index()].clone()))
            .collect();
        // Values asked for on ways that were given up again are left out.
        let passed = |site: &HavocSite, occurrence: &usize| *occurrence < interpreter.occurrences(*site);
        let inputs = asked.into_iter().filter(|((site, occurrence), _)| passed(site, occurrence));
        let inputs = inputs.map(|((site, _), value)| (site, value)).collect();
        location = automaton.edge(edge).target;
        steps.push(TraceStep { edge, arcs, changes, inputs });
        if steps.len() > execution.path.len() + SPARE_STEPS {
            return Err(failure(format!("no sink after {} steps", steps.len())));
        }
    }
    let verdict = if location == automaton.error { Verdict::Unsafe } else { Verdict::Unmodelled };
    Ok(Trace { verdict, initial, steps })
}

/// The same on the machine, which does not search: it follows the hint, and elsewhere the only open way. `None` where
/// that does not lead to a sink; the interpreter then tries, and says what is wrong.
fn replay_straight(program: &Program, execution: &Execution, budget: &Budget) -> Option<Trace> {
    let automaton = &program.automaton;
    let mut machine = Machine::new(program);
    let mut initial = Vec::with_capacity(automaton.variables.len());
    for id in automaton.variable_ids() {
        let sort = &automaton.variable(id).sort;
        let value = execution.initial.get(&id).cloned().unwrap_or_else(|| Value::default_of(sort));
        if value.sort() != *sort {
            return None;
        }
        machine.set(id, Some(value.clone()));
        initial.push(value);
    }
    let mut choose = |site: HavocSite, occurrence: u64| {
        let sort = &automaton.variable(automaton.havoc(site).variable).sort;
        let chosen = execution.havocs.get(&(site, occurrence)).filter(|value| value.sort() == *sort);
        Some(chosen.cloned().unwrap_or_else(|| Value::default_of(sort)))
    };
    if execution.havocs.iter().any(|((site, _), value)| {
        automaton
            .havocs
            .get(site.index())
            .is_none_or(|havoc| value.sort() != automaton.variable(havoc.variable).sort)
    }) {
        return None;
    }
    let ways = Ways::new(automaton);
    let mut stopped = None;
    let mut hints = execution.path.iter().peekable();
    let mut steps: Vec<TraceStep> = Vec::new();
    let mut location = automaton.entry;
    while !automaton.is_sink(location) {
        if steps.len().is_multiple_of(1024) && (steps.len() > STRAIGHT_STEPS || budget.exhausted().is_some())
        {
            return None;
        }
        let fits =
            |hint: &&Step| automaton.edges.get(hint.edge.index()).is_some_and(|edge| edge.source == location);
        let hint = hints.next_if(fits);
        let (edge, first) = match hint {
            Some(hint) => (hint.edge, hint.arcs.first().copied()),
            None => ways.only(&mut machine, location, &mut stopped).ok()??,
        };
        let command = &automaton.edge(edge).command;
        let mut step = TraceStep { edge, arcs: Vec::new(), changes: Vec::new(), inputs: Vec::new() };
        let mut changed: BTreeSet<VarId> = BTreeSet::new();
        let mut node = command.start();
        let mut next = first;
        while node != command.end() {
            let id = next?;
            let arc = command.arcs().get(id.index()).filter(|arc| arc.source == node)?;
            if machine.can_take(edge, id) != Some(true) {
                return None;
            }
            if let Some((site, value)) = machine.take(edge, id, &mut choose) {
                step.inputs.extend(value.map(|value| (site, value)));
            }
            match arc.basic {
                Basic::Assign(variable, _) | Basic::Havoc(variable, _) => {
                    changed.insert(variable);
                }
                Basic::Skip | Basic::Assume(_) => {}
            }
            step.arcs.push(id);
            node = arc.target;
            if node != command.end() {
                next = match hint {
                    Some(hint) => hint.arcs.get(step.arcs.len()).copied(),
                    None => {
                        let outgoing = command.outgoing(node).map(|(id, _)| (edge, Some(id)));
                        run::only(&mut machine, outgoing, &mut stopped).ok()??.1
                    }
                };
            }
        }
        let values = changed.into_iter().filter_map(|id| Some((id, machine.scalar(id)?.clone())));
        step.changes = values.collect();
        steps.push(step);
        location = automaton.edge(edge).target;
    }
    let verdict = if location == automaton.error { Verdict::Unsafe } else { Verdict::Unmodelled };
    Some(Trace { verdict, initial, steps })
}

/// Executions longer than this are not kept in memory.
const STRAIGHT_STEPS: usize = 20_000_000;

/// How much longer than its hint an execution may be.
const SPARE_STEPS: usize = 1_000_000;

fn outgoing(automaton: &Automaton) -> Vec<Vec<EdgeId>> {
    let mut outgoing = vec![Vec::new(); automaton.locations.len()];
    for id in automaton.edge_ids() {
        let source: LocationId = automaton.edge(id).source;
        outgoing[source.index()].push(id);
    }
    outgoing
}
