//! What an engine did, in plain words for a person who is no expert.
//!
//! An [`Explanation`] is data about the automaton as lowered; [`text`] and [`json`] print it in the user's
//! terms. Nothing here knows an engine: how one works is a sentence that comes with the data. What is worked
//! out here from accepted evidence: which conjuncts of an invariant are needed ([`needed`]), which inputs of
//! an execution decide ([`deciding`]), and whether lemmas only ever count on ([`growth`]).

mod deciding;
mod growth;
mod json;
mod needed;
mod text;

pub use deciding::{Deciding, Input, deciding};
pub use growth::{Growth, growth};
pub use json::render as json;
pub use needed::{Needed, needed};
use nilas_evidence::Unwinding;
use nilas_program::LocationId;
use nilas_term::{Arena, Term};
pub use text::render as text;

/// What there is to tell.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The engine's name.
    pub engine: String,
    /// How it works: what it does, in a sentence that begins behind its name.
    pub method: String,
    /// How far it came: counts with what is counted.
    pub reach: Vec<(String, u64)>,
    /// The time it took.
    pub seconds: f64,
    /// Where it worked most, the most first.
    pub busiest: Vec<Busy>,
    /// What it came to.
    pub finding: Finding,
}

/// A place with what was done there.
#[derive(Clone, Debug)]
pub struct Busy {
    /// The place.
    pub location: LocationId,
    /// Counts with what is counted.
    pub work: Vec<(String, u64)>,
}

/// What an engine came to.
#[derive(Clone, Debug)]
pub enum Finding {
    /// A proof by invariants.
    Proof {
        /// What the proof needs.
        needed: Needed,
        /// Lemmas that the engine learnt, if it counts them.
        learnt: Option<u64>,
    },
    /// All executions end, and all were followed.
    Unwound(Unwinding),
    /// A proof by contracts of so many procedures.
    Contracts(usize),
    /// The only execution ends without error.
    Ran,
    /// An execution reaches the error.
    Execution(Deciding),
    /// Nothing was shown.
    Stuck(Stuck),
}

/// Why nothing was shown, and what may help.
#[derive(Clone, Debug)]
pub struct Stuck {
    /// The reason that the engine gives.
    pub reason: String,
    /// Where it worked most when it ended, if that says something.
    pub place: Option<LocationId>,
    /// Owner of the lemmas.
    pub arena: Arena,
    /// What it learnt last at that place.
    pub last: Vec<Term>,
    /// Lemmas there that only count on.
    pub growth: Option<Growth>,
    /// What the user may try.
    pub advice: Vec<String>,
}
