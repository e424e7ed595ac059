//! IC3/PDR, once: frames, obligations, relative inductiveness, dropping, pushing (Bradley, VMCAI 2011; Eén,
//! Mishchenko, Brayton, FMCAD 2011). `ic3`, `ic3cfa`, `ic3ia`, `euf`, `icp-ic3`
//! and `summaries` are instances.
//!
//! # The search
//!
//! A *lemma* is the negation of a cube; it lives at a *place* and holds up to a *level*. The frame
//! `F(i, p)` is the conjunction of the lemmas of place `p` that hold at level `i`; it contains every state
//! that is reachable at `p` in at most `i` steps. Places are joined by *ways*, over which one step leads from
//! one place to another. An *obligation* is a cube at a place that is to be shown unreachable up to a level,
//! because it leads on to a target. [`Pdr::prove`] is the outer loop, [`block`] works obligations off,
//! [`relative`] asks whether one can be reached, [`generalise`], [`weaken`] and [`ctg`] make lemmas of those
//! that cannot, [`propagate`] pushes lemmas up.
//!
//! # What an instance provides
//!
//! [`Instance`] has a section for each of these; what has a default may be left alone.
//! - **Where lemmas live.** Its places: the locations of an automaton, the locations of every procedure, or
//!   [`Whole`], the one place of a transition system. For each place the ways into it, and how many steps it
//!   is away from the beginning (frames below that are *false*). [`Map`] is that for the locations of an
//!   automaton, [`Local`] what such instances share of the way to an outcome.
//! - **Questions.** Whether a cube can be reached over one way from the frame below, and why not. How a cube
//!   behind a step is asked about before it is the instance's affair: by substitution, with next-state
//!   variables, over predicates, in another theory. [`FrameSolver`] does what all that use an SMT solver have
//!   in common, [`Pdr::question`] what all that ask about relative inductiveness do.
//! - **Preimages.** From the model that a question left behind, the obligations before the step: states that
//!   lead into the cube, as many as it can be shown of ([`lift`](crate::lift) drops what a step does not
//!   need). There may be several that are all needed (before a call, and inside of it).
//! - **Beginnings.** Which cubes have states where executions begin. Where that is a place of its own no
//!   question is needed; where it is not, lemmas must be kept from excluding such states.
//! - **Targets**, and for each the obligation that leads there from the frontier. A target may be several
//!   steps away: the levels of obligations are the instance's to choose.
//! - **Ends.** What it means that an obligation has got to the beginning: see [`Reached`].
//! - **Techniques.** Hooks before and after most things that happen, each of which does nothing by default.
//!
//! # What an instance must keep
//!
//! 1. A cube is said to be blocked over a way only if no state of `F(below, source)`, and over a way from a
//!    place to itself none outside of the cube either, leads into it over that way. What is given back is a
//!    cube `g` that the one asked about implies, and which is blocked in that sense, too: usually a part of
//!    it, but literals may be weaker ones than those asked about.
//! 2. Lemmas are never taken back, and neither is any step added to the relation: it may lose steps (by
//!    lemmas of a refinement), and then [`Reached::Refined`] says so. So frames stay what they are.
//! 3. No lemma excludes a state in which executions begin: [`Instance::excludes_initial`] and
//!    [`Instance::without_initial`] tell.
//! 4. A [`Kind::Real`] obligation is real: each of its states leads into the next one's by its trail, and the
//!    last one's to the target. Others may be anything; they cost time, and never a verdict.
//! 5. Obligations before a step are of a lower level than the one that they lead to, or of the same level and
//!    only finitely many of them.
//! 6. A step is a level. Where it is none ([`Instance::below`]), no cycle consists of such ways alone.
//!
//! # What an instance may rely on
//!
//! 1. Frames are monotone, and consecutive over every way: `F(i, p)` and one step over a way from `p` to `q`
//!    imply `F(i + 1, q)`, and over a way that is no level `F(i, q)`. Up to the frontier they exclude what leads to a target. (With
//!    [`Settings::check_frames`] the instance is asked to see for itself after every level.)
//! 2. A cube is blocked only after *all* ways into its place were asked about. The union of what they gave
//!    back is blocked over all of them without another question; the proof is at [`Pdr::reachable`].
//! 3. Between a question with [`Purpose::Model`] that was answered by a way, and the call of
//!    [`Instance::preimages`] for that way, nothing else is asked. The same holds for [`Instance::witness`]
//!    after [`Purpose::Push`], unless the question was too hard, and for [`Instance::reached`] after
//!    [`Instance::is_initial`].
//! 4. Every obligation is asked for its beginning once, before anything else is asked about it, and again
//!    when one that leads to it was settled.
//! 5. [`Instance::assert_lemma`] is called for each lemma and each level that it is raised to.
//! 6. Counters, progress, and the budget are looked after; every question that one can do without is limited.
//! 7. After a counterexample [`Pdr::prove`] may be called again, with fewer targets.
//!
//! An instance is a value inside of [`Pdr`], and its hooks get the whole: `impl Pdr<'_, MyInstance>` is where
//! its techniques live, with frames, arena and budget at hand.

mod block;
mod ctg;
mod frame;
mod generalise;
mod instance;
mod level;
mod local;
mod map;
mod obligation;
mod place;
mod propagate;
mod relative;
mod solver;
mod statistics;
#[cfg(test)]
mod toy;
mod weaken;

pub(crate) use ctg::Effort;
pub(crate) use instance::{Foresight, Instance, ObligationOf, QueueOf, Reached, SpotOf, State};
pub(crate) use level::Level;
pub(crate) use local::{Local, distances};
pub(crate) use map::Map;
pub(crate) use obligation::{Kind, Obligation, ObligationId};
pub(crate) use place::{Place, Whole};
pub(crate) use relative::Purpose;
pub(crate) use solver::{FrameSolver, Reachability};
pub(crate) use statistics::Statistics;

use crate::engine::Setting;
use crate::observer::{Counters, Observer, Progress, Work};
use crate::outcome::Unknown;
pub(crate) use frame::Frames;
use nilas_smt::Budget;
use nilas_smt::weaken::Weakener;
use nilas_term::{Arena, Cube};

/// The setting that bounds the frames of an instance.
pub(crate) const MAX_LEVEL: Setting = Setting {
    key: "max-level",
    kind: crate::engine::Kind::Number("a number of frames"),
    default: None,
    help: "give up beyond this frame",
};
/// The setting that has an instance look at its frames all the time.
pub(crate) const CHECK: Setting = Setting {
    key: "check",
    kind: crate::engine::Kind::YesNo,
    default: Some("no"),
    help: "check what frames promise after every level, for finding bugs",
};

/// How the search is done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// After every level the instance checks what frames promise, with solvers of its own. Slow: for finding
    /// bugs.
    pub(crate) check_frames: bool,
    /// Give up beyond this frontier, if set.
    pub(crate) max_level: Option<u32>,
    /// The first frontier.
    pub(crate) first: Level,
    /// Of the obligations of a level, those with few literals first.
    pub(crate) by_size: bool,
    /// A blocked obligation is asked again one level up, until it reaches the frontier.
    pub(crate) requeue: bool,
    /// A new lemma is pushed as far as it goes at once.
    pub(crate) push_at_once: bool,
    /// A lemma that is pushed drops those that it subsumes where it comes to. (One that is new always does.)
    pub(crate) subsume_pushed: bool,
}

/// What a search came to.
pub(crate) enum Found<I: Instance> {
    /// The frames above this level are inductive.
    Fixpoint(Level),
    Counterexample(I::Target, I::Counterexample),
}

/// The state of a run.
pub(crate) struct Pdr<'a, I: Instance> {
    pub(crate) instance: I,
    pub(crate) arena: Arena,
    pub(crate) budget: &'a Budget,
    pub(crate) observer: &'a mut dyn Observer,
    pub(crate) settings: Settings,
    pub(crate) frames: Frames<I::Place>,
    /// The frontier.
    pub(crate) level: Level,
    pub(crate) weakener: Weakener,
    pub(crate) statistics: Statistics,
    /// How often the obligation at hand was blocked before.
    pub(crate) activity: u32,
    /// Whether the last question about relative inductiveness was given up.
    pub(crate) too_hard: bool,
}

impl<'a, I: Instance> Pdr<'a, I> {
    /// Before the search. `distance` says for each place how many steps it is away from the beginning, if it
    /// can be reached at all.
    pub(crate) fn new(
        instance: I,
        arena: Arena,
        distance: Vec<Option<Level>>,
        weakener: Weakener,
        settings: Settings,
        budget: &'a Budget,
        observer: &'a mut dyn Observer,
    ) -> Self {
        Pdr {
            instance,
            arena,
            budget,
            observer,
            settings,
            frames: Frames::new(distance),
            level: settings.first,
            weakener,
            statistics: Statistics::default(),
            activity: 0,
            too_hard: false,
        }
    }

    /// Strengthen, extend, propagate, until a frame equals the next one or a target is reached.
    pub(crate) fn prove(&mut self) -> Result<Found<I>, Unknown> {
        loop {
            if let Some(found) = self.strengthen()? {
                return Ok(found);
            }
            if self.settings.check_frames {
                I::check_frames(self)?;
            }
            if let Some(level) = self.fixpoint() {
                return Ok(Found::Fixpoint(level));
            }
            self.level = self.level.next();
            self.observer.event(&|| format!("frontier {}", self.level));
            self.level.within(self.settings.max_level)?;
            self.propagate()?;
            if let Some(level) = self.fixpoint() {
                return Ok(Found::Fixpoint(level));
            }
            I::extended(self)?;
        }
    }

    /// A level below the frontier whose frame equals the next one at every place. Below some place's distance
    /// that would mean nothing, since frames are *false* there.
    fn fixpoint(&self) -> Option<Level> {
        let first = self.frames.horizon().max(Level(1));
        (first.0..self.level.0).map(Level).find(|&level| self.frames.is_delta_empty(level))
    }

    /// An error if there is no time left.
    pub(crate) fn in_time(&self) -> Result<(), Unknown> {
        self.budget.exhausted().map_or(Ok(()), |why| Err(Unknown::Interrupted(why)))
    }

    /// Tells of work about a cube at a place.
    fn tell(&mut self, place: I::Place, cube: &Cube, work: Work) {
        if let Some(location) = I::location(self, place, cube) {
            self.observer.work(location, work);
        }
    }

    fn report(&mut self, obligations: usize) {
        let progress = Progress {
            engine: I::NAME,
            frame: u64::from(self.level.0),
            lemmas: self.frames.len() as u64,
            obligations: obligations as u64,
            checks: self.statistics.relative_checks,
            ..Progress::default()
        };
        self.observer.progress(&progress);
    }

    /// The counters that all instances have.
    pub(crate) fn common_counters(&self) -> Counters {
        let mut counters = Counters::from([
            ("frames", u64::from(self.level.0)),
            ("lemmas in force", self.frames.len() as u64),
            ("terms", self.arena.len() as u64),
        ]);
        self.statistics.counters(&mut counters);
        counters
    }
}
