//! Blocking everything that leads to a bad state (the main loop of PDR, §2).

use super::Ic3;
use super::frame::Lemma;
use super::obligation::{Obligation, Queue};
use crate::level::Level;
use crate::obligation::ObligationId;
use crate::observer::Work;
use crate::outcome::Unknown;
use crate::phase::Phase;
use nilas_evidence::SystemTrace;
use nilas_smt::{Interrupt, Reason};
use nilas_term::Cube;
use std::time::Instant;

/// What the one who asks needs to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Where the cube is reachable the solver must have a model.
    Model,
    /// Yes or no, and no if it is too hard to tell: whoever asks can do without. If it was not too hard
    /// ([`Ic3::too_hard`]), the solver has a model.
    Truth,
}

/// Conflicts that a question may take whose answer one can do without.
const CONFLICTS: u64 = 2_000;

impl Ic3<'_> {
    /// While the frontier has bad states, blocks them. Returns a trace if they can be reached.
    pub(super) fn strengthen(&mut self) -> Result<Option<SystemTrace>, Unknown> {
        loop {
            if let Some(why) = self.budget.exhausted() {
                return Err(Unknown::Interrupted(why));
            }
            let start = Instant::now();
            self.statistics.relative_checks += 1;
            let bad = self.solver.meets(&self.arena, self.level, self.bad, self.budget)?;
            self.statistics.times.spent(Phase::Block, start);
            if !bad {
                return Ok(None);
            }
            let (cube, choices) = self.preimage(&[self.bad])?;
            let first = Obligation { level: self.level, cube, choices, next: None };
            if let Some(trace) = self.backward_block(first)? {
                return Ok(Some(trace));
            }
        }
    }

    /// Works off the obligation and all that come from it, lowest level first.
    fn backward_block(&mut self, first: Obligation) -> Result<Option<SystemTrace>, Unknown> {
        let mut queue = Queue::new(true);
        if let Some(trace) = self.add_obligation(&mut queue, first)? {
            return Ok(Some(trace));
        }
        while let Some(id) = queue.pop() {
            self.report(queue.len());
            if let Some(why) = self.budget.exhausted() {
                return Err(Unknown::Interrupted(why));
            }
            let Obligation { level, cube, .. } = queue.get(id).clone();
            // The syntactic test first: a lemma may have come since.
            if let Some(blocked) = self.frames.blocks(level, &cube) {
                self.requeue(&mut queue, id, blocked);
                continue;
            }
            let start = Instant::now();
            let unreachable = self.relative_inductive(level, &cube, Purpose::Model)?;
            self.statistics.times.spent(Phase::Block, start);
            match unreachable {
                None => {
                    let mut goals = self.preconditions(&cube);
                    goals.push(self.system.constraint);
                    let (before, choices) = self.preimage(&goals)?;
                    let level_below = level.previous().unwrap_or(Level(0));
                    let before = Obligation { level: level_below, cube: before, choices, next: Some(id) };
                    if let Some(trace) = self.add_obligation(&mut queue, before)? {
                        return Ok(Some(trace));
                    }
                    queue.put_back(id, level);
                }
                Some(core) => {
                    let generalised = self.generalise(level, &cube, &core)?;
                    let blocked = self.add_lemma_from(level, generalised)?;
                    self.requeue(&mut queue, id, blocked);
                }
            }
        }
        Ok(None)
    }

    /// Queues an obligation; a trace if some of its states are initial.
    fn add_obligation(
        &mut self,
        queue: &mut Queue,
        obligation: Obligation,
    ) -> Result<Option<SystemTrace>, Unknown> {
        self.statistics.obligations += 1;
        self.tell(&obligation.cube, Work::Obligation);
        let reached = self.initial.excludes(&mut self.arena, &obligation.cube, self.budget)?.is_none();
        let id = queue.push(obligation);
        if reached { self.trace(queue, id).map(Some) } else { Ok(None) }
    }

    /// An obligation that is blocked up to a level is asked again above it: it leads to bad states from
    /// there, too.
    fn requeue(&mut self, queue: &mut Queue, id: ObligationId, blocked: Level) {
        if blocked < self.level {
            queue.put_back(id, blocked.next());
        }
    }

    /// Relative inductiveness: can the cube, which has no initial states, be reached in a step from the frame
    /// below `level`, outside of itself? If not, a part of it that cannot and has no initial state either.
    ///
    /// The part is found from a core and needs no further check: let `g` be it and `c` the cube.
    /// `F ∧ ¬c ∧ T ∧ g'` has no model, and `¬g` implies `¬c`.
    pub(super) fn relative_inductive(
        &mut self,
        level: Level,
        cube: &Cube,
        purpose: Purpose,
    ) -> Result<Option<Cube>, Unknown> {
        let Some(below) = level.previous() else {
            return Err(Unknown::Internal("an obligation at level 0 without an initial state".into()));
        };
        let preconditions = self.preconditions(cube);
        self.statistics.relative_checks += 1;
        let mut budget = self.budget.clone();
        if purpose == Purpose::Truth {
            budget.conflicts = Some(CONFLICTS);
        }
        let answer = self.solver.unreachable(&mut self.arena, below, cube, cube, &preconditions, &budget);
        self.too_hard = answer == Err(Reason::Interrupted(Interrupt::Conflicts));
        if self.too_hard && purpose == Purpose::Truth {
            self.statistics.too_hard += 1;
            return Ok(None);
        }
        let Some(core) = answer? else { return Ok(None) };
        self.without_initial(&core, cube).map(Some)
    }

    /// A part of the cube with all of `part` that has no initial state, given that the cube has none.
    fn without_initial(&mut self, part: &Cube, cube: &Cube) -> Result<Cube, Unknown> {
        if self.initial.excludes(&mut self.arena, part, self.budget)?.is_some() {
            return Ok(part.clone());
        }
        match self.initial.excludes(&mut self.arena, cube, self.budget)? {
            Some(needed) => Ok(part.union(&needed)),
            None => Err(Unknown::Internal("a cube with initial states was to be blocked".into())),
        }
    }

    /// Adds the negation of a cube to the frames up to `level`, or as far as it goes. Returns the level at
    /// which it is now.
    fn add_lemma_from(&mut self, level: Level, cube: Cube) -> Result<Level, Unknown> {
        let start = Instant::now();
        let mut level = level;
        while level < self.level && self.relative_inductive(level.next(), &cube, Purpose::Truth)?.is_some() {
            level = level.next();
        }
        self.statistics.times.spent(Phase::Propagate, start);
        self.add_lemma(level, cube);
        Ok(level)
    }

    /// Adds a lemma that was shown to hold at that level.
    pub(super) fn add_lemma(&mut self, level: Level, cube: Cube) {
        self.statistics.lemmas += 1;
        self.tell(&cube, Work::Lemma);
        let clause = cube.negation(&mut self.arena);
        self.observer.event(&|| {
            format!("lemma, level {level}: {}", nilas_term::smtlib::print_term(&self.arena, clause))
        });
        self.solver.add_lemma(&self.arena, level, clause);
        self.frames.add(Lemma { cube, clause, level, witness: None });
    }
}
