//! From linear Horn clauses to an automaton.
//!
//! A predicate becomes a location, a clause an edge; facts start at the entry, goals end at the error. The
//! arguments of predicates live in variables that predicates share where sorts allow it, so that an argument
//! that is passed on is not copied. A clause is a choice between its branches ([`crate::branch`]); what a
//! branch leaves open is chosen by `havoc`.
//!
//! Invariant: every edge ends by choosing all variables anew that are no arguments of the predicate it leads
//! to. So a formula about a location says nothing about them but by way of *true* or *false*, and any value
//! may be put for them.

use crate::branch::{Branch, branches};
use crate::system::{Clause, Form, GoalId, PredicateId, System};
use nilas_program::{
    Automaton, Basic, Command, Edge, Havoc, HavocSite, Location, LocationId, Program, Span, VarId, Variable,
    wellformed,
};
use nilas_term::{Arena, Importer, Sort, Substitution, Term};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// An automaton with what its parts stand for.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The automaton.
    pub program: Program,
    /// The location of each predicate.
    pub locations: Vec<LocationId>,
    /// The variables that hold the arguments of each predicate.
    pub arguments: Vec<Vec<VarId>>,
    /// The clause of each edge.
    pub clauses: Vec<usize>,
    /// The branches of each edge.
    pub(crate) ways: Vec<Vec<Way>>,
}

/// A branch of an edge, over the automaton's variables: what they hold once everything is chosen.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    pub(crate) guard: Term,
    /// The variables that are chosen before anything is read.
    pub(crate) chosen: Vec<VarId>,
    /// What the arguments of the head hold afterwards.
    pub(crate) head: Vec<(VarId, Term)>,
    /// Variables of the clause that no argument of the body is, by name, with their values.
    pub(crate) inputs: Vec<(String, Term)>,
}

impl Layout {
    /// The predicate of a location.
    #[must_use]
    pub fn predicate(&self, location: LocationId) -> Option<PredicateId> {
        // They are in order: a search through all of them, for each location, would take long.
        self.locations.binary_search(&location).ok().map(PredicateId)
    }
}

/// The automaton of the clauses, where the error is to derive the goal, or any goal if none is named.
#[must_use]
pub fn to_automaton(system: &System, goal: Option<GoalId>) -> Layout {
    build(system, goal, true)
}

/// The same with every clause as it stands: all its variables are chosen, its constraint is assumed. Nothing
/// is solved for, so this is the automaton that a proof is checked on. Locations and arguments are those of
/// [`to_automaton`].
#[must_use]
pub fn to_plain_automaton(system: &System, goal: Option<GoalId>) -> Layout {
    build(system, goal, false)
}

fn build(system: &System, goal: Option<GoalId>, solve: bool) -> Layout {
    let mut builder = Builder::new(system, solve);
    for (index, clause) in system.clauses.iter().enumerate() {
        if let Err(other) = clause.head
            && goal.is_some_and(|goal| goal != other)
        {
            continue;
        }
        builder.clause(index, clause);
    }
    builder.finish()
}

/// A variable of the automaton while it is built: its term in the system's arena.
struct Slot {
    name: String,
    sort: Sort,
    term: Term,
    span: Span,
}

struct Raw {
    source: LocationId,
    target: LocationId,
    clause: usize,
    span: Span,
    branches: Vec<RawBranch>,
}

struct RawBranch {
    steps: Vec<Basic>,
    guard: Term,
    chosen: Vec<VarId>,
    head: Vec<(VarId, Term)>,
    inputs: Vec<(String, Term)>,
}

struct Builder<'s> {
    system: &'s System,
    /// Whether equations are solved.
    solve: bool,
    arena: Arena,
    slots: Vec<Slot>,
    /// The variables by their terms.
    own: FxHashMap<Term, VarId>,
    by_sort: BTreeMap<Sort, Vec<VarId>>,
    /// Variables for what branches leave open.
    temporaries: BTreeMap<Sort, Vec<VarId>>,
    arguments: Vec<Vec<VarId>>,
    /// How many variables hold arguments: the first ones.
    places: usize,
    havocs: Vec<Havoc>,
    edges: Vec<Raw>,
}

const ENTRY: usize = 0;
const ERROR: usize = 1;

impl<'s> Builder<'s> {
    fn new(system: &'s System, solve: bool) -> Self {
        let mut builder = Builder {
            system,
            solve,
            arena: system.arena.clone(),
            slots: Vec::new(),
            own: FxHashMap::default(),
            by_sort: BTreeMap::new(),
            temporaries: BTreeMap::new(),
            arguments: Vec::new(),
            places: 0,
            havocs: Vec::new(),
            edges: Vec::new(),
        };
        for predicate in &system.predicates {
            let mut used: BTreeMap<&Sort, usize> = BTreeMap::new();
            let mut arguments = Vec::new();
            for (name, sort) in &predicate.parameters {
                let number = used.entry(sort).or_default();
                let known = builder.by_sort.get(sort).and_then(|slots| slots.get(*number)).copied();
                *number += 1;
                let slot = known.unwrap_or_else(|| {
                    let slot = match system.form {
                        Form::Horn => {
                            let wanted = format!("x{}", builder.slots.len());
                            builder.slot(&wanted, sort, predicate.span)
                        }
                        Form::Vmt | Form::Btor2 => builder.state(name, sort, predicate.span),
                    };
                    builder.by_sort.entry(sort.clone()).or_default().push(slot);
                    slot
                });
                arguments.push(slot);
            }
            builder.arguments.push(arguments);
        }
        builder.places = builder.slots.len();
        builder
    }

    /// A variable that the user has named: it keeps its name if an automaton can have it.
    fn state(&mut self, name: &str, sort: &Sort, span: Span) -> VarId {
        if name.contains(['|', '\\', '\'']) {
            return self.slot(&name.replace(['|', '\\', '\''], "_"), sort, span);
        }
        match self.arena.variable(name, sort) {
            Ok(term) if !self.own.contains_key(&term) => {
                self.push(Slot { name: name.to_owned(), sort: sort.clone(), term, span })
            }
            _ => self.slot(name, sort, span),
        }
    }

    fn slot(&mut self, wanted: &str, sort: &Sort, span: Span) -> VarId {
        // The name must be new to the arena: nothing else may mean it.
        let mut name = wanted.to_owned();
        let mut number = 0_u64;
        while self.arena.lookup(&name).is_some() || name.is_empty() {
            name = format!("{wanted}.{number}");
            number += 1;
        }
        let term = self.arena.variable(&name, sort);
        let term = term.unwrap_or_else(|_| self.arena.fresh_variable("slot", sort));
        self.push(Slot { name, sort: sort.clone(), term, span })
    }

    fn push(&mut self, slot: Slot) -> VarId {
        let id = VarId::new(self.slots.len());
        self.own.insert(slot.term, id);
        self.slots.push(slot);
        id
    }

    fn term(&self, slot: VarId) -> Term {
        self.slots[slot.index()].term
    }

    /// A temporary of the sort that the branch does not use yet.
    fn temporary(&mut self, sort: &Sort, used: &mut BTreeMap<Sort, usize>) -> VarId {
        let number = used.entry(sort.clone()).or_default();
        *number += 1;
        let number = *number - 1;
        if let Some(&known) = self.temporaries.get(sort).and_then(|known| known.get(number)) {
            return known;
        }
        let name = format!("any{}", self.slots.len());
        let slot = self.slot(&name, sort, Span::default());
        self.temporaries.entry(sort.clone()).or_default().push(slot);
        slot
    }

    fn clause(&mut self, index: usize, clause: &Clause) {
        let empty: &[Term] = &[];
        let head_arguments = clause.head.as_ref().map_or(empty, |atom| &atom.arguments[..]);
        let head_slots: Vec<VarId> =
            clause.head.as_ref().map_or_else(|_| Vec::new(), |atom| self.arguments[atom.predicate.0].clone());
        // What the state before says. At the entry everything is possible, so a fact may choose there.
        let (given, slots): (&[Term], Vec<VarId>) = match (clause.body.first(), &clause.head) {
            (Some(atom), _) => (&atom.arguments, self.arguments[atom.predicate.0].clone()),
            (None, Ok(_)) => (head_arguments, head_slots.clone()),
            (None, Err(_)) => (empty, Vec::new()),
        };
        let mut bound = Substitution::new();
        let mut equations = vec![clause.constraint];
        for (&argument, &slot) in given.iter().zip(&slots) {
            let term = self.term(slot);
            if self.arena.as_variable(argument).is_some() && bound.get(argument).is_none() {
                bound.insert(argument, term);
            } else if !clause.body.is_empty() {
                equations.push(self.arena.eq(term, argument));
            }
        }
        let constraint = self.arena.and(&equations);
        let constraint = bound.apply(&mut self.arena, constraint);
        let head: Vec<Term> =
            head_arguments.iter().map(|&argument| bound.apply(&mut self.arena, argument)).collect();
        let terms: Vec<Term> = head.iter().copied().chain([constraint]).collect();
        let mut free = self.arena.free_variables_of(&terms);
        free.retain(|variable| !self.own.contains_key(variable));
        let made = if self.solve {
            branches(&mut self.arena, constraint, &head, &free)
        } else {
            vec![Branch { guard: constraint, head, solved: Vec::new(), open: free }]
        };
        if made.is_empty() {
            return;
        }
        let source = clause.body.first().map_or(LocationId::new(ENTRY), |atom| location(atom.predicate));
        let target = match &clause.head {
            Ok(atom) => location(atom.predicate),
            Err(_) => LocationId::new(ERROR),
        };
        let mut raw = Vec::new();
        for branch in made {
            let head_slots = clause.head.is_ok().then_some(&head_slots[..]);
            raw.push(self.branch(branch, head_slots, &bound, clause.span));
        }
        self.edges.push(Raw { source, target, clause: index, span: clause.span, branches: raw });
    }

    fn havoc(&mut self, variable: VarId, span: Span) -> Basic {
        self.havocs.push(Havoc { variable, span });
        Basic::Havoc(variable, HavocSite::new(self.havocs.len() - 1))
    }

    /// The steps of a branch to a predicate with these arguments, or to a goal.
    fn branch(
        &mut self,
        branch: Branch,
        head_slots: Option<&[VarId]>,
        bound: &Substitution,
        span: Span,
    ) -> RawBranch {
        let to_goal = head_slots.is_none();
        let head_slots = head_slots.unwrap_or_default();
        let Branch { mut guard, mut head, solved, open } = branch;
        let mut used = BTreeMap::new();
        let mut steps = Vec::new();
        let mut chosen = Substitution::new();
        let mut chosen_slots = Vec::new();
        let read: BTreeSet<Term> = {
            let values = solved.iter().map(|&(_, value)| value);
            let terms: Vec<Term> = head.iter().copied().chain([guard]).chain(values).collect();
            self.arena.free_variables_of(&terms).into_iter().collect()
        };
        // Where the old value of an argument is not read, the new one is chosen in its place.
        let mut places: FxHashMap<Term, VarId> = FxHashMap::default();
        for (&argument, &slot) in head.iter().zip(head_slots) {
            if !read.contains(&self.term(slot)) {
                places.entry(argument).or_insert(slot);
            }
        }
        for &variable in &open {
            let slot = match places.get(&variable) {
                Some(&slot) => slot,
                None => {
                    let sort = self.arena.sort(variable).clone();
                    self.temporary(&sort, &mut used)
                }
            };
            steps.push(self.havoc(slot, span));
            chosen_slots.push(slot);
            chosen.insert(variable, self.term(slot));
        }
        guard = chosen.apply(&mut self.arena, guard);
        for argument in &mut head {
            *argument = chosen.apply(&mut self.arena, *argument);
        }
        if self.arena.as_bool(guard) != Some(true) {
            steps.push(Basic::Assume(guard));
        }
        let inputs = self.inputs(&solved, &open, &mut chosen, bound);
        let head: Vec<(VarId, Term)> = head_slots.iter().copied().zip(head).collect();
        self.assign(&head, &mut used, &mut steps);
        if !to_goal {
            let kept: BTreeSet<VarId> = head_slots.iter().copied().collect();
            for index in 0..self.places {
                let slot = VarId::new(index);
                if !kept.contains(&slot) {
                    steps.push(self.havoc(slot, span));
                }
            }
        }
        for &slot in self.temporaries.clone().values().flatten().filter(|_| !to_goal) {
            steps.push(self.havoc(slot, span));
        }
        RawBranch { steps, guard, chosen: chosen_slots, head, inputs }
    }

    /// The values of the variables of the clause.
    fn inputs(
        &mut self,
        solved: &[(Term, Term)],
        open: &[Term],
        chosen: &mut Substitution,
        bound: &Substitution,
    ) -> Vec<(String, Term)> {
        let all = solved.iter().copied().chain(open.iter().map(|&variable| (variable, variable)));
        let mut inputs = Vec::new();
        for (variable, value) in all.collect::<Vec<_>>() {
            if bound.get(variable).is_none()
                && let Some(name) = self.arena.name(variable)
            {
                let name = name.to_owned();
                inputs.push((name, chosen.apply(&mut self.arena, value)));
            }
        }
        inputs
    }

    /// Assignments that happen at once, one after the other.
    fn assign(&mut self, head: &[(VarId, Term)], used: &mut BTreeMap<Sort, usize>, steps: &mut Vec<Basic>) {
        let mut waiting: Vec<(VarId, Term)> =
            head.iter().copied().filter(|&(slot, value)| value != self.term(slot)).collect();
        // How many of those that wait read a variable, and which variables one reads beside its own.
        let mut readers: FxHashMap<Term, usize> = FxHashMap::default();
        let mut reads: Vec<Vec<Term>> = Vec::with_capacity(waiting.len());
        for &(slot, value) in &waiting {
            let own = self.term(slot);
            let mut read = self.arena.free_variables(value);
            read.retain(|&variable| variable != own);
            for &variable in &read {
                *readers.entry(variable).or_default() += 1;
            }
            reads.push(read);
        }
        let is_read =
            |readers: &FxHashMap<Term, usize>, term| readers.get(&term).is_some_and(|&count| count > 0);
        let targets: FxHashMap<Term, usize> =
            waiting.iter().enumerate().map(|(index, &(slot, _))| (self.term(slot), index)).collect();
        let mut open: BTreeSet<usize> = (0..waiting.len()).collect();
        let mut ready: BTreeSet<usize> =
            open.iter().copied().filter(|&index| !is_read(&readers, self.term(waiting[index].0))).collect();
        while let Some(&first) = open.first() {
            let Some(index) = ready.pop_first() else {
                // A cycle: the old value of one is kept aside.
                let (slot, _) = waiting[first];
                let (old, sort) = (self.term(slot), self.slots[slot.index()].sort.clone());
                let aside = self.temporary(&sort, used);
                steps.push(Basic::Assign(aside, old));
                let mut kept: Substitution = [(old, self.term(aside))].into_iter().collect();
                for &index in &open {
                    if index == first || reads[index].contains(&old) {
                        waiting[index].1 = kept.apply(&mut self.arena, waiting[index].1);
                        reads[index].retain(|&variable| variable != old);
                    }
                }
                readers.remove(&old);
                ready.insert(first);
                continue;
            };
            open.remove(&index);
            let (slot, value) = waiting[index];
            steps.push(Basic::Assign(slot, value));
            for variable in std::mem::take(&mut reads[index]) {
                let Some(count) = readers.get_mut(&variable) else { continue };
                *count -= 1;
                if *count == 0
                    && let Some(&free) = targets.get(&variable)
                    && open.contains(&free)
                {
                    ready.insert(free);
                }
            }
        }
    }

    fn finish(self) -> Layout {
        let Builder { system, arena: source, slots, arguments, havocs, edges, .. } = self;
        let mut arena = Arena::new();
        let mut importer = Importer::new();
        // Names are those of one arena, so they cannot clash in the other.
        let mut import =
            |arena: &mut Arena, term: Term| importer.import(arena, &source, term).unwrap_or(term);
        let variables = slots
            .iter()
            .map(|slot| Variable {
                name: slot.name.clone(),
                sort: slot.sort.clone(),
                term: import(&mut arena, slot.term),
                span: slot.span,
            })
            .collect();
        let mut names: FxHashMap<String, usize> = FxHashMap::default();
        let mut unique = |name: &str| {
            let count = names.entry(name.to_owned()).or_default();
            *count += 1;
            if *count == 1 { name.to_owned() } else { format!("{name}.{}", *count - 1) }
        };
        let mut locations = vec![
            Location { name: unique("entry"), span: Span::default() },
            Location { name: unique("error"), span: Span::default() },
        ];
        for predicate in &system.predicates {
            locations.push(Location { name: unique(&predicate.name), span: predicate.span });
        }
        let (mut made, mut clauses, mut ways) = (Vec::new(), Vec::new(), Vec::new());
        for edge in edges {
            let (mut commands, mut edge_ways) = (Vec::new(), Vec::new());
            for branch in edge.branches {
                let mut steps = Vec::new();
                for basic in branch.steps {
                    let basic = match basic {
                        Basic::Assume(term) => Basic::Assume(import(&mut arena, term)),
                        Basic::Assign(variable, term) => Basic::Assign(variable, import(&mut arena, term)),
                        other => other,
                    };
                    steps.push(Command::basic(basic, edge.span));
                }
                commands.push(Command::sequence(&steps));
                let mut pairs = Vec::new();
                for (slot, term) in branch.head {
                    pairs.push((slot, import(&mut arena, term)));
                }
                let mut inputs = Vec::new();
                for (name, term) in branch.inputs {
                    inputs.push((name, import(&mut arena, term)));
                }
                let guard = import(&mut arena, branch.guard);
                edge_ways.push(Way { guard, chosen: branch.chosen, head: pairs, inputs });
            }
            let command = Command::choice(&commands, edge.span);
            made.push(Edge { source: edge.source, target: edge.target, command, span: edge.span });
            clauses.push(edge.clause);
            ways.push(edge_ways);
        }
        let automaton = Automaton {
            name: String::new(),
            variables,
            locations,
            edges: made,
            havocs,
            entry: LocationId::new(ENTRY),
            error: LocationId::new(ERROR),
            unmodelled: None,
        };
        let program = Program { arena, automaton };
        debug_assert_eq!(wellformed::check(&program), Ok(()));
        let locations = (0..system.predicates.len()).map(|index| LocationId::new(index + 2)).collect();
        Layout { program, locations, arguments, clauses, ways }
    }
}

/// Where executions are while a predicate holds.
fn location(predicate: PredicateId) -> LocationId {
    LocationId::new(predicate.0 + 2)
}
