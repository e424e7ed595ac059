//! Why nothing is known: a sentence for people, and its kind for programs.

use std::fmt;

/// The reason of an *unknown*.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// What kind of reason it is.
    pub cause: Cause,
    /// The reason in words.
    pub text: String,
}

/// Kinds of reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// The time limit was reached.
    Time,
    /// The memory limit was reached.
    Memory,
    /// There is evidence, but the checker came to no decision about it.
    Unchecked,
    /// An execution leaves what is modelled.
    Unmodelled,
    /// Every execution stops at undefined behaviour, so that a proof would say nothing.
    Undefined,
    /// A solver cannot decide a formula that the program needs.
    Unsupported,
    /// The checker did not accept the evidence: a bug in Nilas.
    Rejected,
    /// Something broke: a bug in Nilas.
    Internal,
    /// Any other reason.
    Other,
}

impl Cause {
    /// How sentences of a cause begin. Internal errors come last: what was rejected is one of them.
    const BEGINNINGS: [(&'static str, Cause); 9] = [
        ("time limit", Cause::Time),
        ("memory limit", Cause::Memory),
        ("a proof was found after", Cause::Unchecked),
        ("an execution to the error was found after", Cause::Unchecked),
        ("an execution leaves what is modelled", Cause::Unmodelled),
        ("every execution", Cause::Undefined),
        ("not supported", Cause::Unsupported),
        ("internal error: the evidence of", Cause::Rejected),
        ("internal error", Cause::Internal),
    ];

    /// The cause of a reason that was printed, as those find it who read JSON.
    #[must_use]
    pub fn of_text(text: &str) -> Cause {
        let found = Cause::BEGINNINGS.iter().find(|(beginning, _)| text.starts_with(beginning));
        found.map_or(Cause::Other, |&(_, cause)| cause)
    }

    /// Whether it is a bug in Nilas.
    #[must_use]
    pub fn is_internal(self) -> bool {
        matches!(self, Cause::Rejected | Cause::Internal)
    }
}

impl Why {
    /// A reason of which only the words are known.
    #[must_use]
    pub fn of_text(text: impl Into<String>) -> Why {
        let text = text.into();
        Why { cause: Cause::of_text(&text), text }
    }

    /// A reason whose kind does not matter to programs.
    #[must_use]
    pub fn other(text: impl Into<String>) -> Why {
        Why { cause: Cause::Other, text: text.into() }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
