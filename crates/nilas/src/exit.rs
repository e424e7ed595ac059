//! How the process ends.

use nilas_check::{Refusal, RefusalKind, Standing};

/// The exit codes of every subcommand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Safe, or the work of a subcommand without verdict is done.
    Safe,
    /// The command line was wrong.
    Usage,
    /// The input was refused.
    Refused,
    /// Nothing was shown.
    Unknown,
    /// A bug in Nilas: evidence was rejected, or something broke.
    Internal,
    /// The error can be reached.
    Unsafe,
    /// `nilas run`: as the program ended.
    Program(i32),
}

impl Exit {
    /// How the process ends with an answer.
    pub(crate) fn of(standing: Standing) -> Exit {
        match standing {
            Standing::Safe => Exit::Safe,
            Standing::Unsafe => Exit::Unsafe,
            Standing::Unknown => Exit::Unknown,
            Standing::Refused => Exit::Refused,
            Standing::Internal => Exit::Internal,
        }
    }

    /// How it ends without one.
    pub(crate) fn without_answer(refusal: &Refusal) -> Exit {
        match refusal.kind {
            RefusalKind::Usage => Exit::Usage,
            RefusalKind::Input => Exit::Refused,
            RefusalKind::Limit => Exit::Unknown,
            RefusalKind::Internal => Exit::Internal,
        }
    }

    pub(crate) fn code(self) -> i32 {
        match self {
            Exit::Safe => 0,
            Exit::Usage => 1,
            Exit::Refused => 2,
            Exit::Unknown => 5,
            Exit::Internal => 6,
            Exit::Unsafe => 10,
            Exit::Program(status) => status,
        }
    }
}
