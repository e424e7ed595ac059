//! Alg. 2 and 3 of the IC3CFA paper (4.2.2 of the thesis): block everything that leads to a sink.

use super::Ic3Cfa;
use super::abstraction::Path;
use super::candidates::OBLIGATIONS;
use super::frame::Lemma;
use super::level::Level;
use super::obligation::{Obligation, ObligationId, Queue};
use super::relative::Purpose;
use super::technique::Technique;
use crate::lift::{values_for, word_literals};
use crate::observer::Work;
use crate::outcome::Unknown;
use crate::phase::Phase;
use nilas_evidence::Execution;
use nilas_program::{EdgeId, LocationId};
use nilas_term::Cube;
use std::time::Instant;

/// Literals with more different subterms than this are replaced by literals on variables.
const LARGEST_LITERAL: usize = 200;

impl Ic3Cfa<'_> {
    /// Alg. 2: while a sink can be reached from a frame of the frontier, block the states from which it can.
    /// Returns an execution if one of them is initial.
    pub(super) fn strengthen(&mut self) -> Result<Option<(LocationId, Execution)>, Unknown> {
        for target in self.sinks.left().to_vec() {
            for edge in self.incoming[target.index()].clone() {
                let location = self.automaton.edge(edge).source;
                while !self.frames.is_empty_at(self.level, location) && self.feasible(edge)? {
                    let obligation = self.predecessor(self.level.next(), edge, &Cube::empty(), None)?;
                    if let Some(execution) = self.backward_block(obligation)? {
                        return Ok(Some((target, execution)));
                    }
                }
            }
        }
        Ok(None)
    }

    fn feasible(&mut self, edge: EdgeId) -> Result<bool, Unknown> {
        self.statistics.relative_checks += 1;
        let (level, budget) = (self.level, self.budget);
        let (solver, arena) = self.solver(edge)?;
        Ok(solver.feasible(arena, level, budget)?)
    }

    /// Alg. 3: works off the obligation and all that come from it, lowest level first.
    fn backward_block(&mut self, first: Obligation) -> Result<Option<Execution>, Unknown> {
        let mut queue = Queue::new(self.settings.techniques.contains(Technique::Ordering));
        queue.push(first);
        while let Some(id) = queue.pop() {
            self.report(queue.len());
            if let Some(why) = self.budget.exhausted() {
                return Err(Unknown::Interrupted(why));
            }
            if self.statistics.obligations.is_multiple_of(OBLIGATIONS) {
                self.add_candidates()?;
            }
            let Obligation { level, location, cube, activity, step, .. } = queue.get(id).clone();
            let is_conjecture = step.is_none();
            if location == self.automaton.entry {
                if let Some(conjecture) = queue.conjecture(id) {
                    queue.give_up(conjecture);
                    continue;
                }
                if Self::is_abstract(&queue, id) {
                    // The queue goes: its obligations were made with fewer predicates.
                    return match self.try_path(&queue, id)? {
                        Path::Feasible(execution) => Ok(Some(execution)),
                        Path::Infeasible => Ok(None),
                    };
                }
                return self.counterexample(&queue, id).map(Some);
            }
            // The syntactic test first: a lemma may have come since.
            if let Some(blocked) = self.frames.blocks(level, location, &cube) {
                self.requeue(&mut queue, id, blocked);
                continue;
            }
            if self.excluded(location, &cube)? {
                continue;
            }
            if self.conjecture_sums(level, location, &cube) {
                // They come first.
                queue.put_back(id, level);
                self.try_conjectures(&mut queue)?;
                continue;
            }
            let start = Instant::now();
            let reachable = self.reachable(level, location, &cube, Purpose::Model)?;
            self.statistics.times.spent(Phase::Block, start);
            match reachable {
                Err(edge) => {
                    let predecessor = self.predecessor(level, edge, &cube, Some(id))?;
                    queue.push(predecessor);
                    queue.put_back(id, level);
                }
                Ok(core) => {
                    self.activity = activity;
                    let generalised = self.generalise(level, location, &cube, &core)?;
                    let blocked = self.block(level, location, generalised)?;
                    queue.bump(id);
                    self.requeue(&mut queue, id, blocked);
                    if is_conjecture {
                        self.sum_is_blocked(location, &cube, false)?;
                    }
                    self.try_conjectures(&mut queue)?;
                }
            }
        }
        Ok(None)
    }

    /// An obligation that is blocked up to a level is asked again above it: it leads to the error from there,
    /// too.
    fn requeue(&mut self, queue: &mut Queue, id: ObligationId, blocked: Level) {
        if blocked < self.level
            && self.settings.techniques.contains(Technique::Requeue)
            && queue.conjecture(id).is_none()
        {
            self.statistics.count(Technique::Requeue, 0);
            queue.put_back(id, blocked.next());
        }
    }

    /// The obligation one edge back, from the model that the edge's solver has. `level` is the level of
    /// `cube`.
    pub(super) fn predecessor(
        &mut self,
        level: Level,
        edge: EdgeId,
        cube: &Cube,
        next: Option<ObligationId>,
    ) -> Result<Obligation, Unknown> {
        self.statistics.obligations += 1;
        let (automaton, techniques, budget) = (self.automaton, self.settings.techniques, self.budget);
        let (mut replaced, mut lifted) = (None, None);
        let location = automaton.edge(edge).source;
        self.observer.work(location, Work::Obligation);
        if self.observer.wants_inputs() {
            let (solver, arena) = self.solver(edge)?;
            let inputs = solver.transition.inputs(arena, automaton, &mut *solver.solver)?;
            self.observer.inputs(inputs);
        }
        let (solver, arena) = self.solver(edge)?;
        // Only a counterexample needs a whole state, and it starts at the entry.
        let state = if location == automaton.entry { solver.state(arena, automaton)? } else { Vec::new() };
        let start = Instant::now();
        let projecting = techniques.contains(Technique::Projection);
        let (step, mut before, projected) = solver.predecessor(arena, automaton, cube, projecting)?;
        if techniques.contains(Technique::WordLiterals)
            && let Some(words) = word_literals(&mut *solver.solver, arena, &before, LARGEST_LITERAL)?
        {
            replaced = Some(before.len() as u64);
            before = words;
        }
        let compound = self.to_concretise(location, &before);
        let (solver, arena) = self.solver(edge)?;
        if let Some(values) = values_for(&mut *solver.solver, arena, &before, &compound)? {
            before = values;
        }
        if techniques.contains(Technique::Lifting)
            && let Some(part) = solver.lift(arena, &step, &before, cube, budget)?
        {
            lifted = Some((before.len() - part.len()) as u64);
            before = part;
        }
        let projected = (projected > 0).then_some(projected);
        for (technique, count) in [
            (Technique::WordLiterals, replaced),
            (Technique::Lifting, lifted),
            (Technique::Projection, projected),
        ] {
            if let Some(count) = count {
                self.statistics.count(technique, count);
            }
        }
        let abstracted = self.abstracted(edge, &before)?;
        let is_abstract = abstracted.is_some();
        let before = abstracted.unwrap_or(before);
        self.statistics.times.spent(Phase::Lift, start);
        let level = level.previous().unwrap_or(Level(0));
        Ok(Obligation {
            level,
            location,
            cube: before,
            step: Some(step),
            next,
            state,
            is_abstract,
            activity: 0,
        })
    }

    /// Adds the negation of the cube to the frames of the location up to `level`, or as far as it goes.
    /// Returns the level at which it is now.
    pub(super) fn block(&mut self, level: Level, location: LocationId, cube: Cube) -> Result<Level, Unknown> {
        self.statistics.lemmas += 1;
        self.observer.work(location, Work::Lemma);
        let mut level = level;
        if self.settings.techniques.contains(Technique::PushAtOnce) {
            let start = Instant::now();
            while level < self.level && self.reachable(level.next(), location, &cube, Purpose::Truth)?.is_ok()
            {
                self.statistics.count(Technique::PushAtOnce, 0);
                level = level.next();
            }
            self.statistics.times.spent(Phase::Propagate, start);
        }
        self.guide(level, location, &cube);
        self.add_lemma(level, location, cube);
        Ok(level)
    }

    /// Adds a lemma that was shown to hold at that level.
    pub(super) fn add_lemma(&mut self, level: Level, location: LocationId, cube: Cube) {
        let clause = cube.negation(&mut self.arena);
        self.observer.event(&|| {
            let place = &self.automaton.location(location).name;
            let clause = nilas_term::smtlib::print_term(&self.arena, clause);
            format!("lemma at {place}, level {level}: {clause}")
        });
        self.tell_solvers(location, level, clause);
        self.frames.add(location, Lemma { cube, clause, level, witness: None });
    }
}
