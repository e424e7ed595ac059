//! How the process ends.

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
