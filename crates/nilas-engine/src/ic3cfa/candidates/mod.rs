//! Candidate lemmas: guesses that are kept only where they are inductive together.
//!
//! Many loops need an invariant that no cube from the error leads to quickly: a counter that moves with
//! another, a variable that stays even, or above a constant. Such formulas are guessed from the program's
//! constants, from the first states that reach a location ([`propose`]) and from an interval analysis
//! ([`intervals`](crate::analyses::intervals)), and the largest set of them that is inductive is found by
//! throwing out what a step violates until no step does (Houdini; Flanagan, Leino 2001).
//!
//! What is left holds at all levels, but most of it is of no use, and lemmas cost. So each location keeps
//! what it has in a solver of its own, which is asked about obligations before the edges are: those that
//! exclude one become lemmas at [`Level::INFINITE`], with those that they need to be inductive.
//!
//! Guessing has solvers of its own, which go afterwards with all the circuits that it took. It may cost as
//! much as a quarter of the work before it, counted in propagations and clauses. If that does not suffice it
//! is tried again when twice as much has been done. It is not done before the frontier has got to
//! [`PATIENCE`] or there were many obligations: what is proved by then needs no guess.

mod affine;
mod propose;
mod samples;
mod simulate;

use super::Ic3Cfa;
use super::edge::EdgeSolver;
use super::technique::Technique;
use crate::analyses::houdini::{CONFLICTS, Houdini, Transitions, effort};
use crate::analyses::intervals::intervals;
use crate::outcome::Unknown;
use crate::pdr::{Level, Map};
use crate::phase::Phase;
use crate::transition::Transition;
use nilas_program::{EdgeId, LocationId};
use nilas_smt::{Answer, Budget, Embedded, Interrupt, Reason, Solver};
use nilas_term::{Arena, Cube, Term};
use rustc_hash::FxHashSet;
use std::time::Instant;

/// Guessing is done when the frontier has got here, or with so many obligations.
const PATIENCE: Level = Level(3);
pub(super) const OBLIGATIONS: u64 = 64;
/// What guessing may always take.
const ALLOWANCE: u64 = 500_000;
/// Automata with more locations times variables are not guessed about: sampling them and making up formulas
/// alone, which is not counted, takes longer than most proofs.
const LARGEST: usize = 100_000;
/// Of the work so far, what it may take beyond that.
const SHARE: u64 = 4;

/// What was guessed and is inductive.
#[derive(Default)]
pub(super) struct Candidates {
    /// The work at which guessing is tried (again); `None` if it is done.
    wait: Option<u64>,
    /// The formulas of each location: together they are inductive.
    of: Vec<Vec<Term>>,
    /// For the locations that have some, a solver that is asked whether they exclude a cube.
    solvers: Vec<Option<Embedded>>,
    /// Those that are lemmas by now.
    lemmas: FxHashSet<(LocationId, Term)>,
}

impl Candidates {
    pub(super) fn new() -> Self {
        Candidates { wait: Some(0), ..Candidates::default() }
    }
}

impl Candidates {
    /// Adds formulas that are inductive with those that there are.
    pub(super) fn add(&mut self, locations: usize, formulas: &[(LocationId, Term)]) {
        self.of.resize(locations, Vec::new());
        self.solvers.resize_with(locations, || None);
        for &(location, formula) in formulas {
            let here = &mut self.of[location.index()];
            if !here.contains(&formula) {
                here.push(formula);
            }
            self.solvers[location.index()].get_or_insert_default();
        }
    }
}

impl Ic3Cfa<'_, '_> {
    /// Guesses, if it is time to.
    pub(super) fn add_candidates(&mut self) -> Result<(), Unknown> {
        let techniques = self.instance.techniques;
        let wanted = techniques.contains(Technique::Candidates) || techniques.contains(Technique::Intervals);
        let Some(wait) = self.instance.candidates.wait else { return Ok(()) };
        let done = self.effort_so_far();
        let patient = self.level < PATIENCE && self.statistics.obligations < OBLIGATIONS;
        if !wanted || patient || done < wait {
            return Ok(());
        }
        let automaton = self.instance.map.automaton;
        if automaton.locations.len().saturating_mul(automaton.variables.len()) > LARGEST {
            self.instance.candidates.wait = None;
            return Ok(());
        }
        let start = Instant::now();
        let most = (done / SHARE).max(ALLOWANCE);
        self.instance.candidates.wait = Some(done.max(ALLOWANCE) * 2);
        if let Some(inductive) = self.guess(most)? {
            self.instance.candidates.wait = None;
            let formulas = self.instance.map.automaton.location_ids().zip(inductive);
            let formulas = formulas.flat_map(|(id, of)| of.into_iter().map(move |formula| (id, formula)));
            self.guessed(formulas.collect());
        }
        self.statistics.times.spent(Phase::Guess, start);
        Ok(())
    }

    /// Inductive formulas for each location; `None` if finding them costs more than so much.
    fn guess(&mut self, most: u64) -> Result<Option<Vec<Vec<Term>>>, Unknown> {
        let techniques = self.instance.techniques;
        let mut candidates = vec![Vec::new(); self.instance.map.automaton.locations.len()];
        let mut houdini = Houdini::new(self.instance.map.solvers.len(), most);
        if techniques.contains(Technique::Candidates) {
            let Some(samples) = self.live_samples(&mut houdini)? else { return Ok(None) };
            candidates = propose::propose(&mut self.arena, self.instance.map.automaton, &samples);
        }
        if techniques.contains(Technique::Intervals) {
            let found = intervals(&mut self.arena, self.instance.map.automaton, &self.instance.live);
            for (candidates, more) in candidates.iter_mut().zip(found) {
                candidates.extend(more);
                candidates.sort_unstable();
                candidates.dedup();
            }
        }
        if !self.keep_inductive(&mut candidates, &mut houdini)? {
            return Ok(None);
        }
        for formulas in &mut candidates {
            *formulas = propose::strongest(&self.arena, formulas);
        }
        Ok(Some(candidates))
    }

    /// Whether guessed formulas exclude a cube at a location. Those that do become lemmas.
    pub(super) fn excluded(&mut self, location: LocationId, cube: &Cube) -> Result<bool, Unknown> {
        let Some(Some(solver)) = self.instance.candidates.solvers.get_mut(location.index()) else {
            return Ok(false);
        };
        let budget = Budget { conflicts: Some(CONFLICTS), ..self.budget.clone() };
        let mut assumptions = self.instance.candidates.of[location.index()].clone();
        assumptions.extend_from_slice(cube.literals());
        self.statistics.relative_checks += 1;
        match solver.check(&self.arena, &[], &assumptions, &budget) {
            Answer::Unsat => {}
            Answer::Unknown(Reason::Interrupted(why)) if why != Interrupt::Conflicts => {
                return Err(Unknown::Interrupted(why));
            }
            Answer::Sat | Answer::Unknown(_) => return Ok(false),
        }
        let failed = solver.failed().to_vec();
        let mut used = self.instance.candidates.of[location.index()].clone();
        used.retain(|formula| failed.contains(formula));
        self.use_candidates(location, used)?;
        Ok(true)
    }

    /// Makes lemmas of the guessed formulas about some variables.
    pub(super) fn use_candidates_about(
        &mut self,
        location: LocationId,
        variables: &[Term],
    ) -> Result<(), Unknown> {
        let Some(known) = self.instance.candidates.of.get(location.index()) else { return Ok(()) };
        let about =
            |formula: &Term| self.arena.free_variables(*formula).iter().all(|it| variables.contains(it));
        let used = known.iter().copied().filter(about).collect();
        self.use_candidates(location, used)
    }

    /// Makes lemmas of formulas, and of those that a step needs before it so that they hold after it.
    fn use_candidates(&mut self, location: LocationId, used: Vec<Term>) -> Result<(), Unknown> {
        let mut todo: Vec<(LocationId, Term)> = used.into_iter().map(|formula| (location, formula)).collect();
        while let Some((location, formula)) = todo.pop() {
            if !self.instance.candidates.lemmas.insert((location, formula)) {
                continue;
            }
            for edge in self.instance.map.incoming[location.index()].clone() {
                let source = self.instance.map.automaton.edge(edge).source;
                for needed in self.support(edge, formula)? {
                    todo.push((source, needed));
                }
            }
            self.count_used(location, formula);
            let violated = self.arena.not(formula);
            self.add_lemma(Level::INFINITE, location, Cube::new([violated]));
        }
        Ok(())
    }

    /// The formulas before an edge from which a formula behind it follows.
    fn support(&mut self, edge: EdgeId, formula: Term) -> Result<Vec<Term>, Unknown> {
        let source = self.instance.map.automaton.edge(edge).source;
        let known = self.instance.candidates.of[source.index()].clone();
        let budget = Budget { conflicts: Some(CONFLICTS), ..self.budget.clone() };
        self.statistics.relative_checks += 1;
        let (solver, arena) = self.solver(edge)?;
        let violated = arena.not(formula);
        let mut assumptions = solver.preconditions(arena, &Cube::new([violated]));
        assumptions.extend_from_slice(&known);
        match solver.frame.solver.check(arena, &[], &assumptions, &budget) {
            Answer::Unsat => {
                let failed = solver.frame.solver.failed();
                Ok(known.into_iter().filter(|formula| failed.contains(formula)).collect())
            }
            Answer::Unknown(Reason::Interrupted(why)) if why != Interrupt::Conflicts => {
                Err(Unknown::Interrupted(why))
            }
            // Too hard to tell which: all of them.
            Answer::Unknown(_) => Ok(known),
            Answer::Sat => Err(Unknown::Internal("guessed formulas are not inductive after all".into())),
        }
    }

    /// The work of all edges' solvers, in a measure that is the same on every machine.
    pub(super) fn effort_so_far(&self) -> u64 {
        self.instance
            .map
            .solvers
            .iter()
            .flatten()
            .flat_map(EdgeSolver::stats)
            .map(|stats| effort(&stats))
            .sum()
    }

    /// Throws out formulas until no edge leads from a state that satisfies those of its source to one that
    /// violates one of its target. Returns whether that was reached with what may be spent.
    pub(super) fn keep_inductive(
        &mut self,
        candidates: &mut [Vec<Term>],
        houdini: &mut Houdini,
    ) -> Result<bool, Unknown> {
        let asked = houdini.checks;
        let Map { automaton, solvers, .. } = &mut self.instance.map;
        let kept = houdini.keep_inductive(&mut self.arena, automaton, solvers, &[], candidates, self.budget);
        self.statistics.relative_checks += houdini.checks - asked;
        kept
    }

    /// Locations that can have candidates.
    fn has_candidates(&self, location: LocationId) -> bool {
        location != self.instance.map.automaton.entry && !self.instance.map.automaton.is_sink(location)
    }
}

impl Transitions for Vec<Option<EdgeSolver>> {
    fn transition(&mut self, _: &mut Arena, edge: EdgeId) -> Result<Option<&mut Transition>, Unknown> {
        Ok(self[edge.index()].as_mut().map(|solver| &mut solver.transition))
    }
}
