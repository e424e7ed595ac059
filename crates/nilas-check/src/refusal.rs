//! Why there is no answer at all.

use std::fmt;

/// A message for the one who asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What to say; the first line names the file or says `nilas:`.
    pub message: String,
    /// Whose fault it is.
    pub kind: RefusalKind,
}

/// Kinds of refusals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// The question makes no sense.
    Usage,
    /// The input cannot be taken.
    Input,
    /// A limit was reached before there was anything to answer.
    Limit,
    /// A bug in Nilas.
    Internal,
}

impl Refusal {
    /// The input cannot be taken.
    pub fn new(message: impl Into<String>) -> Self {
        Refusal { message: message.into(), kind: RefusalKind::Input }
    }

    /// The question makes no sense.
    pub fn usage(message: impl Into<String>) -> Self {
        Refusal { message: message.into(), kind: RefusalKind::Usage }
    }

    /// A limit was reached.
    pub fn limit(message: impl Into<String>) -> Self {
        Refusal { message: message.into(), kind: RefusalKind::Limit }
    }

    /// A bug in Nilas.
    pub fn internal(message: impl Into<String>) -> Self {
        Refusal { message: message.into(), kind: RefusalKind::Internal }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}
