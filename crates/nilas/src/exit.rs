//! How the process ends.

/// The exit codes of every subcommand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Safe, or the work of a subcommand without verdict is done.
    Safe = 0,
    /// The command line was wrong.
    Usage = 1,
    /// The input was refused.
    Refused = 2,
    /// Nothing was shown.
    Unknown = 5,
    /// A bug in Nilas: evidence was rejected, or something broke.
    Internal = 6,
    /// The error can be reached.
    Unsafe = 10,
}
