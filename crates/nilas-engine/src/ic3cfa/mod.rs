//! IC3CFA: IC3 on control-flow automata (Lange, Neuhäußer, Noll, FMCAD 2015; the generalisation thesis).
//!
//! Frames are local to locations, relative inductiveness to edges. The outer loop is Alg. 1 of the paper
//! (4.2.1 of the thesis), [`strengthen`] Alg. 2 and 3 (4.2.2), [`generalise`] Alg. 4.3.1–4.3.3, [`propagate`]
//! the triggered pushing of §V.
//!
//! Deviations from the printed algorithms, and why:
//! - A cube is blocked only after *all* incoming edges were shown unsatisfiable; the printed inner loop
//!   blocks edge by edge, which loses states that come over another edge.
//! - The entry has no incoming edge and no lemma, so an obligation there is a counterexample at any level.
//! - Frames below a location's distance from the entry are *false* (5.1). Together with delta encoding this
//!   means that an empty delta at level `i` is a fixpoint only if `i` is at least every location's distance.
//! - Predecessors are cubes along the one path that a model picks, not all of `split` at once (5.2, lazily).

mod abstraction;
mod candidates;
mod conjecture;
mod context;
mod counterexample;
mod ctg;
mod edge;
mod frame;
mod generalise;
mod guidance;
mod infinity;
mod interpolate;
mod invariants;
use crate::level;
use crate::relevant::Relevant;
use crate::sinks::Sinks;
mod necessary;
mod obligation;
mod predict;

mod propagate;
mod relative;
mod statistics;
mod strengthen;
mod sums;
mod technique;
#[cfg(test)]
mod thesis;
mod weaken;

use crate::observer::{Counters, Observer, Progress};
use crate::outcome::{Outcome, Proof, Unknown, invariant};
use crate::phase::add_solver;
use edge::EdgeSolver;
use frame::Frames;
use level::Level;
use nilas_evidence::Invariant;
use nilas_program::{Automaton, EdgeId, Graph, LiveVariables, LocationId, Program};
use nilas_smt::weaken::Weakener;
use nilas_smt::{Budget, SatCore};
use nilas_term::{Arena, Term};
use rustc_hash::FxHashMap;
use statistics::Statistics;
use std::collections::BTreeMap;
pub use technique::{Technique, Techniques};

/// What can be set.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// After every level, check that frames are monotone and edge-consecutive, with solvers of their own.
    /// Slow: for finding bugs.
    pub check_frames: bool,
    /// Give up beyond this frontier, if set.
    pub max_level: Option<u32>,
    /// The SAT core of the edges' solvers.
    pub core: SatCore,
    /// What is switched on.
    pub techniques: Techniques,
}

/// How many lemmas of a location are told at the end.
const TOLD: usize = 32;

/// The state of a run.
struct Ic3Cfa<'a> {
    automaton: &'a Automaton,
    arena: Arena,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    settings: Settings,
    frames: Frames,
    /// Solvers of the edges that matter.
    solvers: Vec<Option<EdgeSolver>>,
    incoming: Vec<Vec<EdgeId>>,
    outgoing: Vec<Vec<EdgeId>>,
    sinks: Sinks,
    /// The frontier.
    level: Level,
    statistics: Statistics,
    weakener: Weakener,
    /// Lemmas that do not come from an execution towards a sink may speak about these only.
    live: LiveVariables,
    /// How often a literal stood in a lemma that was pushed.
    good: FxHashMap<(LocationId, Term), u32>,
    /// How often the obligation at hand was blocked before.
    activity: u32,
    /// Whether the last question about relative inductiveness was given up.
    too_hard: bool,
    guidance: guidance::Guidance,
    sums: sums::Sums,
    /// To be tried next.
    conjectures: Vec<conjecture::Conjecture>,
    predicates: abstraction::Predicates,
    candidates: candidates::Candidates,
}

/// Runs IC3CFA on an automaton.
pub fn ic3cfa(
    program: &Program,
    settings: Settings,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> (Outcome, Counters) {
    let mut engine = Ic3Cfa::new(program, settings, budget, observer);
    let outcome = engine.prove().unwrap_or_else(Outcome::Unknown);
    engine.tell_lemmas();
    let counters = engine.counters();
    (outcome, counters)
}

impl<'a> Ic3Cfa<'a> {
    fn new(
        program: &'a Program,
        settings: Settings,
        budget: &'a Budget,
        observer: &'a mut dyn Observer,
    ) -> Self {
        let automaton = &program.automaton;
        let mut arena = program.arena.clone();
        let relevant = Relevant::new(automaton);
        let distance = Graph::new(automaton).distances(automaton.entry);
        let level = |location: LocationId| {
            let distance = distance[location.index()].filter(|_| relevant.contains(location));
            // Without a way of no edges, a location other than the entry is at least one edge away.
            let longest = if settings.techniques.contains(Technique::PathLength) { u32::MAX } else { 1 };
            distance.map(|distance| Level(distance.min(longest)))
        };
        let solvers = relevant.edges(automaton, |edge| {
            let solvers = [(); 2].map(|()| observer.solver(settings.core.solver()));
            EdgeSolver::new(&mut arena, automaton, edge, solvers)
        });
        let frames = Frames::new(
            automaton.location_ids().map(|id| if automaton.is_sink(id) { None } else { level(id) }).collect(),
        );
        let weakener = weaken::weakener(&arena, automaton);
        Ic3Cfa {
            automaton,
            arena,
            budget,
            observer,
            settings,
            frames,
            solvers,
            sinks: Sinks::new(automaton, &relevant),
            incoming: relevant.incoming,
            outgoing: relevant.outgoing,
            level: Level(1),
            statistics: Statistics::default(),
            weakener,
            live: LiveVariables::new(program),
            good: FxHashMap::default(),
            activity: 0,
            too_hard: false,
            guidance: guidance::Guidance::default(),
            sums: sums::Sums::default(),
            conjectures: Vec::new(),
            candidates: candidates::Candidates::new(),
            predicates: abstraction::Predicates::new(automaton.locations.len()),
        }
    }

    /// Alg. 1 (4.2.1): strengthen, extend, propagate, until a frame equals the next one.
    fn prove(&mut self) -> Result<Outcome, Unknown> {
        loop {
            self.add_candidates()?;
            while let Some((sink, execution)) = self.strengthen()? {
                if let Some(outcome) = self.sinks.reached(self.automaton, sink, execution) {
                    return Ok(outcome);
                }
            }
            if self.settings.check_frames {
                self.check_frames()?;
            }
            let mut fixpoint = self.fixpoint();
            if fixpoint.is_none() {
                self.level = self.level.next();
                self.observer.event(&|| format!("frontier {}", self.level));
                self.level.within(self.settings.max_level)?;
                self.propagate()?;
                fixpoint = self.fixpoint();
            }
            if let Some(level) = fixpoint {
                self.sinks.none_was_reached(self.automaton)?;
                return Ok(Outcome::Safe(Proof::Invariant(self.invariant(level)?)));
            }
        }
    }

    /// A level whose frame equals the next one at every location, if there is one up to the frontier.
    fn fixpoint(&self) -> Option<Level> {
        let first = self.frames.horizon().max(Level(1));
        (first.0..=self.level.0)
            .map(Level)
            .find(|&level| level < self.level && self.frames.is_delta_empty(level))
    }

    /// The frame above a fixpoint, as evidence.
    fn invariant(&mut self, fixpoint: Level) -> Result<Invariant, Unknown> {
        let locations = self.automaton.location_ids().filter(|&location| !self.automaton.is_sink(location));
        let mut formulas = Vec::new();
        for location in locations {
            let clauses: Vec<Term> =
                self.frames.frame(fixpoint.next(), location).map(|lemma| lemma.clause).collect();
            formulas.push((location, self.arena.and(&clauses)));
        }
        invariant(&self.arena, formulas)
    }

    /// Asks an edge's solver. Edges outside of what matters have none and are never asked.
    fn solver(&mut self, edge: EdgeId) -> Result<(&mut EdgeSolver, &mut Arena), Unknown> {
        match &mut self.solvers[edge.index()] {
            Some(solver) => Ok((solver, &mut self.arena)),
            None => Err(Unknown::Internal(format!("{edge:?} was asked about, but cannot matter"))),
        }
    }

    /// Adds a lemma at a location to the solvers of its outgoing edges.
    fn tell_solvers(&mut self, location: LocationId, level: Level, clause: Term) {
        for edge in &self.outgoing[location.index()] {
            if let Some(solver) = &mut self.solvers[edge.index()] {
                solver.add_lemma(&self.arena, level, clause);
            }
        }
    }

    /// Tells the observer of the lemmas that were learnt last.
    fn tell_lemmas(&mut self) {
        for location in self.automaton.location_ids() {
            let lemmas = self.frames.lemmas(location);
            let last = &lemmas[lemmas.len().saturating_sub(TOLD)..];
            let clauses: Vec<Term> = last.iter().map(|lemma| lemma.clause).collect();
            if !clauses.is_empty() {
                self.observer.lemmas(location, &self.arena, &clauses);
            }
        }
    }

    fn report(&mut self, obligations: usize) {
        let progress = Progress {
            engine: "ic3cfa",
            frame: u64::from(self.level.0),
            lemmas: self.frames.len() as u64,
            obligations: obligations as u64,
            checks: self.statistics.relative_checks,
            ..Progress::default()
        };
        self.observer.progress(&progress);
    }

    fn counters(&self) -> Counters {
        let mut counters: Counters = BTreeMap::from([
            ("frames", u64::from(self.level.0)),
            ("lemmas in force", self.frames.len() as u64),
            ("lemmas at the location with most", self.frames.most() as u64),
            ("locations with lemmas", self.frames.locations() as u64),
            ("lemmas at infinity", self.frames.at(Level::INFINITE) as u64),
            ("terms", self.arena.len() as u64),
        ]);
        self.statistics.counters(&mut counters);
        for stats in self.solvers.iter().flatten().flat_map(EdgeSolver::stats) {
            add_solver(&mut counters, stats);
        }
        counters
    }
}
