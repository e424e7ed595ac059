//! What an engine tells while it works.

use nilas_evidence::Evidence;
use nilas_program::{HavocSite, LocationId};
use nilas_smt::Solver;
use nilas_term::{Arena, Term, Value};
use std::collections::BTreeMap;

/// A moment in the work of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The engine's name.
    pub engine: &'static str,
    /// The frontier: frame of IC3, depth of BMC.
    pub frame: u64,
    /// Lemmas in force.
    pub lemmas: u64,
    /// Nodes of the abstract reachability tree, where there is one.
    pub nodes: u64,
    /// Obligations waiting.
    pub obligations: u64,
    /// Questions asked to solvers so far.
    pub checks: u64,
}

/// A piece of work at a location. All engines tell of it in these words, so that they can be compared and
/// explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Work {
    /// States from which a sink may be reached were found and have to be excluded.
    Obligation,
    /// A lemma was learnt: a clause of a frame or of a node.
    Lemma,
    /// A node of an abstract reachability tree was made.
    Node,
    /// A node was found to be covered by another one.
    Covering,
    /// A spurious path ended or went through here, and was excluded.
    Refinement,
}

impl Work {
    /// All kinds of work.
    pub const ALL: [Work; 5] = [Work::Obligation, Work::Lemma, Work::Node, Work::Covering, Work::Refinement];
}

/// What the frames of an engine say about a location.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FramesAt {
    /// The first frame in which executions may be there; the ones before are *false*.
    pub first: u64,
    /// Lemmas, each with the last frame that it belongs to; `None` if it belongs to all.
    pub lemmas: Vec<(Term, Option<u64>)>,
    /// How many more there are.
    pub more: usize,
}

/// Listens to an engine. All methods do nothing unless overridden.
pub trait Observer {
    /// Called often; must be quick.
    fn progress(&mut self, progress: &Progress) {
        let _ = progress;
    }

    /// Called once for each thing that a person following the algorithm wants to read (`-v`).
    fn event(&mut self, event: &dyn Fn() -> String) {
        let _ = event;
    }

    /// Called for each piece of work; must be quick.
    fn work(&mut self, location: LocationId, work: Work) {
        let _ = (location, work);
    }

    /// Called when the engine ends, once for each location where it holds lemmas (or predicates), the oldest
    /// first; perhaps not all.
    fn lemmas(&mut self, location: LocationId, arena: &Arena, lemmas: &[Term]) {
        let _ = (location, arena, lemmas);
    }

    /// Asked when an engine ends: whether anybody wants to know its frames.
    fn wants_frames(&self) -> bool {
        false
    }

    /// Called when an engine with frames ends, once for each location that matters, if they are wanted.
    fn frames(&mut self, location: LocationId, arena: &Arena, frames: &FramesAt) {
        let _ = (location, arena, frames);
    }

    /// Called when the engine has evidence about the automaton as lowered, before it is checked.
    fn found(&mut self, evidence: &Evidence) {
        let _ = evidence;
    }

    /// Asked whenever the engine has a model: whether anybody wants to know the inputs in it.
    fn wants_inputs(&mut self) -> bool {
        false
    }

    /// Called with the values of `havoc`s in a model, in the order of their way, if they are wanted: those of
    /// an execution that gets somewhere, or of a step to states from which a sink may be reached.
    fn inputs(&mut self, inputs: Vec<(HavocSite, Value)>) {
        let _ = inputs;
    }

    /// Called with each solver that the engine makes, before anything is asserted. What is returned is used
    /// in its place: the same solver, or one that listens to what it is asked and passes it on.
    fn solver(&mut self, solver: Box<dyn Solver>) -> Box<dyn Solver> {
        solver
    }
}

/// An observer that does not listen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}

/// Counters by name, in a fixed order.
pub type Counters = BTreeMap<&'static str, u64>;
