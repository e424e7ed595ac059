//! What is kept of an execution while it is replayed: everything, or only what judging it needs. Executions
//! may have millions of steps.

use crate::check::Verdict;
use crate::evidence::Step;
use crate::replay::TraceStep;
use nilas_program::{ArcId, Automaton, Basic, EdgeId, HavocSite, Machine, VarId};
use nilas_term::Value;
use std::collections::BTreeSet;

/// Hears of the steps of a replay.
pub(crate) trait Record {
    /// An arc was taken, and its `havoc` got a value, if it is one.
    fn arc(&mut self, edge: EdgeId, arc: ArcId, input: Option<(HavocSite, Value)>, machine: &Machine<'_>);

    /// All arcs of an edge were taken.
    fn edge(&mut self, automaton: &Automaton, edge: EdgeId, machine: &Machine<'_>);
}

/// All steps with what they change.
#[derive(Default)]
pub(crate) struct Steps {
    pub(crate) steps: Vec<TraceStep>,
    arcs: Vec<ArcId>,
    inputs: Vec<(HavocSite, Value)>,
}

impl Record for Steps {
    fn arc(&mut self, _: EdgeId, arc: ArcId, input: Option<(HavocSite, Value)>, _: &Machine<'_>) {
        self.arcs.push(arc);
        self.inputs.extend(input);
    }

    fn edge(&mut self, automaton: &Automaton, edge: EdgeId, machine: &Machine<'_>) {
        let (arcs, inputs) = (std::mem::take(&mut self.arcs), std::mem::take(&mut self.inputs));
        let command = &automaton.edge(edge).command;
        let changed = arcs.iter().filter_map(|&arc| match command.arc(arc).basic {
            Basic::Assign(variable, _) | Basic::Havoc(variable, _) => Some(variable),
            Basic::Skip | Basic::Assume(_) => None,
        });
        let changed: BTreeSet<VarId> = changed.collect();
        let changes = changed.into_iter().filter_map(|id| Some((id, machine.scalar(id)?.clone()))).collect();
        self.steps.push(TraceStep { edge, arcs, changes, inputs });
    }
}

/// The way alone.
#[derive(Default)]
pub(crate) struct Arcs {
    pub(crate) path: Vec<Step>,
    arcs: Vec<ArcId>,
}

impl Record for Arcs {
    fn arc(&mut self, _: EdgeId, arc: ArcId, _: Option<(HavocSite, Value)>, _: &Machine<'_>) {
        self.arcs.push(arc);
    }

    fn edge(&mut self, _: &Automaton, edge: EdgeId, _: &Machine<'_>) {
        self.path.push(Step { edge, arcs: std::mem::take(&mut self.arcs) });
    }
}

/// The course of an execution: what judging it needs, however long it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Course {
    /// Where it ended.
    pub verdict: Verdict,
    /// How many edges it takes.
    pub steps: u64,
    /// The edges it takes, each once, in the order in which they are met.
    pub edges: Vec<EdgeId>,
    /// The last one.
    pub last: Option<EdgeId>,
    /// The values of the `havoc`s on the way.
    pub inputs: Vec<(HavocSite, Value)>,
    /// Per edge, whether it was taken.
    taken: Vec<bool>,
}

impl Course {
    pub(crate) fn new(automaton: &Automaton) -> Self {
        let (edges, inputs, taken) = (Vec::new(), Vec::new(), vec![false; automaton.edges.len()]);
        Course { verdict: Verdict::Safe, steps: 0, edges, last: None, inputs, taken }
    }

    /// That of all steps of an execution.
    pub(crate) fn of(automaton: &Automaton, verdict: Verdict, steps: &[TraceStep]) -> Self {
        let mut course = Course::new(automaton);
        (course.verdict, course.steps) = (verdict, steps.len() as u64);
        for step in steps {
            course.met(step.edge);
            course.inputs.extend(step.inputs.iter().cloned());
        }
        course
    }

    fn met(&mut self, edge: EdgeId) {
        self.last = Some(edge);
        if !std::mem::replace(&mut self.taken[edge.index()], true) {
            self.edges.push(edge);
        }
    }
}

impl Record for Course {
    fn arc(&mut self, _: EdgeId, _: ArcId, input: Option<(HavocSite, Value)>, _: &Machine<'_>) {
        self.inputs.extend(input);
    }

    fn edge(&mut self, _: &Automaton, edge: EdgeId, _: &Machine<'_>) {
        self.met(edge);
    }
}

/// Hears of every arc that is taken: the number of the step, its edge, the arc (none where the edge has
/// none), and the state behind it.
pub type Seen<'w> = dyn FnMut(u64, EdgeId, Option<ArcId>, &Machine<'_>) + 'w;

/// Nothing is kept, somebody looks on.
pub(crate) struct Watched<'w, 's> {
    pub(crate) number: u64,
    pub(crate) seen: &'w mut Seen<'s>,
}

impl Record for Watched<'_, '_> {
    fn arc(&mut self, edge: EdgeId, arc: ArcId, _: Option<(HavocSite, Value)>, machine: &Machine<'_>) {
        (self.seen)(self.number, edge, Some(arc), machine);
    }

    fn edge(&mut self, automaton: &Automaton, edge: EdgeId, machine: &Machine<'_>) {
        if automaton.edge(edge).command.arcs().is_empty() {
            (self.seen)(self.number, edge, None, machine);
        }
        self.number += 1;
    }
}
