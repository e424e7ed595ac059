//! Blocking everything that leads to a target: the main loop of PDR; Alg. 2 and 3 of the IC3CFA paper (4.2.2
//! of the thesis).

use super::frame::Lemma;
use super::instance::{Foresight, Instance, ObligationOf, QueueOf, Reached};
use super::level::Level;
use super::obligation::{ObligationId, Queue};
use super::relative::Purpose;
use super::{Found, Pdr};
use crate::observer::Work;
use crate::outcome::Unknown;
use crate::phase::Phase;
use nilas_term::Cube;
use std::time::Instant;

/// What came of an obligation at the frontier.
enum Blocking<C> {
    /// Nothing is left to be done, or it is not known what: the target is looked at again.
    Over,
    Counterexample(C),
}

impl<I: Instance> Pdr<'_, I> {
    /// Alg. 2: while states of the frontier lead to a target, blocks them. Returns a counterexample if they
    /// can be reached.
    pub(super) fn strengthen(&mut self) -> Result<Option<Found<I>>, Unknown> {
        for target in self.instance.targets() {
            loop {
                self.in_time()?;
                let Some(first) = I::leading_to(self, target)? else { break };
                self.note_obligation(&first);
                if let Blocking::Counterexample(found) = self.backward_block(first)? {
                    return Ok(Some(Found::Counterexample(target, found)));
                }
            }
        }
        Ok(None)
    }

    /// Alg. 3: works off the obligation and all that come from it, lowest level first.
    fn backward_block(&mut self, first: ObligationOf<I>) -> Result<Blocking<I::Counterexample>, Unknown> {
        let mut queue = Queue::new(self.settings.by_size);
        queue.push(first);
        while let Some(id) = queue.pop() {
            self.report(queue.len());
            self.in_time()?;
            if !I::goes_on(self)? {
                return Ok(Blocking::Over);
            }
            if !queue.was_away(id) && I::is_initial(self, queue.get(id))? {
                match I::reached(self, &mut queue, id)? {
                    Reached::Counterexample(found) => return Ok(Blocking::Counterexample(found)),
                    Reached::Settled => {
                        queue.settle(id);
                        continue;
                    }
                    Reached::Refined { relation } => {
                        self.statistics.refinements += 1;
                        if relation {
                            self.frames.forget_witnesses();
                        }
                        return Ok(Blocking::Over);
                    }
                }
            }
            let obligation = queue.get(id);
            let (level, place, activity) = (obligation.level, obligation.place, obligation.activity);
            let cube = obligation.cube.clone();
            // The syntactic test first: a lemma may have come since.
            if let Some(blocked) = self.frames.blocks(level, place, &cube) {
                self.requeue(&mut queue, id, blocked);
                continue;
            }
            if I::foresee(self, &mut queue, id)? != Foresight::Ask {
                continue;
            }
            let start = Instant::now();
            let reachable = self.reachable(level, place, &cube, Purpose::Model)?;
            self.statistics.times.spent(Phase::Block, start);
            match reachable {
                Err(way) => {
                    for before in self.predecessors(level, way, &cube, Some(id))? {
                        queue.push(before);
                    }
                    queue.put_back(id, level);
                }
                Ok(core) => {
                    self.activity = activity;
                    let (level, generalised) = self.generalise(level, place, &cube, &core)?;
                    let blocked = self.block(level, place, generalised)?;
                    queue.bump(id);
                    self.requeue(&mut queue, id, blocked);
                    I::blocked(self, &mut queue, id)?;
                }
            }
        }
        Ok(Blocking::Over)
    }

    /// An obligation that is blocked up to a level is asked again above it: it leads to the target from
    /// there, too.
    fn requeue(&mut self, queue: &mut QueueOf<I>, id: ObligationId, blocked: Level) {
        if blocked < self.level && self.settings.requeue && queue.conjecture(id).is_none() {
            self.statistics.requeued += 1;
            queue.put_back(id, blocked.next());
        }
    }

    /// The obligations one step back, from the model that the way's solver has. `level` is the level of
    /// `cube`.
    pub(super) fn predecessors(
        &mut self,
        level: Level,
        way: I::Way,
        cube: &Cube,
        next: Option<ObligationId>,
    ) -> Result<Vec<ObligationOf<I>>, Unknown> {
        let before = I::preimages(self, level, way, cube, next)?;
        for obligation in &before {
            self.note_obligation(obligation);
        }
        Ok(before)
    }

    fn note_obligation(&mut self, obligation: &ObligationOf<I>) {
        self.statistics.obligations += 1;
        self.tell(obligation.place, &obligation.cube, Work::Obligation);
    }

    /// Adds the negation of a cube to the frames of a place up to `level`, or as far as it goes. Returns the
    /// level at which it is now.
    pub(crate) fn block(&mut self, level: Level, place: I::Place, cube: Cube) -> Result<Level, Unknown> {
        self.statistics.lemmas += 1;
        self.tell(place, &cube, Work::Lemma);
        let mut level = level;
        if self.settings.push_at_once {
            let start = Instant::now();
            while level < self.level && self.reachable(level.next(), place, &cube, Purpose::Truth)?.is_ok() {
                self.statistics.pushed_at_once += 1;
                level = level.next();
            }
            self.statistics.times.spent(Phase::Propagate, start);
        }
        I::learnt(self, level, place, &cube);
        self.add_lemma(level, place, cube);
        Ok(level)
    }

    /// Adds a lemma that was shown to hold at that level.
    pub(crate) fn add_lemma(&mut self, level: Level, place: I::Place, cube: Cube) {
        let clause = cube.negation(&mut self.arena);
        self.observer.event(&|| {
            let clause = nilas_term::smtlib::print_term(&self.arena, clause);
            format!("lemma{}, level {level}: {clause}", self.instance.at(place))
        });
        I::assert_lemma(self, place, level, clause);
        self.frames.add(place, Lemma { cube, clause, level, witness: None });
    }
}
