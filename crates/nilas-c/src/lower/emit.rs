//! The automaton under construction: where the lowering is, and the edges it leaves behind.
//!
//! Straight-line steps are collected and become one edge where the control flow forks or joins, or when there are many.
//! `here` is `None` while nothing can be reached; then nothing is emitted. Under a *guard* (the right operand of `&&`
//! while it is evaluated) assumptions hold only where the guard does.

use super::aims::{self, Aims};
use super::facts::Facts;
use super::object::{Local, Object, ObjectId, Shape};
use super::points::{Class, Points};
use super::scope::Scopes;
use super::{Bound, HavocOrigin, LowerOptions, Lowered, Undefined, Unmodelled};
use crate::source::{Diagnostic, Span};
use crate::tree::{self, ExprId, FunctionId, LabelId, StringId};
use nilas_program::{
    Automaton, Basic, Command, Edge, EdgeId, Havoc, HavocSite, Location, LocationId, VarId, Variable,
};
use nilas_term::{Arena, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// The longest chain of steps on one edge.
const CHAIN: usize = 24;

/// An active call.
pub(super) struct Frame {
    pub(super) function: FunctionId,
    /// How many frames of the function are active, this one included.
    pub(super) depth: usize,
    /// Variables that hold a constant as long as they live.
    pub(super) bound: FxHashMap<tree::VarId, Term>,
    pub(super) labels: FxHashMap<LabelId, LocationId>,
    pub(super) exit: LocationId,
    pub(super) result: Option<ObjectId>,
    pub(super) breaks: Vec<LocationId>,
    pub(super) continues: Vec<LocationId>,
    /// The blocks around the present statement, outermost first.
    pub(super) blocks: Vec<tree::StmtId>,
}

/// What identifies an object across the two rounds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Key {
    Static(tree::VarId),
    Local(Local),
    Result(FunctionId, usize),
    Aggregate(FunctionId, usize, ExprId),
    String(StringId),
    /// An allocation: function and depth, call, and which of its objects.
    Heap(FunctionId, usize, ExprId, usize),
    /// All objects of an allocation in a loop.
    Pool(FunctionId, usize, ExprId),
    /// What pointers of unknown origin into a class point to, in elements of so many bits.
    External(Class, u32),
    Function(FunctionId),
    Label(LabelId),
}

/// The lowering of one program.
pub(super) struct Lowering<'p> {
    pub(super) tree: &'p tree::Program,
    pub(super) options: &'p LowerOptions,
    pub(super) facts: &'p Facts,
    pub(super) points: &'p Points,
    pub(super) scopes: &'p Scopes,
    pub(super) arena: Arena,
    automaton: Automaton,
    pub(super) here: Option<LocationId>,
    pending: Vec<(Basic, Span, Option<&'static str>)>,
    pub(super) guard: Option<Term>,
    pub(super) frames: Vec<Frame>,
    pub(super) depths: FxHashMap<FunctionId, usize>,
    pub(super) objects: Vec<Object>,
    pub(super) by_key: FxHashMap<Key, ObjectId>,
    /// Addresses by key: those of the first round, and new ones.
    pub(super) addresses: BTreeMap<Key, u64>,
    /// Objects by the start of their regions.
    pub(super) regions: BTreeMap<u64, (Key, u32)>,
    /// What allocations hold, by key.
    pub(super) shapes: FxHashMap<Key, Shape>,
    pub(super) next_address: u64,
    pub(super) olds: FxHashMap<ExprId, Term>,
    temporaries: FxHashMap<(FunctionId, usize, ExprId, u32), VarId>,
    scratch: FxHashMap<(String, usize, Sort), VarId>,
    /// Per location, whether an edge leads there.
    entered: Vec<bool>,
    names: FxHashSet<String>,
    noted: BTreeSet<String>,
    pub(super) notes: Vec<Diagnostic>,
    places: Vec<Unmodelled>,
    /// The bound that [`Lowering::unmodelled_if`] stands for at the moment.
    cut: Option<Bound>,
    /// Bodies that calls share.
    pub(super) shared: FxHashMap<super::shared::Instance, super::shared::Body>,
    pub(super) instances: usize,
    /// Where the values of `havoc`s come from, by site.
    origins: Vec<HavocOrigin>,
    /// Where the value of the next `havoc` comes from.
    origin: HavocOrigin,
    /// Functions without body and known meaning that were called.
    pub(super) unknown: BTreeSet<FunctionId>,
    pub(super) span: Span,
    /// Static objects in the order in which they were met, to be initialised before `main`.
    pub(super) statics: Vec<tree::VarId>,
    /// The variable of the rounding mode.
    pub(super) rounding: Option<VarId>,
    pub(super) counters: FxHashMap<(FunctionId, usize, ExprId), VarId>,
    /// How often an allocation was met outside of loops.
    pub(super) visits: FxHashMap<(FunctionId, usize, ExprId), usize>,
    /// How many loops are around the present place.
    pub(super) loops: usize,
    /// The bits of accesses through pointers of unknown origin, by class: known from the round before, and found.
    pub(super) widths: BTreeMap<Class, BTreeSet<u32>>,
    /// Objects that stand for what pointers of unknown origin point to.
    pub(super) externals: Vec<ObjectId>,
    /// All objects with an address were known from the start, so that a pointer to no object is undefined.
    pub(super) settled: bool,
    undefined: Vec<Undefined>,
    /// Constructs that Nilas refuses, where they were met.
    refused: Vec<Diagnostic>,
    /// The addresses that variables hold.
    pub(super) aims: Aims,
}

/// More rounds than that are not tried; what is not known then is unmodelled.
const MOST_ROUNDS: usize = 6;

/// Lowers until a round knows all addresses from the start: mostly twice.
pub(super) fn run(tree: &tree::Program, options: &LowerOptions, main: FunctionId) -> Lowered {
    let facts = Facts::new(tree);
    let points = Points::new(tree, &facts.targets);
    let scopes = Scopes::new(tree);
    let mut before = Lowering::new(tree, options, &facts, &points, &scopes, main);
    before.program(main);
    let mut round = 1;
    loop {
        if before.addresses.is_empty() && before.widths.is_empty() {
            return before.finish();
        }
        let known = before.known_memory_size();
        let aims = aims::join(before.solve_aims(), before.aims.known.take());
        let mut next = Lowering::new(tree, options, &facts, &points, &scopes, main);
        // The last round takes nothing for granted that it might have to take back.
        next.aims.known = (round + 1 < MOST_ROUNDS).then_some(aims);
        next.addresses = before.addresses;
        next.regions = before.regions;
        next.shapes = before.shapes;
        next.next_address = before.next_address;
        next.widths = before.widths;
        next.settled = round < MOST_ROUNDS;
        next.program(main);
        round += 1;
        let holds = next.aims_hold(&next.solve_aims());
        if (holds && known == next.known_memory_size()) || round > MOST_ROUNDS {
            return next.finish();
        }
        before = next;
    }
}

impl<'p> Lowering<'p> {
    fn new(
        tree: &'p tree::Program,
        options: &'p LowerOptions,
        facts: &'p Facts,
        points: &'p Points,
        scopes: &'p Scopes,
        main: FunctionId,
    ) -> Self {
        let mut lowering = Lowering {
            tree,
            options,
            facts,
            points,
            scopes,
            arena: Arena::new(),
            automaton: Automaton {
                name: String::new(),
                variables: Vec::new(),
                locations: Vec::new(),
                edges: Vec::new(),
                havocs: Vec::new(),
                entry: LocationId::new(0),
                error: LocationId::new(1),
                unmodelled: Some(LocationId::new(2)),
            },
            here: None,
            pending: Vec::new(),
            guard: None,
            frames: Vec::new(),
            depths: FxHashMap::default(),
            objects: Vec::new(),
            by_key: FxHashMap::default(),
            addresses: BTreeMap::new(),
            regions: BTreeMap::new(),
            shapes: FxHashMap::default(),
            next_address: 0x1_0000,
            olds: FxHashMap::default(),
            temporaries: FxHashMap::default(),
            scratch: FxHashMap::default(),
            entered: vec![false; 3],
            names: FxHashSet::default(),
            noted: BTreeSet::new(),
            notes: Vec::new(),
            places: Vec::new(),
            cut: None,
            shared: FxHashMap::default(),
            instances: 0,
            origins: Vec::new(),
            origin: HavocOrigin::Garbage,
            unknown: BTreeSet::new(),
            span: tree.functions[main].span,
            statics: Vec::new(),
            rounding: None,
            counters: FxHashMap::default(),
            visits: FxHashMap::default(),
            loops: 0,
            widths: BTreeMap::new(),
            externals: Vec::new(),
            settled: true,
            undefined: Vec::new(),
            refused: Vec::new(),
            aims: Aims::default(),
        };
        for name in ["entry", "error", "unmodelled"] {
            let span = map_span(lowering.span);
            lowering.automaton.locations.push(Location { name: name.to_owned(), span });
        }
        lowering
    }

    /// Everything from the entry on. Static objects are met on the way and initialised last, between entry and start.
    fn program(&mut self, main: FunctionId) {
        self.known_externals();
        let start = self.new_location();
        self.here = Some(start);
        self.start(main);
        self.here = Some(self.automaton.entry);
        self.initialise_rounding();
        self.initialise_counters();
        self.initialise_externals();
        self.initialise_statics();
        self.goto(start);
    }

    fn finish(mut self) -> Lowered {
        let unmodelled = self.automaton.unmodelled;
        if !self.automaton.edges.iter().any(|edge| Some(edge.target) == unmodelled) {
            // Nothing leads there; the location stays, isolated sinks are allowed.
            self.places.clear();
        }
        self.automaton.name = self.tree.sources.locate(self.span).file;
        let program = nilas_program::Program { arena: self.arena, automaton: self.automaton };
        Lowered {
            program,
            notes: self.notes,
            places: self.places,
            undefined: self.undefined,
            instances: self.instances,
            havocs: self.origins,
            unknown: self.unknown.into_iter().collect(),
            refused: self.refused,
        }
    }

    /// How much is known of memory; more in a later round, until nothing is added.
    fn known_memory_size(&self) -> (usize, usize, usize) {
        (self.addresses.len(), self.shapes.len(), self.widths.values().map(BTreeSet::len).sum())
    }

    pub(super) fn edge_count(&self) -> usize {
        self.automaton.edges.len()
    }

    /// Whether an edge leads to a location so far.
    pub(super) fn has_incoming(&self, location: LocationId) -> bool {
        self.entered[location.index()]
    }

    pub(super) fn reachable(&self) -> bool {
        self.here.is_some()
    }

    pub(super) fn new_location(&mut self) -> LocationId {
        let id = LocationId::new(self.automaton.locations.len());
        let span = map_span(self.span);
        self.automaton.locations.push(Location { name: format!("l{}", id.index()), span });
        self.entered.push(false);
        id
    }

    /// A variable; the name is made unique.
    pub(super) fn new_variable(&mut self, name: &str, sort: &Sort) -> (VarId, Term) {
        let mut unique = name.to_owned();
        let mut count = 1;
        while !self.names.insert(unique.clone()) {
            count += 1;
            unique = format!("{name}~{count}");
        }
        let id = VarId::new(self.automaton.variables.len());
        let term = self.arena.variable(&unique, sort).expect("the name is new in this arena");
        let span = map_span(self.span);
        self.track(id, &unique, term, sort);
        self.automaton.variables.push(Variable { name: unique, sort: sort.clone(), term, span });
        (id, term)
    }

    pub(super) fn variable_name(&self, variable: VarId) -> String {
        self.automaton.variable(variable).name.clone()
    }

    pub(super) fn variable_term(&self, variable: VarId) -> Term {
        self.automaton.variable(variable).term
    }

    fn edge(
        &mut self,
        source: LocationId,
        target: LocationId,
        steps: &[(Basic, Span, Option<&'static str>)],
    ) -> EdgeId {
        let commands: Vec<Command> =
            steps.iter().map(|(basic, span, _)| Command::basic(*basic, map_span(*span))).collect();
        let span = map_span(steps.first().map_or(self.span, |(_, span, _)| *span));
        let id = EdgeId::new(self.automaton.edges.len());
        for (step, &(_, span, what)) in steps.iter().enumerate() {
            if let Some(what) = what {
                self.undefined.push(Undefined { edge: id, step, what, span });
            }
        }
        self.entered[target.index()] = true;
        self.automaton.edges.push(Edge { source, target, command: Command::sequence(&commands), span });
        id
    }

    fn push(&mut self, basic: Basic) {
        self.push_what(basic, None);
    }

    fn push_what(&mut self, basic: Basic, what: Option<&'static str>) {
        if self.here.is_none() {
            return;
        }
        self.pending.push((basic, self.span, what));
        if self.pending.len() >= CHAIN {
            self.flush();
        }
    }

    /// Makes the collected steps an edge; where that leads.
    pub(super) fn flush(&mut self) -> Option<LocationId> {
        let here = self.here?;
        if self.pending.is_empty() {
            return Some(here);
        }
        let target = self.new_location();
        let steps = std::mem::take(&mut self.pending);
        self.edge(here, target, &steps);
        self.here = Some(target);
        self.here
    }

    pub(super) fn assign(&mut self, variable: VarId, term: Term) {
        if term != self.variable_term(variable) {
            self.note_assignment(variable, term);
            self.push(Basic::Assign(variable, term));
        }
    }

    pub(super) fn havoc(&mut self, variable: VarId) {
        self.note_anything(variable);
        self.havoc_pointer(variable);
    }

    /// The same for a variable that is made a pointer of unknown origin next.
    pub(super) fn havoc_pointer(&mut self, variable: VarId) {
        self.note_unknown_pointer(variable);
        if self.here.is_some() {
            let site = HavocSite::new(self.automaton.havocs.len());
            let span = map_span(self.span);
            self.automaton.havocs.push(Havoc { variable, span });
            self.origins.push(self.origin.clone());
            self.push(Basic::Havoc(variable, site));
        }
    }

    /// What happens inside takes its values from there.
    pub(super) fn with_origin<T>(&mut self, origin: HavocOrigin, inside: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.origin, origin);
        let result = inside(self);
        self.origin = before;
        result
    }

    /// Goes on only where the condition holds (or the guard does not).
    pub(super) fn assume(&mut self, condition: Term) {
        let condition = match self.guard {
            Some(guard) => self.arena.implies(guard, condition),
            None => condition,
        };
        match self.arena.as_bool(condition) {
            Some(true) => {}
            Some(false) => self.stop(),
            None if self.pending.last().is_some_and(|(last, ..)| *last == Basic::Assume(condition)) => {}
            None => self.push(Basic::Assume(condition)),
        }
    }

    /// The behaviour is defined only where the condition holds: elsewhere the execution stops, or (if it is asked for)
    /// that is an error.
    pub(super) fn defined(&mut self, condition: Term, what: &'static str) {
        let condition = match self.guard {
            Some(guard) => self.arena.implies(guard, condition),
            None => condition,
        };
        if self.options.check_undefined && self.here.is_some() {
            let error = self.automaton.error;
            let not = self.arena.not(condition);
            self.branch(not, error);
        }
        match self.arena.as_bool(condition) {
            Some(true) => {}
            Some(false) => {
                self.pending.clear();
                self.here = None;
            }
            None if self.pending.last().is_some_and(|(last, ..)| *last == Basic::Assume(condition)) => {}
            None => self.push_what(Basic::Assume(condition), Some(what)),
        }
    }

    /// The behaviour is undefined here.
    pub(super) fn never(&mut self, what: &'static str) {
        let never = self.arena.mk_false();
        self.defined(never, what);
    }

    /// The execution ends here without reaching anything.
    pub(super) fn stop(&mut self) {
        if let Some(guard) = self.guard {
            let not = self.arena.not(guard);
            if self.arena.as_bool(not) != Some(false) {
                self.push(Basic::Assume(not));
                return;
            }
        }
        self.pending.clear();
        self.here = None;
    }

    /// Goes to a location.
    pub(super) fn goto(&mut self, target: LocationId) {
        if let Some(here) = self.here.take() {
            let steps = std::mem::take(&mut self.pending);
            self.edge(here, target, &steps);
        }
    }

    /// An edge to a location where the condition holds; the lowering stays where it is.
    pub(super) fn branch(&mut self, condition: Term, target: LocationId) -> Option<EdgeId> {
        if self.arena.as_bool(condition) == Some(false) {
            return None;
        }
        let here = self.flush()?;
        let step = (Basic::Assume(condition), self.span, None);
        let steps = if self.arena.as_bool(condition) == Some(true) { &[][..] } else { &[step][..] };
        Some(self.edge(here, target, steps))
    }

    /// Continues at a location.
    pub(super) fn continue_at(&mut self, location: LocationId) {
        self.here = Some(location);
        self.pending.clear();
    }

    /// Splits on a condition: goes on where it holds, and returns the place where it does not (`None`: nowhere).
    pub(super) fn split(&mut self, condition: Term) -> Option<LocationId> {
        match self.arena.as_bool(condition) {
            Some(true) => return None,
            Some(false) => {
                let otherwise = self.flush();
                self.here = None;
                return otherwise;
            }
            None => {}
        }
        self.here?;
        let (then, otherwise) = (self.new_location(), self.new_location());
        self.branch(condition, then);
        let not = self.arena.not(condition);
        self.branch(not, otherwise);
        self.continue_at(then);
        Some(otherwise)
    }

    /// The error is reached.
    pub(super) fn error(&mut self) {
        let error = self.automaton.error;
        self.goto(error);
    }

    /// A bound of the lowering cuts executions off here.
    pub(super) fn cut(&mut self, bound: Bound, construct: &str) {
        self.cut = Some(bound);
        self.unmodelled(construct);
        self.cut = None;
    }

    /// Where the condition holds, a bound of the lowering (if it is one) cuts executions off.
    pub(super) fn cut_if(&mut self, bound: Option<Bound>, condition: Term, construct: &str) {
        self.cut = bound;
        self.unmodelled_if(condition, construct);
        self.cut = None;
    }

    /// What stands here is not modelled.
    pub(super) fn unmodelled(&mut self, construct: &str) {
        let always = self.arena.mk_true();
        self.unmodelled_if(always, construct);
    }

    /// A program that can get here is refused.
    pub(super) fn refuse(&mut self, message: &str) {
        if self.reachable() && !self.refused.iter().any(|other| other.span == Some(self.span)) {
            self.refused.push(Diagnostic::error(self.span, message));
        }
        self.unmodelled(message);
    }

    /// Where the condition holds, what stands here is not modelled; goes on where it does not.
    pub(super) fn unmodelled_if(&mut self, condition: Term, construct: &str) {
        let condition = match self.guard {
            Some(guard) => self.arena.and(&[guard, condition]),
            None => condition,
        };
        let sink = self.automaton.unmodelled.expect("lowered automata have the location");
        if let Some(edge) = self.branch(condition, sink) {
            self.places.push(Unmodelled {
                edge,
                construct: construct.to_owned(),
                span: self.span,
                bound: self.cut,
            });
            let not = self.arena.not(condition);
            if self.arena.as_bool(not) == Some(false) {
                self.here = None;
            } else {
                self.push(Basic::Assume(not));
            }
        }
    }

    /// Reports an assumption, once.
    pub(super) fn note(&mut self, message: &str) {
        if self.noted.insert(message.to_owned()) {
            self.notes.push(Diagnostic::warning(self.span, message));
        }
    }

    pub(super) fn frame(&self) -> &Frame {
        self.frames.last().expect("code is lowered inside a frame")
    }

    pub(super) fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("code is lowered inside a frame")
    }

    /// A helper variable for an expression, shared by all calls of the function that do not overlap.
    pub(super) fn temporary(&mut self, expr: ExprId, tag: u32, sort: &Sort) -> (VarId, Term) {
        let (function, depth) = (self.frame().function, self.frame().depth);
        if let Some(&variable) = self.temporaries.get(&(function, depth, expr, tag))
            && self.automaton.variable(variable).sort == *sort
        {
            return (variable, self.variable_term(variable));
        }
        let name = format!("{}::%tmp", self.prefix(function, depth));
        let (variable, term) = self.new_variable(&name, sort);
        self.track_temporary(variable);
        self.temporaries.insert((function, depth, expr, tag), variable);
        (variable, term)
    }

    /// A temporary for the steps of one write; the next write may use it again.
    pub(super) fn scratch(&mut self, number: usize, sort: &Sort) -> (VarId, Term) {
        let key = (self.context(), number, sort.clone());
        if let Some(&variable) = self.scratch.get(&key) {
            return (variable, self.variable_term(variable));
        }
        let (variable, term) = self.new_variable(&format!("{}::%old", key.0), sort);
        self.track_temporary(variable);
        self.scratch.insert(key, variable);
        (variable, term)
    }

    /// What the names of helper variables start with here.
    pub(super) fn context(&self) -> String {
        match self.frames.last() {
            Some(frame) => self.prefix(frame.function, frame.depth),
            None => "static".to_owned(),
        }
    }

    /// The name of a function's instance.
    pub(super) fn prefix(&self, function: FunctionId, depth: usize) -> String {
        let name = &self.tree.functions[function].name;
        if depth > 1 { format!("{name}#{depth}") } else { name.clone() }
    }
}

/// A span of the C text as the automaton has it.
fn map_span(span: Span) -> nilas_program::Span {
    let file = u32::try_from(crate::index::Id::index(span.file)).unwrap_or(0);
    nilas_program::Span { file, start: span.start, end: span.end }
}
