//! Whether a plain automaton means what a module means: translation validation of [`flatten`](super::flatten).
//!
//! The automaton is walked from its entry, and every edge must be what a move of the module became: an edge,
//! the way of a call into its callee or out of it, or a call that is not followed and leads to *unmodelled*.
//! Nothing is taken from the one who made it but a hint for each edge ([`Came`]) and each variable. Nothing of
//! `flatten` is used.
//!
//! What is found while walking are *copies*: a location of the automaton is one of the module in a copy of its
//! procedure, in one way only. A state of the automaton in a copy stands for those of the module whose stack
//! is the chain of calls that entered the copies around it. That chain is unique:
//! - Along calls the number of activations of a recursive procedure grows ([`Copy::active`]), for all
//!   procedures that can still be called. So no copy is active twice, and the variables of a procedure, one set
//!   for each number of activations, belong to one activation at a time.
//! - A copy that several calls enter has a variable that nothing else touches. Each of them sets another
//!   number, and leaves where it finds its own (the wait encoding, §5.2–5.4 of the EUForia thesis).
//!
//! Variables of a procedure that are not parameters hold anything at its entry: they are chosen there, or
//! never read before they are set.

use super::{Call, Came, Module, WithCalls, check, live};
use crate::automaton::{Automaton, Edge, Program};
use crate::command::{Basic, Command};
use crate::ids::{CallId, LocationId, ProcedureId, VarId};
use nilas_term::{Arena, Op, Substitution, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// A copy of a procedure, or of the main one.
struct Copy {
    procedure: Option<ProcedureId>,
    /// How often each recursive procedure is active in it, as far as it is.
    active: BTreeMap<ProcedureId, usize>,
    /// The variable that tells the calls that enter it apart, if there is one.
    number: Option<VarId>,
    entries: Vec<Entry>,
    exit: Option<LocationId>,
    /// Edges that are the ways of these calls out of it.
    left: BTreeSet<usize>,
}

/// A call that enters a copy.
#[derive(Clone, Copy)]
struct Entry {
    caller: usize,
    call: CallId,
    number: Option<Term>,
}

struct Validator<'a> {
    module: &'a Module,
    automaton: &'a Automaton,
    came: &'a [Came],
    arena: Arena,
    /// By variable of the module and number of activations.
    variables: FxHashMap<(VarId, usize), VarId>,
    /// Variables of the automaton that are of the module.
    mapped: FxHashSet<VarId>,
    /// Terms that are the same in both arenas.
    same: FxHashSet<Term>,
    /// What stands for the terms of variables, by procedure and number of activations.
    renamed: FxHashMap<(ProcedureId, usize), Substitution>,
    /// By procedure: variables that must be chosen at the entry.
    unset: Vec<BTreeSet<VarId>>,
    /// By procedure, itself included if it is recursive: recursive procedures that it may call.
    recursive: Vec<Vec<ProcedureId>>,
    copies: Vec<Copy>,
    at: FxHashMap<LocationId, (usize, LocationId)>,
    placed: FxHashMap<(usize, LocationId), LocationId>,
    work: Vec<LocationId>,
}

type Checked<T = ()> = Result<T, String>;

fn require(holds: bool, why: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(why()) }
}

/// Whether a program means what a module means, but for calls that lead to *unmodelled*.
///
/// # Errors
/// What is different.
pub fn validate(program: &Program, calls: &WithCalls) -> Result<(), String> {
    let module = &calls.module;
    check(module).map_err(|errors| format!("the module is not well-formed: {errors:?}"))?;
    let automaton = &program.automaton;
    require(calls.came.len() == automaton.edges.len(), || "edges are missing".into())?;
    let mut variables = FxHashMap::default();
    for (index, is) in calls.variables.iter().enumerate().take(automaton.variables.len()) {
        let Some((of, active)) = *is else { continue };
        let id = VarId::new(index);
        let sorts = module.program.automaton.variables.get(of.index()).map(|it| &it.sort);
        require(sorts == Some(&automaton.variable(id).sort), || {
            format!("variable {index} has another sort")
        })?;
        require(variables.insert((of, active), id).is_none(), || format!("variable {index} is there twice"))?;
    }
    let live = live(module, None);
    let unset = module.procedures.iter().enumerate().map(|(index, procedure)| {
        let at_entry = live[procedure.entry.index()].iter().copied();
        let own = at_entry.filter(|&it| module.owner_of(it).map(ProcedureId::index) == Some(index));
        own.filter(|it| !procedure.parameters.contains(it)).collect()
    });
    let reached = module.reached();
    let is_recursive = |it: &ProcedureId| reached[it.index()].contains(it);
    let recursive = reached.iter().map(|list| list.iter().copied().filter(is_recursive).collect()).collect();
    let mut validator = Validator {
        module,
        automaton,
        came: &calls.came,
        arena: program.arena.clone(),
        mapped: variables.values().copied().collect(),
        variables,
        same: FxHashSet::default(),
        renamed: FxHashMap::default(),
        unset: unset.collect(),
        recursive,
        copies: vec![Copy::new(None, BTreeMap::new())],
        at: FxHashMap::default(),
        placed: FxHashMap::default(),
        work: Vec::new(),
    };
    validator.walk()
}

impl Copy {
    fn new(procedure: Option<ProcedureId>, active: BTreeMap<ProcedureId, usize>) -> Self {
        Copy { procedure, active, number: None, entries: Vec::new(), exit: None, left: BTreeSet::new() }
    }
}

impl Validator<'_> {
    fn walk(&mut self) -> Checked {
        let (module, automaton) = (self.module, self.automaton);
        let old = &module.program.automaton;
        self.bind(0, old.error, automaton.error)?;
        if let Some(unmodelled) = old.unmodelled {
            let sink = automaton.unmodelled.ok_or("there is no location for what is not modelled")?;
            self.bind(0, unmodelled, sink)?;
        }
        self.bind(0, old.entry, automaton.entry)?;
        let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); automaton.locations.len()];
        for (index, edge) in automaton.edges.iter().enumerate() {
            outgoing[edge.source.index()].push(index);
        }
        let mut expected: Vec<BTreeSet<Came>> = vec![BTreeSet::new(); old.locations.len()];
        for edge in old.edge_ids() {
            expected[old.edge(edge).source.index()].insert(Came::Edge(edge));
        }
        for call in module.call_ids() {
            expected[module.call(call).source.index()].insert(Came::Enter(call));
        }
        while let Some(location) = self.work.pop() {
            let (copy, is) = self.at[&location];
            if module.is_sink(is) {
                continue;
            }
            let edges = &outgoing[location.index()];
            let procedure = self.copies[copy].procedure;
            if procedure.is_some_and(|procedure| module.procedure(procedure).exit == is) {
                self.copies[copy].exit = Some(location);
                for entry in self.copies[copy].entries.clone() {
                    self.leave(copy, entry, edges)?;
                }
                continue;
            }
            let mut moves: BTreeSet<Came> = BTreeSet::new();
            for &index in edges {
                let came = self.came[index];
                self.step(copy, is, &automaton.edges[index], came)?;
                let name = || format!("`{}` has a move twice", automaton.location(location).name);
                let moved = if let Came::Cut(call) = came { Came::Enter(call) } else { came };
                require(moves.insert(moved), name)?;
                // The way out of a copy whose exit is known.
                let Came::Enter(call) = came else { continue };
                let entered = self.at[&automaton.edges[index].target].0;
                let entry =
                    self.copies[entered].entries.iter().rfind(|it| it.caller == copy && it.call == call);
                if let (Some(&entry), Some(exit)) = (entry, self.copies[entered].exit) {
                    self.leave(entered, entry, &outgoing[exit.index()])?;
                }
            }
            require(moves == expected[is.index()], || {
                format!("moves of `{}` are missing", automaton.location(location).name)
            })?;
        }
        for copy in &self.copies {
            let edges = copy.exit.map_or(&[][..], |exit| &outgoing[exit.index()]);
            let mut others = edges.iter().filter(|edge| !copy.left.contains(edge));
            let never = others.all(|&edge| self.is_never_left(copy, &automaton.edges[edge].command));
            require(never, || "a way out of a copy belongs to no call".into())?;
        }
        let numbers: Vec<VarId> = self.copies.iter().filter_map(|copy| copy.number).collect();
        let different: BTreeSet<VarId> = numbers.iter().copied().collect();
        require(numbers.len() == different.len(), || "two copies have the same number".into())
    }

    /// A location of the automaton is one of the module, in a copy; all copies have the same sinks.
    fn bind(&mut self, copy: usize, is: LocationId, location: LocationId) -> Checked {
        let key = (if self.module.is_sink(is) { 0 } else { copy }, is);
        let name =
            || format!("`{}` is in the place of another location", self.automaton.location(location).name);
        match (self.placed.get(&key), self.at.get(&location)) {
            (None, None) => {
                self.placed.insert(key, location);
                self.at.insert(location, key);
                self.work.push(location);
                Ok(())
            }
            (Some(&placed), Some(&at)) => require(placed == location && at == key, name),
            _ => Err(name()),
        }
    }

    /// One edge that leaves a location of a copy other than its exit.
    fn step(&mut self, copy: usize, is: LocationId, edge: &Edge, came: Came) -> Checked {
        let module = self.module;
        match came {
            Came::Edge(id) => {
                let old = module.program.automaton.edge(id);
                require(old.source == is, || "an edge is in another place".into())?;
                self.command(copy, &old.command, &edge.command)?;
                self.bind(copy, old.target, edge.target)
            }
            Came::Cut(call) => {
                require(module.call(call).source == is, || "a call is in another place".into())?;
                let nothing = chain(&edge.command).is_some_and(|basics| basics.is_empty());
                require(nothing && Some(edge.target) == self.automaton.unmodelled, || {
                    "a call that is not followed leads elsewhere".into()
                })
            }
            Came::Enter(call) => {
                require(module.call(call).source == is, || "a call is in another place".into())?;
                self.enter(copy, call, edge)
            }
            Came::Leave(_) => Err("a call comes back from inside".into()),
        }
    }

    /// The way of a call into its callee.
    fn enter(&mut self, caller: usize, id: CallId, edge: &Edge) -> Checked {
        let call = self.module.call(id);
        let callee = self.module.procedure(call.callee);
        let copy = match self.at.get(&edge.target) {
            Some(&(copy, is)) => {
                let fits = self.copies[copy].procedure == Some(call.callee) && is == callee.entry;
                require(fits, || "a call leads into the middle".into())?;
                copy
            }
            None => {
                let mut active = self.copies[caller].active.clone();
                if self.recursive[call.callee.index()].contains(&call.callee) {
                    *active.entry(call.callee).or_insert(0) += 1;
                }
                self.copies.push(Copy::new(Some(call.callee), active));
                self.bind(self.copies.len() - 1, callee.entry, edge.target)?;
                self.copies.len() - 1
            }
        };
        for procedure in &self.recursive[call.callee.index()] {
            let count = |copy: usize| self.copies[copy].active.get(procedure).copied().unwrap_or(0);
            let more = usize::from(*procedure == call.callee);
            require(count(copy) == count(caller) + more, || {
                "a copy is active with others of its kind".into()
            })?;
        }
        let basics = chain(&edge.command).ok_or("the way into a call is no sequence")?;
        let mut basics = basics.into_iter().peekable();
        for (&argument, &parameter) in call.arguments.iter().zip(&callee.parameters) {
            let expected = Basic::Assign(self.variable(copy, parameter)?, self.term(caller, argument)?);
            require(basics.next() == Some(expected), || "an argument is another one".into())?;
        }
        let mut missing = self.unset[call.callee.index()].clone();
        while let Some(&Basic::Havoc(variable, _)) = basics.peek() {
            basics.next();
            let mut own = self.module.variables_of(call.callee).filter(|it| !callee.parameters.contains(it));
            let is = own.find(|&it| self.variable(copy, it) == Ok(variable));
            let is = is.ok_or("what is chosen at an entry is not the callee's")?;
            missing.remove(&is);
        }
        require(missing.is_empty(), || "a variable is read that a call has not set".into())?;
        let mut number = None;
        if let Some(Basic::Assign(variable, value)) = basics.next() {
            let new = !self.mapped.contains(&variable) && self.arena.as_value(value).is_some();
            require(new && basics.next().is_none(), || "a call sets something else".into())?;
            let first = self.copies[copy].entries.is_empty();
            require(first || self.copies[copy].number == Some(variable), || "a copy has two numbers".into())?;
            self.copies[copy].number = Some(variable);
            number = Some(value);
        }
        let copy = &mut self.copies[copy];
        let apart = copy
            .entries
            .iter()
            .all(|other| other.number.is_some() && number.is_some() && other.number != number);
        require(apart, || "calls cannot be told apart".into())?;
        copy.entries.push(Entry { caller, call: id, number });
        Ok(())
    }

    /// The way of a call out of its callee, among the edges that leave the exit.
    fn leave(&mut self, copy: usize, entry: Entry, edges: &[usize]) -> Checked {
        let call: &Call = self.module.call(entry.call);
        let mut expected = Vec::new();
        if let (Some(number), Some(variable)) = (entry.number, self.copies[copy].number) {
            let is = self.arena.eq(self.automaton.variable(variable).term, number);
            expected.push(Basic::Assume(is));
        }
        let results = &self.module.procedure(call.callee).results;
        for (&variable, &result) in call.results.iter().zip(results) {
            let from = self.variable(copy, result)?;
            let to = self.variable(entry.caller, variable)?;
            expected.push(Basic::Assign(to, self.automaton.variable(from).term));
        }
        let mut ways = edges.iter().filter(|&&edge| {
            let command = &self.automaton.edges[edge].command;
            self.came[edge] == Came::Leave(entry.call) && chain(command).as_ref() == Some(&expected)
        });
        let (Some(&way), None) = (ways.next(), ways.next()) else {
            return Err("a call does not come back in one way".into());
        };
        self.copies[copy].left.insert(way);
        self.bind(entry.caller, call.target, self.automaton.edges[way].target)
    }

    /// Whether a way out of a copy asks for a number that no call sets: it is that of a call that nothing
    /// leads to.
    fn is_never_left(&self, copy: &Copy, command: &Command) -> bool {
        let basics = chain(command).unwrap_or_default();
        let (Some(number), Some(&Basic::Assume(condition))) = (copy.number, basics.first()) else {
            return false;
        };
        let number = self.automaton.variable(number).term;
        let other = match *self.arena.children(condition) {
            [left, right] if left == number => right,
            [left, right] if right == number => left,
            _ => return false,
        };
        let is_value = self.arena.op(condition) == Op::Eq && self.arena.as_value(other).is_some();
        is_value && copy.entries.iter().all(|entry| entry.number != Some(other))
    }

    /// The variable of the automaton that one of the module is in a copy.
    fn variable(&self, copy: usize, variable: VarId) -> Checked<VarId> {
        let active = self.module.owner_of(variable).and_then(|owner| self.copies[copy].active.get(&owner));
        let found = self.variables.get(&(variable, active.copied().unwrap_or(1)));
        found.copied().ok_or_else(|| "a variable is missing".into())
    }

    /// What a term of the module is in a copy.
    fn term(&mut self, copy: usize, term: Term) -> Checked<Term> {
        self.agree(term)?;
        let Copy { procedure, active, .. } = &self.copies[copy];
        let active = procedure.and_then(|it| active.get(&it).copied()).unwrap_or(1);
        let key = (procedure.unwrap_or(ProcedureId::new(self.module.procedures.len())), active);
        if !self.renamed.contains_key(&key) {
            let mut names = Substitution::new();
            for variable in self.module.program.automaton.variable_ids() {
                let owner = self.module.owner_of(variable);
                if owner.is_some() && owner != self.copies[copy].procedure {
                    continue;
                }
                let old = self.module.program.automaton.variable(variable).term;
                let new = self.automaton.variable(self.variable(copy, variable)?).term;
                if old != new {
                    names.insert(old, new);
                }
            }
            self.renamed.insert(key, names);
        }
        match self.renamed.get_mut(&key) {
            Some(names) => Ok(names.apply(&mut self.arena, term)),
            None => Ok(term),
        }
    }

    /// A command of a copy is that of the module, over the variables of the copy.
    fn command(&mut self, copy: usize, old: &Command, new: &Command) -> Checked {
        let same = old.nodes() == new.nodes() && old.arcs().len() == new.arcs().len();
        require(same, || "a command has another shape".into())?;
        for (old, new) in old.arcs().iter().zip(new.arcs()) {
            let ends = (old.source, old.target) == (new.source, new.target);
            let fits = match (&old.basic, &new.basic) {
                (Basic::Skip, Basic::Skip) => true,
                (&Basic::Assume(old), &Basic::Assume(new)) => self.term(copy, old)? == new,
                (&Basic::Assign(to, old), &Basic::Assign(variable, new)) => {
                    self.variable(copy, to)? == variable && self.term(copy, old)? == new
                }
                (&Basic::Havoc(old, _), &Basic::Havoc(new, _)) => self.variable(copy, old)? == new,
                _ => false,
            };
            require(ends && fits, || "a command does something else".into())?;
        }
        Ok(())
    }

    /// A term of the module is the same one in the automaton's arena.
    fn agree(&mut self, term: Term) -> Checked {
        let (module, arena) = (&self.module.program.arena, &self.arena);
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if !self.same.insert(term) {
                continue;
            }
            let op = module.op(term);
            let same = term.index() < arena.len()
                && op == arena.op(term)
                && module.children(term) == arena.children(term);
            let same = same
                && match op {
                    Op::Var(symbol) | Op::Apply(symbol) => {
                        module.signature(symbol) == arena.signature(symbol)
                    }
                    Op::Const(value) => module.value(value) == arena.value(value),
                    _ => true,
                };
            require(same && module.sort(term) == arena.sort(term), || "a term means something else".into())?;
            stack.extend_from_slice(module.children(term));
        }
        Ok(())
    }
}

/// The basic commands of a sequence, without those that do nothing; none if it is no sequence.
fn chain(command: &Command) -> Option<Vec<Basic>> {
    let arcs = command.arcs();
    let in_order =
        arcs.iter().enumerate().all(|(at, arc)| arc.source.index() == at && arc.target.index() == at + 1);
    let whole = in_order && command.nodes() == arcs.len() + 1;
    whole.then(|| arcs.iter().map(|arc| arc.basic).filter(|basic| *basic != Basic::Skip).collect())
}
