//! Why evidence was not accepted.

use nilas_smt::Reason;
use nilas_term::Value;
use std::fmt;

/// Why evidence was not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// A cycle passes none of the locations that the evidence names.
    NotACutset {
        /// A location of the cycle, by name.
        location: String,
    },
    /// A formula is not one over the automaton's variables.
    BadFormula {
        /// The location it stands at, by name.
        location: String,
        /// What is wrong with it.
        why: String,
    },
    /// The formula at the entry does not hold for all initial values.
    EntryNotImplied {
        /// Values for which it fails.
        model: Vec<(String, Value)>,
    },
    /// From a state that satisfies the formula at `from`, one can get to `to` and violate the formula there
    /// (or reach a sink, which must not be reached at all).
    NotPreserved {
        /// Where the region starts, by name.
        from: String,
        /// Where it ends, by name.
        to: String,
        /// Values at the start for which it happens.
        model: Vec<(String, Value)>,
    },
    /// An execution within the bounds reaches a sink.
    SinkReached {
        /// The sink, by name.
        sink: String,
        /// Initial values for which it happens.
        model: Vec<(String, Value)>,
    },
    /// An execution is at a location more often than the unwinding says.
    BoundExceeded {
        /// The location, by name.
        location: String,
        /// The bound.
        bound: u64,
        /// Initial values for which it happens.
        model: Vec<(String, Value)>,
    },
    /// The execution does not get to a sink.
    NotReached {
        /// How far it got.
        why: String,
    },
    /// The automaton is not what becomes of the program with its calls.
    NotTheModule {
        /// What is different.
        why: String,
    },
    /// The checker could not decide.
    Undecided(Reason),
}

impl From<Reason> for Rejection {
    fn from(reason: Reason) -> Self {
        Rejection::Undecided(reason)
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = |f: &mut fmt::Formatter<'_>, model: &[(String, Value)]| {
            for (index, (name, value)) in model.iter().enumerate() {
                let lead = if index == 0 { ", for example with" } else { "," };
                write!(f, "{lead} {name} = {}", nilas_term::smtlib::print_value(value))?;
            }
            Ok(())
        };
        match self {
            Rejection::NotACutset { location } => {
                write!(f, "a cycle through `{location}` passes no location that the evidence names")
            }
            Rejection::BadFormula { location, why } => write!(f, "the formula at `{location}`: {why}"),
            Rejection::EntryNotImplied { model } => {
                write!(f, "the formula at the entry does not hold initially")?;
                values(f, model)
            }
            Rejection::NotPreserved { from, to, model } => {
                write!(f, "the region from `{from}` to `{to}` breaks the invariant")?;
                values(f, model)
            }
            Rejection::SinkReached { sink, model } => {
                write!(f, "`{sink}` is reached within the bounds")?;
                values(f, model)
            }
            Rejection::BoundExceeded { location, bound, model } => {
                write!(f, "`{location}` can be visited more than {bound} times")?;
                values(f, model)
            }
            Rejection::NotReached { why } => write!(f, "the execution does not reach a sink: {why}"),
            Rejection::NotTheModule { why } => {
                write!(f, "the automaton is not that of the program with calls: {why}")
            }
            Rejection::Undecided(reason) => write!(f, "the checker could not decide: {reason}"),
        }
    }
}

impl std::error::Error for Rejection {}
