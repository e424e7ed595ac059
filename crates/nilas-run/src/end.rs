//! How an execution ends, and places in the source.

use crate::undefined::Undefined;
use std::fmt;

/// A place as the user knows it: file, line and column.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The file name, as line markers give it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A call that has not returned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The function.
    pub function: String,
    /// Where the execution is in it.
    pub place: Place,
}

/// Which call is the error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// `reach_error` or `__VERIFIER_error`, or a function that means the same.
    Reached(String),
    /// An assertion of this text does not hold.
    Assertion(String),
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ErrorKind::Reached(function) => write!(f, "`{function}` is called"),
            ErrorKind::Assertion(text) if text.is_empty() => f.write_str("an assertion does not hold"),
            ErrorKind::Assertion(text) => write!(f, "the assertion `{text}` does not hold"),
        }
    }
}

/// How an execution ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// `main` returned, or `exit` was called: the status, as the parent process sees it.
    Exit(i32),
    /// `abort`, a trap, or a signal: the program ended itself abnormally.
    Abort {
        /// What ended it.
        what: String,
        /// Where.
        place: Place,
    },
    /// The error that `nilas check` looks for.
    Error {
        /// What is violated.
        kind: ErrorKind,
        /// Where.
        place: Place,
        /// The calls that lead there, the innermost first.
        stack: Vec<Frame>,
    },
    /// Undefined behaviour.
    Undefined(Box<Undefined>),
    /// An assumption of the program does not hold: the execution does not count.
    Assumed {
        /// Where it is assumed.
        place: Place,
    },
    /// The execution comes to a state again, and goes on so for ever.
    Endless {
        /// Where.
        place: Place,
    },
    /// The bound on steps, or the deadline.
    OutOfSteps,
    /// The bound on memory.
    OutOfMemory,
    /// The bound on the depth of calls.
    OutOfStack {
        /// The function whose call was one too many.
        function: String,
        /// Where it is called.
        place: Place,
    },
    /// The chooser had no value for a choice.
    OutOfChoices {
        /// The choice as text.
        choice: String,
    },
    /// Something that the interpreter does not know.
    Unsupported {
        /// What it is.
        what: String,
        /// Where it stands.
        place: Place,
    },
}

impl End {
    /// Whether the execution is one of the program from start to end, as far as C fixes its meaning.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        matches!(
            self,
            End::Exit(_) | End::Abort { .. } | End::Error { .. } | End::Undefined(_) | End::Assumed { .. }
        )
    }
}
