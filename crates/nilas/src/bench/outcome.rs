//! What came of a task, and what it is worth.

use super::index::Expected;

/// The answer to a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Safe,
    Unsafe,
    /// Nothing was shown.
    Unknown,
    /// The program was not taken.
    Refused,
    /// The checker broke: rejected evidence, a crash, wrong usage.
    Failed,
}

impl Verdict {
    const ALL: [Verdict; 5] =
        [Verdict::Safe, Verdict::Unsafe, Verdict::Unknown, Verdict::Refused, Verdict::Failed];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Verdict::Safe => "safe",
            Verdict::Unsafe => "unsafe",
            Verdict::Unknown => "unknown",
            Verdict::Refused => "refused",
            Verdict::Failed => "failed",
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Verdict> {
        Verdict::ALL.into_iter().find(|verdict| verdict.word() == text)
    }

    /// Whether it is what is known; nothing where it says neither safe nor unsafe.
    pub(crate) fn correct(self, expected: Expected) -> Option<bool> {
        match self {
            Verdict::Safe => Some(expected == Expected::Safe),
            Verdict::Unsafe => Some(expected == Expected::Unsafe),
            Verdict::Unknown | Verdict::Refused | Verdict::Failed => None,
        }
    }

    /// Points as the software verification competition gives them.
    pub(crate) fn score(self, expected: Expected) -> i64 {
        match (self, expected) {
            (Verdict::Safe, Expected::Safe) => 2,
            (Verdict::Unsafe, Expected::Unsafe) => 1,
            (Verdict::Safe, Expected::Unsafe) => -32,
            (Verdict::Unsafe, Expected::Safe) => -16,
            (Verdict::Unknown | Verdict::Refused | Verdict::Failed, _) => 0,
        }
    }
}

/// Why a verdict is neither safe nor unsafe, in words that can be counted.
pub(crate) mod reason {
    use nilas_check::Cause;

    pub(crate) const TIME: &str = "time limit";
    pub(crate) const MEMORY: &str = "memory limit";
    pub(crate) const UNCHECKED: &str = "evidence not checked";
    pub(crate) const UNMODELLED: &str = "unmodelled";
    pub(crate) const UNSUPPORTED: &str = "not supported";
    pub(crate) const REFUSED: &str = "refused";
    pub(crate) const REJECTED: &str = "evidence rejected";
    pub(crate) const CRASH: &str = "crash";
    pub(crate) const INTERNAL: &str = "internal error";
    pub(crate) const USAGE: &str = "usage";
    pub(crate) const OTHER: &str = "other";

    /// The detail of a time limit that was not one of processor time.
    pub(crate) const BY_THE_CLOCK: &str = "wall-clock time";

    /// The word for a cause that `nilas check` gave for *unknown*.
    pub(crate) fn of(cause: Cause) -> &'static str {
        match cause {
            Cause::Time => TIME,
            Cause::Memory => MEMORY,
            Cause::Unchecked => UNCHECKED,
            Cause::Unmodelled => UNMODELLED,
            Cause::Unsupported => UNSUPPORTED,
            Cause::Undefined | Cause::Rejected | Cause::Internal | Cause::Other => OTHER,
        }
    }
}

/// What came of a task.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) verdict: Verdict,
    /// One of [`reason`], or empty for safe and unsafe.
    pub(crate) reason: String,
    /// The reason in full, in one line.
    pub(crate) detail: String,
    pub(crate) cpu_s: f64,
    pub(crate) wall_s: f64,
    pub(crate) memory_mb: f64,
    /// The engine that decided, where the checker tells.
    pub(crate) engine: String,
    pub(crate) effort: Effort,
}

/// What an answer took besides time and memory, where the checker tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Effort {
    /// Questions to solvers, of all engines that told.
    pub(crate) solver_calls: Option<u64>,
    /// Frames and lemmas of the engine that decided.
    pub(crate) frames: Option<u64>,
    pub(crate) lemmas: Option<u64>,
    /// Nodes and refinements of the engine that decided.
    pub(crate) nodes: Option<u64>,
    pub(crate) refinements: Option<u64>,
}

/// The longest detail that is kept, in characters.
const LONGEST_DETAIL: usize = 300;

/// The first line of a message that says something, cut to a useful length.
pub(crate) fn one_line(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    line.chars().take(LONGEST_DETAIL).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_those_of_the_competition() {
        use Expected::{Safe, Unsafe};
        let scores = |expected| Verdict::ALL.map(|verdict| verdict.score(expected));
        assert_eq!(scores(Safe), [2, -16, 0, 0, 0]);
        assert_eq!(scores(Unsafe), [-32, 1, 0, 0, 0]);
        assert_eq!(Verdict::Safe.correct(Unsafe), Some(false));
        assert_eq!(Verdict::Unsafe.correct(Unsafe), Some(true));
        assert_eq!(Verdict::Failed.correct(Safe), None);
    }

    #[test]
    fn words_are_read_again() {
        for verdict in Verdict::ALL {
            assert_eq!(Verdict::parse(verdict.word()), Some(verdict));
        }
        assert_eq!(Verdict::parse("SAFE"), None);
    }
}
