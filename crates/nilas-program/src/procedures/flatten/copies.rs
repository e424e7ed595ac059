//! Copies of procedures: locations, edges, and the ways of calls into them and out of them.

use super::depth::Deep;
use super::{Came, Cut, CutReason, Flat, FlattenOptions, Names};
use crate::automaton::{Automaton, Edge, Location, Program};
use crate::command::{Basic, Command};
use crate::graph::Graph;
use crate::ids::{CallId, EdgeId, HavocSite, LocationId, ProcedureId, VarId};
use crate::procedures::{Module, Procedure};
use crate::source::Span;
use crate::targets::Targets;
use nilas_fault::{Fault, planted};
use nilas_term::{Arena, Budget, Interrupt, Sort};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::rc::Rc;

/// How often each recursive procedure is active that is.
type Depths = Rc<BTreeMap<ProcedureId, usize>>;

/// A copy whose edges are still to be made.
struct Pending {
    copy: usize,
    procedure: Option<ProcedureId>,
    depths: Depths,
    /// Where its locations are.
    locations: Rc<FxHashMap<LocationId, LocationId>>,
}

/// A copy that calls share.
struct Shared {
    entry: LocationId,
    exit: LocationId,
    caller: VarId,
    calls: u64,
}

/// Bits of the number of a call.
const CALL_BITS: u32 = 32;
/// The longest path in the name of a location.
const LONGEST: usize = 6;

pub(super) struct Flattener<'m> {
    pub(super) module: &'m Module,
    options: &'m FlattenOptions<'m>,
    pub(super) arena: Arena,
    pub(super) automaton: Automaton,
    flat_locations: Vec<Option<(usize, LocationId)>>,
    came: Vec<Came>,
    pub(super) sites: Vec<HavocSite>,
    pub(super) variables: Vec<Option<(VarId, usize)>>,
    cuts: Vec<Cut>,
    copies: Vec<(usize, CallId)>,
    /// Locations of the module by procedure; the last list is that of the main one.
    own_locations: Vec<Vec<LocationId>>,
    own_edges: Vec<Vec<EdgeId>>,
    own_calls: Vec<Vec<CallId>>,
    unset: Vec<Vec<VarId>>,
    recursive: Vec<bool>,
    /// Recursive procedures that a procedure may call.
    reached: Vec<Vec<ProcedureId>>,
    shared: FxHashMap<(ProcedureId, Vec<usize>), Shared>,
    /// Variables and `havoc`s at depths beyond one.
    pub(super) deep: FxHashMap<(ProcedureId, usize), Deep>,
    /// Sites of values at entries.
    pub(super) local_sites: FxHashMap<VarId, HavocSite>,
    location_names: FxHashSet<String>,
    pub(super) variable_names: FxHashSet<String>,
}

impl<'m> Flattener<'m> {
    pub(super) fn new(
        module: &'m Module,
        options: &'m FlattenOptions<'m>,
        arena: Arena,
        unset: Vec<Vec<VarId>>,
    ) -> Self {
        let old = &module.program.automaton;
        let main = module.procedures.len();
        let owner = |location| module.owner(location).map_or(main, ProcedureId::index);
        let mut own_locations = vec![Vec::new(); main + 1];
        for location in old.location_ids() {
            own_locations[owner(location)].push(location);
        }
        let mut own_edges = vec![Vec::new(); main + 1];
        for edge in old.edge_ids() {
            own_edges[owner(old.edge(edge).source)].push(edge);
        }
        let mut own_calls = vec![Vec::new(); main + 1];
        for call in module.call_ids() {
            own_calls[owner(module.call(call).source)].push(call);
        }
        let recursive = recursive(module);
        let reached = if recursive.contains(&true) { module.reached() } else { vec![Vec::new(); main + 1] };
        let mut reached = reached;
        for list in &mut reached {
            list.retain(|procedure| recursive[procedure.index()]);
        }
        Flattener {
            module,
            options,
            arena,
            automaton: Automaton {
                name: old.name.clone(),
                variables: old.variables.clone(),
                locations: Vec::new(),
                edges: Vec::new(),
                havocs: old.havocs.clone(),
                entry: LocationId::new(0),
                error: LocationId::new(0),
                unmodelled: None,
            },
            flat_locations: Vec::new(),
            came: Vec::new(),
            sites: (0..old.havocs.len()).map(HavocSite::new).collect(),
            variables: old.variable_ids().map(|variable| Some((variable, 1))).collect(),
            cuts: Vec::new(),
            copies: Vec::new(),
            own_locations,
            own_edges,
            own_calls,
            unset,
            recursive,
            reached,
            shared: FxHashMap::default(),
            deep: FxHashMap::default(),
            local_sites: FxHashMap::default(),
            location_names: old.locations.iter().map(|location| location.name.clone()).collect(),
            variable_names: old.variables.iter().map(|variable| variable.name.clone()).collect(),
        }
    }

    pub(super) fn run(&mut self, budget: &Budget) -> Result<(), Interrupt> {
        let old = &self.module.program.automaton;
        let main = self.copy_locations(0, None);
        self.automaton.entry = main[&old.entry];
        self.automaton.error = main[&old.error];
        self.automaton.unmodelled = old.unmodelled.map(|location| main[&location]);
        let targets = self.module.targets.iter().map(|target| main[target]);
        let sinks: FxHashMap<LocationId, LocationId> = self
            .module
            .targets
            .iter()
            .copied()
            .zip(targets)
            .chain(old.unmodelled.zip(self.automaton.unmodelled))
            .collect();
        let first = Pending { copy: 0, procedure: None, depths: Depths::default(), locations: Rc::new(main) };
        let mut work = vec![first];
        while let Some(pending) = work.pop() {
            if let Some(why) = budget.exhausted() {
                return Err(why);
            }
            let more = self.copy(&pending, &sinks);
            work.extend(more.into_iter().rev());
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Flat {
        let program = Program { arena: self.arena, automaton: self.automaton };
        let main: FxHashMap<LocationId, LocationId> = self
            .flat_locations
            .iter()
            .enumerate()
            .filter_map(|(index, place)| {
                place.filter(|(copy, _)| *copy == 0).map(|(_, old)| (old, LocationId::new(index)))
            })
            .collect();
        let targets = self.module.targets.iter().map(|target| main[target]).collect();
        Flat {
            targets: Targets { program, targets },
            locations: self.flat_locations,
            edges: self.came,
            sites: self.sites,
            variables: self.variables,
            cuts: self.cuts,
            copies: self.copies,
        }
    }

    /// New locations for those of a procedure.
    fn copy_locations(
        &mut self,
        copy: usize,
        procedure: Option<ProcedureId>,
    ) -> FxHashMap<LocationId, LocationId> {
        let index = procedure.map_or(self.module.procedures.len(), ProcedureId::index);
        let own = std::mem::take(&mut self.own_locations[index]);
        let path = match self.options.names {
            Names::Paths => self.path(copy),
            Names::Numbers => String::new(),
        };
        let mut map = FxHashMap::default();
        for &old in &own {
            let id = LocationId::new(self.automaton.locations.len());
            let Location { name, span } = self.module.program.automaton.location(old);
            let entry = self.module.program.automaton.entry;
            let name = match self.options.names {
                _ if copy == 0 && (old == entry || self.module.is_sink(old)) => name.clone(),
                Names::Numbers => fresh(&mut self.location_names, format!("l{}", id.index()), true),
                Names::Paths if copy == 0 => name.clone(),
                Names::Paths => fresh(&mut self.location_names, format!("{path}{name}"), false),
            };
            self.automaton.locations.push(Location { name, span: *span });
            self.flat_locations.push(Some((copy, old)));
            map.insert(old, id);
        }
        self.own_locations[index] = own;
        map
    }

    /// The calls around a copy, as the start of the names of its locations.
    fn path(&self, copy: usize) -> String {
        let mut sources = Vec::new();
        let mut at = copy;
        while let Some(&(caller, call)) = at.checked_sub(1).and_then(|index| self.copies.get(index)) {
            let source = self.module.call(call).source;
            sources.push(&self.module.program.automaton.location(source).name[..]);
            at = caller;
        }
        if sources.len() > LONGEST {
            return format!("…{copy}/");
        }
        sources.iter().rev().flat_map(|source| [*source, "/"]).collect()
    }

    fn edge(&mut self, source: LocationId, target: LocationId, command: Command, span: Span, came: Came) {
        self.automaton.edges.push(Edge { source, target, command, span });
        self.came.push(came);
    }

    /// The edges of a copy; the copies that it needs.
    fn copy(&mut self, pending: &Pending, sinks: &FxHashMap<LocationId, LocationId>) -> Vec<Pending> {
        let module = self.module;
        let index = pending.procedure.map_or(module.procedures.len(), ProcedureId::index);
        let depth = pending.procedure.and_then(|it| pending.depths.get(&it).copied()).unwrap_or(1);
        let place = |location: LocationId| match sinks.get(&location) {
            Some(&sink) => sink,
            None => pending.locations[&location],
        };
        for id in self.own_edges[index].clone() {
            let edge = module.program.automaton.edge(id);
            let command = edge.command.clone();
            let command = match pending.procedure.filter(|_| depth > 1) {
                Some(procedure) => command.with_basics(|basic| self.deep_basic(procedure, depth, basic)),
                None => command,
            };
            self.edge(place(edge.source), place(edge.target), command, edge.span, Came::Edge(id));
        }
        let mut more = Vec::new();
        for id in self.own_calls[index].clone() {
            let call = module.call(id);
            let (source, target) = (place(call.source), place(call.target));
            more.extend(self.call(pending, depth, id, source, target));
        }
        more
    }

    /// A call; the copy that it needs.
    fn call(
        &mut self,
        pending: &Pending,
        depth: usize,
        id: CallId,
        source: LocationId,
        target: LocationId,
    ) -> Option<Pending> {
        let module = self.module;
        let call = module.call(id);
        let callee = call.callee;
        let procedure = module.procedure(callee);
        let recursive = self.recursive[callee.index()];
        let below = if recursive { pending.depths.get(&callee).copied().unwrap_or(0) + 1 } else { 1 };
        if below > self.options.recursion {
            self.cut(id, source, CutReason::Recursion);
            return None;
        }
        let share = (self.options.share)(callee);
        let key = share.then(|| {
            let depth = |inside: &ProcedureId| pending.depths.get(inside).copied().unwrap_or(0);
            (callee, self.reached[callee.index()].iter().map(depth).collect::<Vec<usize>>())
        });
        let known = key.as_ref().and_then(|key| self.shared.get_mut(key));
        if let Some(shared) = known {
            shared.calls += 1;
            let (entry, exit, caller, number) = (shared.entry, shared.exit, shared.caller, shared.calls);
            let number = Some((caller, number));
            self.pass(pending, depth, id, below, (source, target), (entry, exit), number);
            return None;
        }
        if self.automaton.edges.len() + self.own_edges[callee.index()].len() > self.options.edges {
            self.cut(id, source, CutReason::Edges);
            return None;
        }
        self.copies.push((pending.copy, id));
        let copy = self.copies.len();
        let locations = self.copy_locations(copy, Some(callee));
        let ends = (locations[&procedure.entry], locations[&procedure.exit]);
        let number = key.map(|key| {
            let name = format!("{}.%caller", procedure.name);
            let caller = self.new_variable(&name, &Sort::BitVec(CALL_BITS), procedure.span, None);
            self.shared.insert(key, Shared { entry: ends.0, exit: ends.1, caller, calls: 0 });
            (caller, 0)
        });
        self.pass(pending, depth, id, below, (source, target), ends, number);
        let mut depths = Rc::clone(&pending.depths);
        if recursive {
            Rc::make_mut(&mut depths).insert(callee, below);
        }
        Some(Pending { copy, procedure: Some(callee), depths, locations: Rc::new(locations) })
    }

    fn cut(&mut self, call: CallId, source: LocationId, reason: CutReason) {
        let sink = match self.automaton.unmodelled {
            Some(sink) => sink,
            None => {
                let sink = LocationId::new(self.automaton.locations.len());
                let name = fresh(&mut self.location_names, "unmodelled".to_owned(), false);
                self.automaton.locations.push(Location { name, span: Span::default() });
                self.flat_locations.push(None);
                self.automaton.unmodelled = Some(sink);
                sink
            }
        };
        self.cuts.push(Cut { edge: EdgeId::new(self.automaton.edges.len()), call, reason });
        let span = self.module.call(call).span;
        self.edge(source, sink, Command::skip(), span, Came::Cut(call));
    }

    /// The ways of a call into a copy of its callee and out of it.
    #[allow(clippy::too_many_arguments, reason = "both ends of both ways")]
    fn pass(
        &mut self,
        pending: &Pending,
        depth: usize,
        id: CallId,
        below: usize,
        (source, target): (LocationId, LocationId),
        (entry, exit): (LocationId, LocationId),
        number: Option<(VarId, u64)>,
    ) {
        let call = self.module.call(id);
        let callee: &Procedure = self.module.procedure(call.callee);
        let step = |basic| Command::basic(basic, call.span);
        let mut enter = Vec::new();
        // Parameters are no variables of the caller at this depth: one after the other is all at once.
        for (&argument, &parameter) in call.arguments.iter().zip(&callee.parameters) {
            let value = match pending.procedure.filter(|_| depth > 1) {
                Some(caller) => self.deep_term(caller, depth, argument),
                None => argument,
            };
            enter.push(step(Basic::Assign(self.at_depth(call.callee, below, parameter), value)));
        }
        for variable in self.unset[call.callee.index()].clone() {
            let variable = self.at_depth(call.callee, below, variable);
            enter.push(step(Basic::Havoc(variable, self.local_site(variable, callee.span))));
        }
        let mut leave = Vec::new();
        if let Some((caller, number)) = number {
            let number = self.arena.bv(CALL_BITS, number);
            enter.push(step(Basic::Assign(caller, number)));
            let active = match planted(Fault::SharedReturnAnywhere) {
                true => self.arena.mk_true(),
                false => self.arena.eq(self.automaton.variable(caller).term, number),
            };
            leave.push(step(Basic::Assume(active)));
        }
        for (&variable, &result) in call.results.iter().zip(&callee.results) {
            let from = self.at_depth(call.callee, below, result);
            let value = self.automaton.variable(from).term;
            let to = match self.module.owner_of(variable) {
                Some(owner) => self.at_depth(owner, depth, variable),
                None => variable,
            };
            leave.push(step(Basic::Assign(to, value)));
        }
        self.edge(source, entry, Command::sequence(&enter), call.span, Came::Enter(id));
        self.edge(exit, target, Command::sequence(&leave), call.span, Came::Leave(id));
    }
}

/// Which procedures may call themselves, directly or through others.
fn recursive(module: &Module) -> Vec<bool> {
    let node = |procedure: usize| LocationId::new(procedure);
    let graph = module.call_graph();
    let ends = graph[..module.procedures.len()]
        .iter()
        .enumerate()
        .flat_map(|(caller, list)| list.iter().map(move |callee| (node(caller), node(callee.index()))));
    let cycles = Graph::of_edges(module.procedures.len(), ends).on_cycles(|_| true);
    (0..module.procedures.len()).map(|index| cycles.contains(node(index))).collect()
}

/// A name that nothing has yet; one that its maker knows to be new is only noted.
pub(super) fn fresh(names: &mut FxHashSet<String>, name: String, numbered: bool) -> String {
    if numbered || names.insert(name.clone()) {
        return name;
    }
    let mut number = 2;
    loop {
        let other = format!("{name}~{number}");
        if names.insert(other.clone()) {
            return other;
        }
        number += 1;
    }
}
