//! IC3/PDR over one symbolic transition system (Bradley, VMCAI 2011; Eén, Mishchenko, Brayton, FMCAD 2011;
//! over SMT as in §2 and §3 of "Software model checking via IC3", Cimatti and Griggio, CAV 2012).
//!
//! An instance of the IC3 core ([`pdr`](crate::pdr)) with one place. [`ic3_system`] takes any
//! [`TransitionSystem`]; [`ic3`] gives it an automaton whose program counter is encoded in Booleans (§6.1).
//! One solver knows the frames ([`frames`]); a second one lifts, a third one knows the initial states.
//! [`instance`] says to the core what it needs to know; cubes of obligations come from [`preimage`].
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
mod consistency;
mod frames;
mod implicant;
mod initial;
mod instance;
mod preimage;
mod solvers;
mod trace;

pub use automaton::ic3;

use crate::engine::{Context, Engine, Own, Prepared, Setting};
use crate::landmarks::{constants_of, preferring};
use crate::lift::Lifter;
use crate::observer::{Counters, Observer};
use crate::outcome::{Outcome, Unknown};
use crate::pdr::{self, Found, Level, Pdr, Whole};
use crate::phase::add_solver;
use frames::RelationSolver;
use initial::Initial;
use nilas_evidence::SystemTrace;
use nilas_program::{ProgramCounter, TransitionSystem};
use nilas_smt::{Budget, SatCore};
use nilas_term::{Arena, Cube, Substitution, Term};
use rustc_hash::FxHashSet;
use solvers::Solvers;

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

/// What this instance of IC3 knows.
struct System<'a> {
    system: &'a TransitionSystem,
    /// The bad states that are looked for.
    bad: Term,
    /// Where the system is an automaton.
    counter: Option<&'a ProgramCounter>,
    solvers: Solvers,
    /// From current variables to what they hold after a step.
    step: Substitution,
    /// The current variables.
    variables: Vec<Term>,
    choices: Vec<Term>,
    is_choice: FxHashSet<Term>,
    solver: RelationSolver,
    lifter: Lifter,
    initial: Initial,
    /// Literals dropped by lifting.
    lifted: u64,
    /// Inputs set to terms.
    projected: u64,
}

/// The state of a run.
type Ic3<'p, 'i> = Pdr<'p, System<'i>>;

/// Runs IC3 on a transition system, whose terms belong to the arena.
pub fn ic3_system(
    arena: &Arena,
    system: &TransitionSystem,
    settings: Settings,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> (SystemOutcome, Counters) {
    let engine = engine(arena.clone(), system, None, settings, budget, observer);
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
        Ok(Found::Counterexample((), trace)) => SystemOutcome::Unsafe(trace),
        Err(unknown) => SystemOutcome::Unknown(unknown),
    };
    (outcome, counters)
}

/// An engine that has not begun.
fn engine<'a>(
    arena: Arena,
    system: &'a TransitionSystem,
    counter: Option<&'a ProgramCounter>,
    settings: Settings,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
) -> Result<Ic3<'a, 'a>, Unknown> {
    let solvers = Solvers::for_system(&arena, system, settings.core)?;
    let choices = system.choices();
    let mut terms = vec![system.initial, system.constraint, system.bad];
    terms.extend(system.variables.iter().filter_map(|variable| variable.update));
    let weakener = preferring(constants_of(&arena, terms));
    let instance = System {
        bad: system.bad,
        counter,
        step: system.step(),
        variables: system.variables.iter().map(|variable| variable.current).collect(),
        is_choice: choices.iter().copied().collect(),
        choices,
        solver: RelationSolver::new(&arena, system, observer.solver(solvers.make())),
        lifter: Lifter::new(observer.solver(solvers.make())),
        initial: Initial::new(&arena, system.initial, observer.solver(solvers.make())),
        lifted: 0,
        projected: 0,
        solvers,
        system,
    };
    let settings = pdr::Settings {
        check_frames: settings.check_frames,
        max_level: settings.max_level,
        first: Level(0),
        by_size: true,
        requeue: true,
        push_at_once: true,
        subsume_pushed: true,
    };
    Ok(Pdr::new(instance, arena, vec![Some(Level(0))], weakener, settings, budget, observer))
}

impl Ic3<'_, '_> {
    /// The frame above a fixpoint.
    fn invariant(&mut self, fixpoint: Level) -> Term {
        let clauses: Vec<Term> =
            self.frames.frame(fixpoint.next(), Whole).map(|lemma| lemma.clause).collect();
        self.arena.and(&clauses)
    }

    /// The literals of a cube after a step as conditions before it.
    fn preconditions(&mut self, cube: &Cube) -> Vec<Term> {
        let (step, arena) = (&mut self.instance.step, &mut self.arena);
        cube.iter().map(|literal| step.apply(arena, literal)).collect()
    }

    fn counters(&self) -> Counters {
        let mut counters = self.common_counters();
        let System { variables, lifted, projected, solver, lifter, initial, .. } = &self.instance;
        counters.extend([
            ("state variables", variables.len() as u64),
            ("literals dropped by lifting", *lifted),
            ("inputs set to terms", *projected),
        ]);
        for stats in [solver.stats(), lifter.stats(), initial.stats()] {
            add_solver(&mut counters, stats);
        }
        counters
    }
}

/// IC3 as an engine.
pub(crate) struct Ic3Engine;

impl Engine for Ic3Engine {
    fn name(&self) -> &'static str {
        "ic3"
    }

    fn method(&self) -> &'static str {
        "goes back from the error, and excludes the states that lead there by facts (lemmas) about the program as a \
         whole, in which the place is one more variable, until these facts imply each other and so hold for ever"
    }

    fn settings(&self) -> &'static [Setting] {
        const SETTINGS: [Setting; 2] = [crate::pdr::MAX_LEVEL, crate::pdr::CHECK];
        &SETTINGS
    }

    fn run(&self, prepared: &Prepared, settings: &Own<'_>, context: &mut Context<'_>) -> (Outcome, Counters) {
        let settings = Settings {
            check_frames: settings.flag("check"),
            max_level: settings.parsed("max-level"),
            core: settings.sat_core().unwrap_or_default(),
        };
        ic3(&prepared.program, settings, context.budget, context.observer)
    }
}
