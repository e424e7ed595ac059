//! What may matter for reaching a sink, and nothing else: an abstraction of a module.
//!
//! A slice (Weiser, *Program slicing*, ICSE 1981) keeps some variables and forgets all others: assignments of
//! these do nothing, and conditions that mention one hold or fail freely. What then does nothing goes: a call
//! of a procedure that changes no kept variable and leads to no sink, and loops and branches that do nothing
//! but end. Whether a loop ends is not asked: an execution that stays in one reaches no sink.
//!
//! Which variables are kept is a matter of precision alone. Those go first that the conditions right before
//! sinks mention; whatever values flow into a kept variable from is kept, too. With [`Reach::Control`] these
//! are joined by what the conditions mention that decide which of the things that matter comes next (control
//! dependence, for graphs without structure: Danicic, Barraclough, Harman, Howroyd, Kiss, Laurence, *A unifying
//! theory of control dependence and its application to arbitrary program structures*, TCS 2011).
//!
//! The promise: for every execution of the module to a sink there is one of the slice to the same sink, in
//! which kept variables have the same values. So a proof about the slice is one about the module; an
//! execution of the slice need not be one of the module.

use super::effects::Reads;
use super::{Call, Module};
use crate::automaton::Edge;
use crate::command::{Basic, Command};
use crate::ids::{CallId, EdgeId, LocationId, ProcedureId, VarId};
use crate::source::Span;
use nilas_term::Term;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Which variables a slice keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Those whose values flow into the conditions right before sinks.
    Data,
    /// Those, too, that decide what happens to them.
    Control,
}

/// A slice of a module.
#[derive(Clone, Debug)]
pub struct Slice {
    /// The slice, with all variables, locations and procedures of the module: those that do not matter are
    /// mentioned nowhere.
    pub module: Module,
    /// The edge of the module that an edge of the slice comes from; none for calls that do nothing.
    pub edges: Vec<Option<EdgeId>>,
}

/// Makes a slice, see the module's text.
#[must_use]
pub fn slice(module: &Module, reach: Reach) -> Slice {
    let mut slicer = Slicer::new(module, reach);
    slicer.keep_before_sinks();
    while slicer.round() {}
    slicer.emit()
}

/// An edge or a call.
struct Step {
    source: LocationId,
    target: LocationId,
    what: What,
}

enum What {
    Edge(EdgeId),
    Call(CallId),
}

struct Slicer<'a> {
    module: &'a Module,
    reach: Reach,
    steps: Vec<Step>,
    outgoing: Vec<Vec<usize>>,
    incoming: Vec<Vec<usize>>,
    variables: Variables<'a>,
    /// The variables that flow into a variable.
    flows: FxHashMap<VarId, BTreeSet<VarId>>,
    kept: BTreeSet<VarId>,
    /// Procedures that change something kept, or lead to a sink.
    active: Vec<bool>,
    /// Locations that stay.
    stays: Vec<bool>,
    /// The first location on the way that stays, where there is one and only one.
    next: Vec<Option<LocationId>>,
}

/// The variables of terms, each computed once.
struct Variables<'a> {
    reads: Reads<'a>,
    known: FxHashMap<Term, BTreeSet<VarId>>,
}

impl Variables<'_> {
    fn of(&mut self, term: Term) -> &BTreeSet<VarId> {
        self.known.entry(term).or_insert_with(|| {
            let mut found = BTreeSet::new();
            self.reads.add(term, &mut FxHashSet::default(), &mut found);
            found
        })
    }
}

impl<'a> Slicer<'a> {
    fn new(module: &'a Module, reach: Reach) -> Self {
        let automaton = &module.program.automaton;
        let edges = automaton.edge_ids().map(|id| {
            let Edge { source, target, .. } = *automaton.edge(id);
            Step { source, target, what: What::Edge(id) }
        });
        let calls = module.call_ids().map(|id| {
            let Call { source, target, .. } = *module.call(id);
            Step { source, target, what: What::Call(id) }
        });
        let steps: Vec<Step> = edges.chain(calls).collect();
        let count = automaton.locations.len();
        let (mut outgoing, mut incoming) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        for (number, step) in steps.iter().enumerate() {
            outgoing[step.source.index()].push(number);
            incoming[step.target.index()].push(number);
        }
        let mut stays = vec![false; count];
        stays[automaton.entry.index()] = true;
        for procedure in &module.procedures {
            stays[procedure.entry.index()] = true;
            stays[procedure.exit.index()] = true;
        }
        for location in automaton.location_ids().filter(|&location| module.is_sink(location)) {
            stays[location.index()] = true;
        }
        let variables = Variables { reads: Reads::new(module), known: FxHashMap::default() };
        let mut slicer = Slicer {
            module,
            reach,
            steps,
            outgoing,
            incoming,
            variables,
            flows: FxHashMap::default(),
            kept: BTreeSet::new(),
            active: vec![false; module.procedures.len()],
            stays,
            next: vec![None; count],
        };
        slicer.find_flows();
        slicer
    }

    /// What flows into which variable: by assignments, arguments and results.
    fn find_flows(&mut self) {
        let module = self.module;
        let arcs = module.program.automaton.edges.iter().flat_map(|edge| edge.command.arcs());
        for arc in arcs {
            if let Basic::Assign(variable, term) = arc.basic {
                let read = self.variables.of(term);
                self.flows.entry(variable).or_default().extend(read);
            }
        }
        for call in &module.calls {
            let callee = module.procedure(call.callee);
            for (&parameter, &argument) in callee.parameters.iter().zip(&call.arguments) {
                let read = self.variables.of(argument);
                self.flows.entry(parameter).or_default().extend(read);
            }
            for (&result, &taker) in callee.results.iter().zip(&call.results) {
                self.flows.entry(taker).or_default().insert(result);
            }
        }
    }

    /// Keeps a variable and what flows into it.
    fn keep(&mut self, variables: impl IntoIterator<Item = VarId>) -> bool {
        let mut work: Vec<VarId> = variables.into_iter().collect();
        let mut more = false;
        while let Some(variable) = work.pop() {
            if self.kept.insert(variable) {
                more = true;
                work.extend(self.flows.get(&variable).into_iter().flatten());
            }
        }
        more
    }

    /// Keeps what the conditions right before sinks mention: those of the nearest branches, in callers where
    /// a procedure has none.
    fn keep_before_sinks(&mut self) {
        let to_sinks = |step: &usize| self.module.is_sink(self.steps[*step].target);
        let mut work: Vec<usize> = (0..self.steps.len()).filter(to_sinks).collect();
        let mut seen: FxHashSet<usize> = FxHashSet::default();
        while let Some(number) = work.pop() {
            if !seen.insert(number) {
                continue;
            }
            let conditions = self.conditions(number);
            self.keep(conditions);
            let source = self.steps[number].source;
            if self.outgoing[source.index()].len() == 1 {
                work.extend(&self.incoming[source.index()]);
                let owner = self.module.owner(source).filter(|&it| self.module.procedure(it).entry == source);
                work.extend(owner.into_iter().flat_map(|owner| self.calls_of(owner)));
            }
        }
    }

    /// The steps that call a procedure.
    fn calls_of(&self, procedure: ProcedureId) -> Vec<usize> {
        let calls = |step: &usize| match self.steps[*step].what {
            What::Call(call) => self.module.call(call).callee == procedure,
            What::Edge(_) => false,
        };
        (0..self.steps.len()).filter(calls).collect()
    }

    /// The variables of a step's conditions.
    fn conditions(&mut self, step: usize) -> BTreeSet<VarId> {
        let mut found = BTreeSet::new();
        if let What::Edge(edge) = self.steps[step].what {
            for arc in self.module.program.automaton.edge(edge).command.arcs() {
                if let Basic::Assume(term) = arc.basic {
                    found.extend(self.variables.of(term));
                }
            }
        }
        found
    }

    /// Whether a step changes something kept, or leads to a sink.
    fn acts(&self, step: &Step) -> bool {
        match step.what {
            What::Edge(edge) => {
                let edge = self.module.program.automaton.edge(edge);
                let writes = |basic: Basic| match basic {
                    Basic::Assign(variable, _) | Basic::Havoc(variable, _) => self.kept.contains(&variable),
                    Basic::Skip | Basic::Assume(_) => false,
                };
                self.module.is_sink(edge.target) || edge.command.arcs().iter().any(|arc| writes(arc.basic))
            }
            What::Call(call) => {
                let call = self.module.call(call);
                let callee = self.module.procedure(call.callee);
                self.active[call.callee.index()]
                    || callee.parameters.iter().chain(&call.results).any(|it| self.kept.contains(it))
            }
        }
    }

    /// Whether a step stops executions by what is kept: a condition without alternative, or one whose
    /// alternative leads nowhere.
    fn restricts(&mut self, step: usize) -> bool {
        let Step { source, target, .. } = self.steps[step];
        let leads =
            |location: LocationId| self.stays[location.index()] || self.next[location.index()].is_some();
        let others = &self.outgoing[source.index()];
        if !leads(target) || (others.len() > 1 && others.iter().all(|&it| leads(self.steps[it].target))) {
            return false;
        }
        let conditions = self.conditions(step);
        !conditions.is_empty() && conditions.iter().all(|it| self.kept.contains(it))
    }

    /// Finds more that matters; whether there is more.
    fn round(&mut self) -> bool {
        let mut more = false;
        for number in 0..self.steps.len() {
            if self.acts(&self.steps[number]) || self.restricts(number) {
                more |= self.stay(self.steps[number].source);
            }
        }
        for location in self.find_next() {
            more |= self.stay(location);
        }
        if self.reach == Reach::Control {
            for number in 0..self.steps.len() {
                let source = self.steps[number].source.index();
                if self.stays[source] && self.is_branch(source) {
                    let conditions = self.conditions(number);
                    more |= self.keep(conditions);
                }
            }
        }
        more
    }

    /// Whether different things come next behind a location that stays.
    fn is_branch(&self, location: usize) -> bool {
        let ahead = |step: &usize| self.ahead(self.steps[*step].target);
        let mut ways = self.outgoing[location].iter().filter_map(ahead);
        let acts = self.outgoing[location].iter().any(|&it| self.acts(&self.steps[it]));
        let first = ways.next();
        self.outgoing[location].len() > 1 && (acts || ways.any(|way| Some(way) != first))
    }

    /// A location stays; whether that is new. The procedure it belongs to does something then.
    fn stay(&mut self, location: LocationId) -> bool {
        let new = !std::mem::replace(&mut self.stays[location.index()], true);
        if let Some(owner) = self.module.owner(location) {
            let acts = self.outgoing[location.index()].iter().any(|&it| self.acts(&self.steps[it]));
            return new | (acts && !std::mem::replace(&mut self.active[owner.index()], true));
        }
        new
    }

    /// The location that is reached next of those that stay.
    fn ahead(&self, location: LocationId) -> Option<LocationId> {
        if self.stays[location.index()] { Some(location) } else { self.next[location.index()] }
    }

    /// Finds what comes next behind each location; returns those behind which several do. These have to stay.
    fn find_next(&mut self) -> Vec<LocationId> {
        self.next.fill(None);
        let staying = self.module.program.automaton.location_ids().filter(|it| self.stays[it.index()]);
        let mut work: Vec<(LocationId, LocationId)> = staying.map(|it| (it, it)).collect();
        let mut several = Vec::new();
        while let Some((location, label)) = work.pop() {
            for &number in &self.incoming[location.index()] {
                let source = self.steps[number].source;
                if self.stays[source.index()] {
                    continue;
                }
                match self.next[source.index()] {
                    None => {
                        self.next[source.index()] = Some(label);
                        work.push((source, label));
                    }
                    Some(other) if other != label => several.push(source),
                    Some(_) => {}
                }
            }
        }
        several
    }

    /// The module without what does not matter.
    fn emit(mut self) -> Slice {
        let module = self.module;
        let (mut kept_edges, mut origins, mut calls) = (Vec::new(), Vec::new(), Vec::new());
        for number in 0..self.steps.len() {
            let Step { source, target, ref what } = self.steps[number];
            if !self.stays[source.index()] {
                continue;
            }
            let ahead = self.ahead(target);
            match *what {
                What::Call(call) if self.acts(&self.steps[number]) => {
                    let call = module.call(call).clone();
                    calls.push(Call { target: ahead.unwrap_or(target), ..call });
                }
                What::Call(call) => {
                    // Back to where it comes from without having done anything: no execution needs that.
                    let Some(target) = ahead.filter(|&ahead| ahead != source) else { continue };
                    let span: Span = module.call(call).span;
                    kept_edges.push(Edge { source, target, command: Command::skip(), span });
                    origins.push(None);
                }
                What::Edge(id) => {
                    // Neither does any need one that changes nothing and leads back.
                    let idle = ahead == Some(source) && !self.acts(&self.steps[number]);
                    let Some(target) = ahead.filter(|_| !idle) else { continue };
                    let edge = module.program.automaton.edge(id);
                    let command = self.command(&edge.command);
                    kept_edges.push(Edge { source, target, command, span: edge.span });
                    origins.push(Some(id));
                }
            }
        }
        let mut module = module.clone();
        module.program.automaton.edges = kept_edges;
        module.calls = calls;
        Slice { module, edges: origins }
    }

    /// What a command does to what is kept.
    fn command(&mut self, command: &Command) -> Command {
        command.clone().with_basics(|basic| match basic {
            Basic::Assign(variable, _) | Basic::Havoc(variable, _) if !self.kept.contains(&variable) => {
                Basic::Skip
            }
            Basic::Assume(term) if !self.variables.of(term).is_subset(&self.kept) => Basic::Skip,
            _ => basic,
        })
    }
}
