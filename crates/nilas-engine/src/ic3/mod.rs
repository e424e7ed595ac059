//! IC3/PDR over one symbolic transition system (Bradley, VMCAI 2011; Eén, Mishchenko, Brayton, FMCAD 2011;
//! over SMT as in §2 and §3 of "Software model checking via IC3", Cimatti and Griggio, CAV 2012).
//!
//! [`ic3_system`] takes any [`TransitionSystem`]; [`ic3`] gives it an automaton whose program counter is
//! encoded in Booleans (§6.1). One solver knows the frames ([`solver`]); a second one lifts, a third one
//! knows the initial states. The outer loop is [`Ic3::prove`], obligations are worked off in [`block`], their
//! cubes come from [`preimage`], lemmas from [`generalise`].
//!
//! Kept at all times, and asked of fresh solvers after every level with [`Settings::check_frames`]:
//! - frames are monotone and consecutive, and no lemma excludes an initial state;
//! - every state of an obligation leads to a bad state by the steps recorded, so that one initial state among
//!   them is a counterexample at any level.
//!
//! The lemmas of automata may or may not speak about the program counter: dropping such a literal generalises
//! over locations.
//!
//! Deviations from the papers: approximate preimages are implicants whose inputs are projected by the model
//! and that are then lifted, for every theory; literals that cannot be dropped may be weakened.

mod automaton;
mod block;
mod consistency;
mod frame;
mod generalise;
mod implicant;
mod initial;
mod obligation;
mod preimage;
mod propagate;
mod solver;
mod solvers;
mod statistics;
mod trace;

pub use automaton::ic3;

use crate::level::Level;
use crate::lift::Lifter;
use crate::observer::{Counters, Observer, Progress, Work};
use crate::outcome::Unknown;
use crate::phase::add_solver;
use frame::Frames;
use initial::Initial;
use nilas_evidence::SystemTrace;
use nilas_program::{ProgramCounter, TransitionSystem};
use nilas_smt::weaken::Weakener;
use nilas_smt::{Budget, SatCore};
use nilas_term::{Arena, Cube, Substitution, Term};
use rustc_hash::FxHashSet;
use solver::FrameSolver;
use solvers::Solvers;
use statistics::Statistics;

/// What can be set.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// After every level, check what frames promise with solvers of their own. Slow: for finding bugs.
    pub check_frames: bool,
    /// Give up beyond this frontier, if set.
    pub max_level: Option<u32>,
    /// The SAT core of the embedded solvers.
    pub core: SatCore,
}

/// What is known of a transition system in the end.
#[derive(Clone, Debug)]
pub enum SystemOutcome {
    /// No bad state is reachable.
    Safe {
        /// Holds initially, is kept by every step and excludes the bad states.
        invariant: Term,
        /// Owner of the invariant: the system's arena, grown.
        arena: Arena,
    },
    /// A bad state is reachable.
    Unsafe(SystemTrace),
    /// Nothing was shown.
    Unknown(Unknown),
}

/// What a search came to.
enum Found {
    /// The frame above this level is inductive.
    Fixpoint(Level),
    Trace(SystemTrace),
}

/// The state of a run.
struct Ic3<'a> {
    arena: Arena,
    system: &'a TransitionSystem,
    /// The bad states that are looked for.
    bad: Term,
    /// Where the system is an automaton.
    counter: Option<&'a ProgramCounter>,
    settings: Settings,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    solvers: Solvers,
    /// From current variables to what they hold after a step.
    step: Substitution,
    /// The current variables.
    variables: Vec<Term>,
    choices: Vec<Term>,
    is_choice: FxHashSet<Term>,
    frames: Frames,
    solver: FrameSolver,
    lifter: Lifter,
    initial: Initial,
    weakener: Weakener,
    /// The frontier.
    level: Level,
    /// Whether the last question about relative inductiveness was given up.
    too_hard: bool,
    statistics: Statistics,
}

/// Runs IC3 on a transition system, whose terms belong to the arena.
pub fn ic3_system(
    arena: &Arena,
    system: &TransitionSystem,
    settings: Settings,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> (SystemOutcome, Counters) {
    let engine = Ic3::new(arena.clone(), system, None, settings, budget, observer);
    let mut engine = match engine {
        Ok(engine) => engine,
        Err(unknown) => return (SystemOutcome::Unknown(unknown), Counters::new()),
    };
    let found = engine.prove();
    let counters = engine.counters();
    let outcome = match found {
        Ok(Found::Fixpoint(level)) => {
            let invariant = engine.invariant(level);
            SystemOutcome::Safe { invariant, arena: engine.arena }
        }
        Ok(Found::Trace(trace)) => SystemOutcome::Unsafe(trace),
        Err(unknown) => SystemOutcome::Unknown(unknown),
    };
    (outcome, counters)
}

impl<'a> Ic3<'a> {
    fn new(
        arena: Arena,
        system: &'a TransitionSystem,
        counter: Option<&'a ProgramCounter>,
        settings: Settings,
        budget: &'a Budget,
        observer: &'a mut dyn Observer,
    ) -> Result<Self, Unknown> {
        let solvers = Solvers::for_system(&arena, system, settings.core)?;
        let choices = system.choices();
        let weakener = generalise::weakener(&arena, system);
        Ok(Ic3 {
            bad: system.bad,
            counter,
            settings,
            budget,
            step: system.step(),
            variables: system.variables.iter().map(|variable| variable.current).collect(),
            is_choice: choices.iter().copied().collect(),
            choices,
            frames: Frames::default(),
            solver: FrameSolver::new(&arena, system, observer.solver(solvers.make())),
            lifter: Lifter::new(observer.solver(solvers.make())),
            initial: Initial::new(&arena, system.initial, observer.solver(solvers.make())),
            weakener,
            level: Level(0),
            too_hard: false,
            statistics: Statistics::default(),
            solvers,
            observer,
            arena,
            system,
        })
    }

    /// Strengthen, extend, propagate, until a frame equals the next one or a trace is found. After a trace it
    /// may be called again, with fewer states in `bad`: what is known of frames stays true.
    fn prove(&mut self) -> Result<Found, Unknown> {
        loop {
            if let Some(trace) = self.strengthen()? {
                return Ok(Found::Trace(trace));
            }
            if self.settings.check_frames {
                self.check_frames()?;
            }
            self.level = self.level.next();
            self.observer.event(&|| format!("frontier {}", self.level));
            self.level.within(self.settings.max_level)?;
            self.propagate()?;
            if let Some(level) = self.fixpoint() {
                return Ok(Found::Fixpoint(level));
            }
        }
    }

    /// A level from 1 to the last frontier whose frame equals the next one.
    fn fixpoint(&self) -> Option<Level> {
        (1..self.level.0).map(Level).find(|&level| self.frames.is_delta_empty(level))
    }

    /// The frame above a fixpoint.
    fn invariant(&mut self, fixpoint: Level) -> Term {
        let clauses: Vec<Term> = self.frames.frame(fixpoint.next()).map(|lemma| lemma.clause).collect();
        self.arena.and(&clauses)
    }

    /// The literals of a cube after a step as conditions before it.
    fn preconditions(&mut self, cube: &Cube) -> Vec<Term> {
        cube.iter().map(|literal| self.step.apply(&mut self.arena, literal)).collect()
    }

    /// Tells of work at the location that the cube is at, if it is at one.
    fn tell(&mut self, cube: &Cube, work: Work) {
        if let Some(location) = self.counter.and_then(|counter| counter.location(&mut self.arena, cube)) {
            self.observer.work(location, work);
        }
    }

    fn report(&mut self, obligations: usize) {
        let progress = Progress {
            engine: "ic3",
            frame: u64::from(self.level.0),
            lemmas: self.frames.len() as u64,
            obligations: obligations as u64,
            checks: self.statistics.relative_checks,
            ..Progress::default()
        };
        self.observer.progress(&progress);
    }

    fn counters(&self) -> Counters {
        let mut counters: Counters = [
            ("frames", u64::from(self.level.0)),
            ("lemmas in force", self.frames.len() as u64),
            ("state variables", self.variables.len() as u64),
            ("terms", self.arena.len() as u64),
        ]
        .into_iter()
        .collect();
        self.statistics.counters(&mut counters);
        for stats in [self.solver.stats(), self.lifter.stats(), self.initial.stats()] {
            add_solver(&mut counters, stats);
        }
        counters
    }
}
