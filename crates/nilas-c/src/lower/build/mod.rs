//! The automaton under construction: where the lowering is, and the edges it leaves behind.
//!
//! A [`Builder`] knows nothing of C but the spans of its text. Straight-line steps are collected and become
//! one edge where the control flow forks or joins, or when there are many. `here` is `None` while nothing can
//! be reached; then nothing is emitted. Under a *guard* (the right operand of `&&` while it is evaluated)
//! assumptions hold only where the guard does.
//!
//! There are three ways to cut executions off, and they mean different things:
//! - [`Builder::assume`]: the program or the contract excludes them (`__VERIFIER_assume`, a result that the
//!   manual rules out);
//! - [`Builder::defined`]: C says that they are undefined, a claim about the program;
//! - [`Builder::unmodelled_if`]: the lowering does not know what they do, a statement about Nilas.
//!
//! Where C makes behaviour undefined by a rule that the lowering does not look at (or that machines do not
//! keep), executions go on, which is right for a proof, and [`Builder::presume`] notes it: one that reaches
//! the error on such a way is not known to be real.

pub(in crate::lower) mod aims;
pub(in crate::lower) mod alignment;
pub(in crate::lower) mod checks;
pub(in crate::lower) mod levels;
mod slice;
#[cfg(test)]
mod tests;

use super::translate::relation::LAYOUT;
use super::{Assumption, AssumptionKind, Bound, Check, HavocOrigin, Presumed, Undefined, Unmodelled};
use crate::property::{Claim, Properties, Property};
use crate::source::{Diagnostic, Span};
use aims::Aims;
use alignment::Alignments;
use levels::{Level, Levels};
use nilas_program::procedures::{Call, Procedure};
use nilas_program::{
    Automaton, Basic, Command, Edge, EdgeId, Havoc, HavocSite, Location, LocationId, ProcedureId, VarId,
    Variable,
};
use nilas_term::{Arena, Sort, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The longest chain of steps on one edge.
const CHAIN: usize = 24;

/// A basic command that is not on an edge yet, its place, and what is to be told of it.
type Step = (Basic, Span, Option<Note>);

/// What is told of a step.
#[derive(Clone, Copy)]
enum Note {
    /// It is an assumption that this does not happen.
    Undefined(&'static str),
    /// It is nothing but a place where something is presumed: the number of it.
    Presumed(usize),
}

/// Who answers for what is being lowered: the text of a function of the library, or a function that means an
/// assertion, stands for its call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lower) struct Blamed {
    /// The call.
    pub(in crate::lower) call: Span,
    /// The expression that is asserted.
    pub(in crate::lower) asserted: Option<Span>,
    /// It is a function of the library: its arithmetic is not the user's.
    pub(in crate::lower) library: bool,
}

/// See the module's text.
pub(in crate::lower) struct Builder {
    pub(in crate::lower) arena: Arena,
    pub(in crate::lower) automaton: Automaton,
    /// Where the lowering is; `None`: nowhere.
    pub(in crate::lower) here: Option<LocationId>,
    pending: Vec<Step>,
    /// What must hold for the present expression to be evaluated.
    pub(in crate::lower) guard: Option<Term>,
    /// Per location, whether an edge leads there.
    entered: Vec<bool>,
    names: FxHashMap<String, usize>,
    assumed: BTreeSet<String>,
    /// What a verdict rests on, each once.
    pub(in crate::lower) assumptions: Vec<Assumption>,
    pub(in crate::lower) places: Vec<Unmodelled>,
    /// The bound that [`Builder::unmodelled_if`] stands for at the moment.
    cut: Option<Bound>,
    /// Where the values of `havoc`s come from, by site.
    pub(in crate::lower) origins: Vec<HavocOrigin>,
    /// Where the value of the next `havoc` comes from.
    pub(in crate::lower) origin: HavocOrigin,
    /// What is being lowered.
    pub(in crate::lower) span: Span,
    pub(in crate::lower) undefined: Vec<Undefined>,
    /// What is presumed, and the edge and step where it is, if they are there already.
    presumed: Vec<(Option<(EdgeId, usize)>, String)>,
    /// Constructs that Nilas refuses, where they were met.
    pub(in crate::lower) refused: Vec<Diagnostic>,
    /// The addresses that variables hold.
    pub(in crate::lower) aims: Aims,
    /// How pointers are aligned.
    pub(in crate::lower) alignments: Alignments,
    /// Which values depend on addresses.
    pub(in crate::lower) levels: Levels,
    /// What is asked: where it is violated, that is an error.
    properties: Properties,
    /// Where that could be, so far, and the number of each.
    checks: Vec<Check>,
    check_numbers: FxHashMap<(Property, Span), usize>,
    /// What functions assert that stand for an assertion, by number of the check.
    asserted: FxHashMap<usize, Span>,
    /// The call in the user's text that what is being lowered is a part of, if it is not such text itself.
    pub(in crate::lower) blamed: Option<Blamed>,
    /// What is lowered is no text of the user: what cannot be violated is no place that is asked about.
    pub(in crate::lower) made: bool,
    /// Executions go on where their behaviour may be undefined: there are more of them.
    pub(in crate::lower) goes_on: bool,
    /// Bodies that calls enter.
    pub(in crate::lower) procedures: Vec<Procedure>,
    pub(in crate::lower) calls: Vec<Call>,
    /// The procedure of each location.
    pub(in crate::lower) owners: Vec<Option<ProcedureId>>,
    /// The procedure that was being built when each variable was made.
    pub(in crate::lower) created: Vec<Option<ProcedureId>>,
    /// The procedure that is being built.
    inside: Option<ProcedureId>,
}

impl Builder {
    /// An automaton with its entry and its sinks, and nothing else.
    pub(in crate::lower) fn new(span: Span, pointer_bits: u32, properties: Properties) -> Self {
        let location = |name: &str| Location { name: name.to_owned(), span };
        Builder {
            arena: Arena::new(),
            automaton: Automaton {
                name: String::new(),
                variables: Vec::new(),
                locations: ["entry", "error", "unmodelled"].map(location).to_vec(),
                edges: Vec::new(),
                havocs: Vec::new(),
                entry: LocationId::new(0),
                error: LocationId::new(1),
                unmodelled: Some(LocationId::new(2)),
            },
            here: None,
            pending: Vec::new(),
            guard: None,
            entered: vec![false; 3],
            names: FxHashMap::default(),
            assumed: BTreeSet::new(),
            assumptions: Vec::new(),
            places: Vec::new(),
            cut: None,
            origins: Vec::new(),
            origin: HavocOrigin::Garbage(None),
            span,
            undefined: Vec::new(),
            presumed: Vec::new(),
            refused: Vec::new(),
            aims: Aims::new(pointer_bits),
            alignments: Alignments::default(),
            levels: Levels::default(),
            properties,
            checks: Vec::new(),
            check_numbers: FxHashMap::default(),
            asserted: FxHashMap::default(),
            blamed: None,
            made: false,
            goes_on: false,
            procedures: Vec::new(),
            calls: Vec::new(),
            owners: vec![None; 3],
            created: Vec::new(),
            inside: None,
        }
    }

    /// Edges with copies of procedures in the place of calls, where they are copied.
    pub(in crate::lower) fn with_copies(&self, copied: &dyn Fn(ProcedureId) -> bool) -> u64 {
        let Builder { automaton, calls, owners, procedures, .. } = self;
        super::emit::with_copies(&automaton.edges, calls, owners, procedures.len(), 0, copied)
    }

    pub(in crate::lower) fn edge_count(&self) -> usize {
        self.automaton.edges.len()
    }

    /// Whether an edge leads to a location so far.
    pub(in crate::lower) fn has_incoming(&self, location: LocationId) -> bool {
        self.entered[location.index()]
    }

    pub(in crate::lower) fn reachable(&self) -> bool {
        self.here.is_some()
    }

    pub(in crate::lower) fn new_location(&mut self) -> LocationId {
        let id = LocationId::new(self.automaton.locations.len());
        let span = self.span;
        self.automaton.locations.push(Location { name: format!("l{}", id.index()), span });
        self.entered.push(false);
        self.owners.push(self.inside);
        id
    }

    /// The procedure that is being built.
    pub(in crate::lower) fn inside(&self) -> Option<ProcedureId> {
        self.inside
    }

    /// What follows is in a procedure again that was built before, or in none.
    pub(in crate::lower) fn go_on_inside(&mut self, procedure: Option<ProcedureId>) {
        self.inside = procedure;
    }

    /// Builds a procedure; the lowering is where it was before. Whether calls of it come back.
    pub(in crate::lower) fn procedure<L>(
        lowering: &mut L,
        build: impl Fn(&mut L) -> &mut Builder,
        name: &str,
        body: impl FnOnce(&mut L),
    ) -> (ProcedureId, bool) {
        let this = build(lowering);
        let here = this.flush();
        let (span, around) = (this.span, this.inside);
        let id = ProcedureId::new(this.procedures.len());
        let name = this.unique(&format!("{name}()"));
        this.inside = Some(id);
        let (entry, exit) = (this.new_location(), this.new_location());
        this.procedures.push(Procedure {
            name,
            parameters: Vec::new(),
            results: Vec::new(),
            entry,
            exit,
            span,
        });
        this.continue_at(entry);
        body(lowering);
        let this = build(lowering);
        let returns = this.reachable();
        this.goto(exit);
        this.pending.clear();
        (this.here, this.span, this.inside) = (here, span, around);
        (id, returns)
    }

    /// Calls a procedure; goes on behind it if it comes back.
    pub(in crate::lower) fn call(&mut self, callee: ProcedureId, returns: bool) {
        let Some(source) = self.flush() else { return };
        let target = self.new_location();
        self.entered[target.index()] = true;
        let span = self.span;
        let (arguments, results) = (Vec::new(), Vec::new());
        self.calls.push(Call { source, target, callee, arguments, results, span });
        self.continue_at(target);
        if !returns {
            self.here = None;
        }
    }

    /// A name that no variable and no procedure has yet.
    fn unique(&mut self, name: &str) -> String {
        let mut unique = name.to_owned();
        while self.names.contains_key(&unique) {
            let count = self.names.entry(name.to_owned()).or_insert(1);
            *count += 1;
            unique = format!("{name}~{count}");
        }
        self.names.insert(unique.clone(), 1);
        unique
    }

    /// A variable; the name is made unique.
    pub(in crate::lower) fn new_variable(&mut self, name: &str, sort: &Sort) -> (VarId, Term) {
        let unique = self.unique(name);
        let id = VarId::new(self.automaton.variables.len());
        let term = self.arena.variable(&unique, sort).expect("the name is new in this arena");
        let span = self.span;
        self.track(id, &unique, term, sort);
        self.levels.declare(&unique, term);
        self.automaton.variables.push(Variable { name: unique, sort: sort.clone(), term, span });
        self.created.push(self.inside);
        (id, term)
    }

    pub(in crate::lower) fn variable_name(&self, variable: VarId) -> String {
        self.automaton.variable(variable).name.clone()
    }

    pub(in crate::lower) fn variable_term(&self, variable: VarId) -> Term {
        self.automaton.variable(variable).term
    }

    fn edge(&mut self, source: LocationId, target: LocationId, steps: &[Step]) -> EdgeId {
        crate::work::poll();
        let commands: Vec<Command> =
            steps.iter().map(|(basic, span, _)| Command::basic(*basic, *span)).collect();
        let span = steps.first().map_or(self.span, |(_, span, _)| *span);
        let id = EdgeId::new(self.automaton.edges.len());
        for (step, &(_, span, note)) in steps.iter().enumerate() {
            match note {
                Some(Note::Undefined(what)) => {
                    self.undefined.push(Undefined { edge: id, step, what, span });
                }
                Some(Note::Presumed(number)) => self.presumed[number].0 = Some((id, step)),
                None => {}
            }
        }
        self.entered[target.index()] = true;
        self.automaton.edges.push(Edge { source, target, command: Command::sequence(&commands), span });
        id
    }

    fn push(&mut self, basic: Basic) {
        self.push_noted(basic, None);
    }

    fn push_noted(&mut self, basic: Basic, note: Option<Note>) {
        crate::work::poll();
        if self.here.is_none() {
            return;
        }
        self.pending.push((basic, self.span, note));
        if self.pending.len() >= CHAIN {
            self.flush();
        }
    }

    /// Makes the collected steps an edge; where that leads.
    pub(in crate::lower) fn flush(&mut self) -> Option<LocationId> {
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

    pub(in crate::lower) fn assign(&mut self, variable: VarId, term: Term) {
        if term != self.variable_term(variable) {
            self.levels.assigned(&self.arena, variable, term);
        }
        self.assign_clean(variable, term);
    }

    /// The level of a term.
    pub(in crate::lower) fn level(&mut self, term: Term) -> Level {
        self.levels.level(&self.arena, term)
    }

    /// What follows from the levels that were noted.
    pub(in crate::lower) fn solve_levels(&mut self) {
        let Builder { levels, arena, automaton, .. } = self;
        levels.solve(arena, |variable| automaton.variable(variable).term);
    }

    /// The same of a value that says nothing about where objects lie, however it is computed.
    pub(in crate::lower) fn assign_clean(&mut self, variable: VarId, term: Term) {
        if term != self.variable_term(variable) {
            self.note_alignment(variable, term);
            self.assign_noted(variable, term);
        }
    }

    /// A temporary gets a pointer that is aligned: elsewhere the execution has left the model.
    pub(in crate::lower) fn assign_aligned(&mut self, variable: VarId, term: Term, zeros: u32) {
        self.levels.assigned(&self.arena, variable, term);
        self.note_source_alignment(variable, zeros);
        self.assign_noted(variable, term);
    }

    fn assign_noted(&mut self, variable: VarId, term: Term) {
        self.note_assignment(variable, term);
        self.push(Basic::Assign(variable, term));
    }

    pub(in crate::lower) fn havoc(&mut self, variable: VarId) {
        self.note_anything(variable);
        self.note_any_alignment(variable);
        self.havoc_pointer(variable);
    }

    /// The same for a temporary that is made a pointer next, to what has an alignment (as a power of two).
    pub(in crate::lower) fn havoc_aligned(&mut self, variable: VarId, zeros: u32) {
        self.note_anything(variable);
        self.note_source_alignment(variable, zeros);
        self.havoc_pointer(variable);
    }

    /// The same for a variable that is made a pointer of unknown origin next.
    pub(in crate::lower) fn havoc_pointer(&mut self, variable: VarId) {
        self.note_unknown_pointer(variable);
        if self.here.is_some() {
            let site = HavocSite::new(self.automaton.havocs.len());
            let span = self.span;
            self.automaton.havocs.push(Havoc { variable, span });
            self.origins.push(self.origin.clone());
            self.push(Basic::Havoc(variable, site));
        }
    }

    /// Goes on only where the condition holds (or the guard does not).
    pub(in crate::lower) fn assume(&mut self, condition: Term) {
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

    /// The behaviour is defined only where the condition holds: elsewhere the execution stops, or (if it is
    /// asked for) that is an error.
    pub(in crate::lower) fn defined(&mut self, condition: Term, claim: Claim) {
        let condition = match self.guard {
            Some(guard) => self.arena.implies(guard, condition),
            None => condition,
        };
        if self.levels.rests_on_scrambled(&self.arena, condition) {
            let not = self.arena.not(condition);
            let guard = self.guard.take();
            self.unmodelled_if(not, LAYOUT);
            self.guard = guard;
            return;
        }
        self.check(condition, claim);
        if claim.property.is_defined() {
            return;
        }
        let note = Some(Note::Undefined(claim.what));
        match self.arena.as_bool(condition) {
            Some(true) => {}
            None if self.goes_on => {}
            // The edge says where executions stop, and why: if it is all of them, a proof says nothing.
            Some(false) => {
                self.push_noted(Basic::Assume(condition), note);
                self.flush();
                self.here = None;
            }
            None if self.pending.last().is_some_and(|(last, ..)| *last == Basic::Assume(condition)) => {}
            None => self.push_noted(Basic::Assume(condition), note),
        }
    }

    /// Executions that come by go on, though C may leave their behaviour undefined for this reason: one to
    /// the error is not known to be real.
    pub(in crate::lower) fn presume(&mut self, what: &str) {
        if self.reachable() {
            let nothing = self.arena.mk_true();
            self.push_noted(Basic::Assume(nothing), Some(Note::Presumed(self.presumed.len())));
            self.presumed.push((None, what.to_owned()));
        }
    }

    /// The same where the condition holds.
    pub(in crate::lower) fn presume_if(&mut self, condition: Term, what: &str) {
        if self.arena.as_bool(condition) == Some(false) || !self.reachable() {
            return;
        }
        let other = self.split(condition);
        self.presume(what);
        if let Some(other) = other {
            let meet = self.new_location();
            self.goto(meet);
            self.continue_at(other);
            self.goto(meet);
            self.continue_at(meet);
        }
    }

    /// What is presumed on which edges.
    pub(in crate::lower) fn take_presumed(&mut self) -> Vec<Presumed> {
        let presumed = std::mem::take(&mut self.presumed).into_iter();
        let placed = |(place, what): (Option<(EdgeId, usize)>, String)| {
            place.map(|(edge, step)| Presumed { edge, step, what })
        };
        presumed.filter_map(placed).collect()
    }

    /// The behaviour is undefined here.
    pub(in crate::lower) fn never(&mut self, claim: Claim) {
        let never = self.arena.mk_false();
        self.defined(never, claim);
    }

    /// The execution ends here without reaching anything.
    pub(in crate::lower) fn stop(&mut self) {
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
    pub(in crate::lower) fn goto(&mut self, target: LocationId) {
        if let Some(here) = self.here.take() {
            let steps = std::mem::take(&mut self.pending);
            self.edge(here, target, &steps);
        }
    }

    /// An edge to a location where the condition holds; the lowering stays where it is.
    pub(in crate::lower) fn branch(&mut self, condition: Term, target: LocationId) -> Option<EdgeId> {
        if self.arena.as_bool(condition) == Some(false) {
            return None;
        }
        let here = self.flush()?;
        let step = (Basic::Assume(condition), self.span, None);
        let steps = if self.arena.as_bool(condition) == Some(true) { &[][..] } else { &[step][..] };
        Some(self.edge(here, target, steps))
    }

    /// Continues at a location.
    pub(in crate::lower) fn continue_at(&mut self, location: LocationId) {
        self.here = Some(location);
        self.pending.clear();
    }

    /// Splits on a condition: goes on where it holds, and returns the place where it does not (`None`:
    /// nowhere).
    pub(in crate::lower) fn split(&mut self, condition: Term) -> Option<LocationId> {
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

    /// A bound of the lowering cuts executions off here.
    pub(in crate::lower) fn cut(&mut self, bound: Bound, construct: &str) {
        self.cut = Some(bound);
        self.unmodelled(construct);
        self.cut = None;
    }

    /// Where the condition holds, a bound of the lowering (if it is one) cuts executions off.
    pub(in crate::lower) fn cut_if(&mut self, bound: Option<Bound>, condition: Term, construct: &str) {
        self.cut = bound;
        self.unmodelled_if(condition, construct);
        self.cut = None;
    }

    /// What stands here is not modelled.
    pub(in crate::lower) fn unmodelled(&mut self, construct: &str) {
        let always = self.arena.mk_true();
        self.unmodelled_if(always, construct);
    }

    /// A program that can get here is refused.
    pub(in crate::lower) fn refuse(&mut self, message: &str) {
        if self.reachable() && !self.refused.iter().any(|other| other.span == Some(self.span)) {
            self.refused.push(Diagnostic::error(self.span, message));
        }
        self.unmodelled(message);
    }

    /// Where the condition holds, what stands here is not modelled; goes on where it does not.
    pub(in crate::lower) fn unmodelled_if(&mut self, condition: Term, construct: &str) {
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

    /// The verdict rests on this.
    pub(in crate::lower) fn rests_on(&mut self, kind: AssumptionKind, text: &str) {
        if self.reachable() && self.assumed.insert(text.to_owned()) {
            self.assumptions.push(Assumption { kind, text: text.to_owned(), span: self.span });
        }
    }
}
