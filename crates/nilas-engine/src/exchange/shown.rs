//! What a receiver could show of the formulas that it was told.
//!
//! Together with what was shown before, the formulas of all locations are inductive: every step from states
//! that satisfy those of its source satisfies those of its target. So each of them holds at its location, and
//! all of them can be part of evidence. What others are sure of is tried first, as a whole; then everything
//! else, from which states that executions reach ([`Fact::Reached`]) exclude the worst without a question.
//!
//! Formulas speak about variables that are live at their location, and no others: passes keep nothing but
//! those, so evidence about others would not hold of the program as given.
//!
//! What it may cost is a part of the work that the receiver does itself.

use super::{Fact, Port};
use crate::analyses::houdini::{Houdini, Transitions};
use crate::outcome::Unknown;
use crate::relevant::Relevant;
use crate::transition::Transition;
use nilas_program::{Automaton, EdgeId, LiveVariables, LocationId, Program, VarId};
use nilas_smt::{Budget, Interrupt};
use nilas_term::{Arena, Evaluator, Model, Term, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// What it may always cost, in propagations, and of the receiver's work what it may cost beyond.
const ALLOWANCE: u64 = 200_000;
const SHARE: u64 = 8;
/// States that are kept for a location.
const STATES: usize = 8;
/// Formulas that are tried at a location at a time.
const TRIED: usize = 60;
/// Automata with more edges are too large to ask about everything.
const EDGES: usize = 2_000;

/// See the module's text.
pub(crate) struct Shown {
    /// The formulas of each location.
    of: Vec<Vec<Term>>,
    /// Formulas that wait to be shown: those that others are sure of, and the others.
    sure: Vec<(LocationId, Term)>,
    unsure: Vec<(LocationId, Term)>,
    /// Everything that was ever told.
    known: FxHashSet<(LocationId, Term)>,
    /// States that executions reach, others say.
    states: Vec<Vec<Vec<(Term, Value)>>>,
    /// Locations that can have formulas.
    takes: Vec<bool>,
    live: LiveVariables,
    variables: FxHashMap<Term, VarId>,
    /// What showing has cost so far.
    spent: u64,
    /// Questions asked.
    pub(crate) checks: u64,
}

impl Shown {
    pub(crate) fn new(program: &Program, relevant: &Relevant, budget: &Budget) -> Result<Self, Interrupt> {
        let automaton = &program.automaton;
        let small = automaton.edges.len() <= EDGES;
        let takes = |id| small && id != automaton.entry && !automaton.is_sink(id) && relevant.contains(id);
        Ok(Shown {
            of: vec![Vec::new(); automaton.locations.len()],
            sure: Vec::new(),
            unsure: Vec::new(),
            known: FxHashSet::default(),
            states: vec![Vec::new(); automaton.locations.len()],
            takes: automaton.location_ids().map(takes).collect(),
            live: LiveVariables::within(program, budget)?,
            variables: automaton.variable_index(),
            spent: 0,
            checks: 0,
        })
    }

    /// What was shown of a location.
    pub(crate) fn at(&self, location: LocationId) -> &[Term] {
        &self.of[location.index()]
    }

    /// Notes formulas that the receiver has shown itself, and that are inductive together.
    pub(crate) fn add(&mut self, formulas: impl Iterator<Item = (LocationId, Term)>) {
        for (location, formula) in formulas {
            self.known.insert((location, formula));
            if !self.of[location.index()].contains(&formula) {
                self.of[location.index()].push(formula);
            }
        }
    }

    /// Takes what was published since, and shows of it what it can. Returns what is new. `work` is what the
    /// receiver has done itself, in propagations.
    pub(crate) fn take(
        &mut self,
        arena: &mut Arena,
        automaton: &Automaton,
        transitions: &mut dyn Transitions,
        port: &mut Port,
        budget: &Budget,
        work: u64,
    ) -> Result<Vec<(LocationId, Term)>, Unknown> {
        for fact in port.receive(arena) {
            match fact {
                Fact::Invariant(location, formula) => self.wait(arena, location, formula, true),
                Fact::Lemma(location, formula) | Fact::Predicate(location, formula) => {
                    self.wait(arena, location, formula, false);
                }
                Fact::Reached(location, state) => {
                    let states = &mut self.states[location.index()];
                    if states.len() < STATES {
                        states.push(state);
                    }
                }
                Fact::Depth(_) => {}
            }
        }
        let mut new = Vec::new();
        let sure = std::mem::take(&mut self.sure);
        new.extend(self.show(arena, automaton, transitions, sure, budget, work)?);
        let unsure = std::mem::take(&mut self.unsure);
        new.extend(self.show(arena, automaton, transitions, unsure, budget, work)?);
        port.shown(new.len());
        Ok(new)
    }

    fn wait(&mut self, arena: &Arena, location: LocationId, formula: Term, sure: bool) {
        let is_live = |variable: &Term| {
            self.variables.get(variable).is_some_and(|&variable| self.live.contains(location, variable))
        };
        if !self.takes[location.index()] || !arena.free_variables(formula).iter().all(is_live) {
            return;
        }
        // Something that was told as a guess may come again from one who is sure.
        let new = self.known.insert((location, formula));
        if new || sure && !self.of[location.index()].contains(&formula) {
            let waiting = if sure { &mut self.sure } else { &mut self.unsure };
            waiting.push((location, formula));
        }
    }

    /// Shows what it can of some formulas. If that costs too much, nothing is shown, and they are forgotten.
    fn show(
        &mut self,
        arena: &mut Arena,
        automaton: &Automaton,
        transitions: &mut dyn Transitions,
        formulas: Vec<(LocationId, Term)>,
        budget: &Budget,
        work: u64,
    ) -> Result<Vec<(LocationId, Term)>, Unknown> {
        let most = (ALLOWANCE + work / SHARE).saturating_sub(self.spent);
        if formulas.is_empty() || most == 0 {
            return Ok(Vec::new());
        }
        let mut candidates = vec![Vec::new(); self.of.len()];
        for (location, formula) in formulas {
            let here: &mut Vec<Term> = &mut candidates[location.index()];
            if here.len() < TRIED && !self.is_refuted(arena, location, formula) {
                here.push(formula);
            }
        }
        let mut houdini = Houdini::new(automaton.edges.len(), most);
        let all = houdini.keep_inductive(arena, automaton, transitions, &self.of, &mut candidates, budget)?;
        self.spent += houdini.spent();
        self.checks += houdini.checks;
        if !all {
            return Ok(Vec::new());
        }
        let mut new = Vec::new();
        for (location, formulas) in automaton.location_ids().zip(candidates) {
            new.extend(formulas.iter().map(|&formula| (location, formula)));
            self.of[location.index()].extend(formulas);
        }
        Ok(new)
    }

    /// Whether a state that executions reach violates a formula.
    fn is_refuted(&self, arena: &Arena, location: LocationId, formula: Term) -> bool {
        self.states[location.index()].iter().any(|state| {
            let model: Model = state.iter().cloned().collect();
            // A state may leave variables open: then nothing is known.
            Evaluator::new(model).holds(arena, formula) == Ok(false)
        })
    }
}

/// Relations of edges for a receiver that has none itself. They are made as they are needed.
pub(crate) struct Own<'a> {
    automaton: &'a Automaton,
    budget: &'a Budget,
    /// Outside: whether it matters. Inside: whether it was needed.
    edges: Vec<Option<Option<Transition>>>,
}

impl<'a> Own<'a> {
    pub(crate) fn new(automaton: &'a Automaton, relevant: &Relevant, budget: &'a Budget) -> Self {
        let matters = |id: EdgeId| {
            let edge = automaton.edge(id);
            (relevant.contains(edge.source) && relevant.contains(edge.target)).then_some(None)
        };
        Own { automaton, budget, edges: automaton.edge_ids().map(matters).collect() }
    }
}

impl Transitions for Own<'_> {
    fn transition(&mut self, arena: &mut Arena, edge: EdgeId) -> Result<Option<&mut Transition>, Unknown> {
        let Some(made) = &mut self.edges[edge.index()] else { return Ok(None) };
        if made.is_none() {
            let transition = Transition::new(arena, self.automaton, edge, self.budget);
            *made = Some(transition.map_err(Unknown::Interrupted)?);
        }
        Ok(made.as_mut())
    }
}
