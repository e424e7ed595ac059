//! The solvers that are known, and how each is talked to.
//!
//! All of them speak SMT-LIB 2; they differ in command lines, in how models and failed assumptions are
//! switched on, and in whether a single check can be limited. Nothing else in this folder asks which solver
//! it is.

use std::fmt;

/// A solver that is known by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Z3 of Microsoft Research.
    Z3,
    /// cvc5 of Stanford and Iowa.
    Cvc5,
    /// Bitwuzla of Stanford.
    Bitwuzla,
    /// Yices 2 of SRI.
    Yices,
    /// MathSAT 5 of FBK.
    Mathsat,
}

impl Kind {
    /// All of them, in the order in which they are looked for and listed.
    pub const ALL: [Kind; 5] = [Kind::Z3, Kind::Cvc5, Kind::Bitwuzla, Kind::Yices, Kind::Mathsat];

    /// The name of the program.
    #[must_use]
    pub fn program(self) -> &'static str {
        match self {
            Kind::Z3 => "z3",
            Kind::Cvc5 => "cvc5",
            Kind::Bitwuzla => "bitwuzla",
            Kind::Yices => "yices-smt2",
            Kind::Mathsat => "mathsat",
        }
    }

    /// Command-line arguments for an incremental script on standard input.
    #[must_use]
    pub fn arguments(self) -> Vec<String> {
        let arguments: &[&str] = match self {
            Kind::Z3 => &["-in", "-smt2"],
            // `--fp-exp`: formats other than single and double are experimental there. Simplification would
            // leave all assumptions in every core.
            Kind::Cvc5 => &["--lang=smt2", "--incremental", "--fp-exp", "--simplification=none"],
            Kind::Bitwuzla => &["--lang", "smt2"],
            Kind::Yices => &["--incremental"],
            Kind::Mathsat => &["-input=smt2"],
        };
        arguments.iter().map(|&argument| argument.to_owned()).collect()
    }

    /// The argument that asks for the version.
    pub(super) fn version_argument(self) -> &'static str {
        match self {
            Kind::Mathsat => "-version",
            _ => "--version",
        }
    }

    /// What is said before anything else.
    #[must_use]
    pub fn preamble(self, logic: &str, assumptions: bool) -> String {
        let mut text = String::from("(set-option :print-success false)\n(set-option :produce-models true)\n");
        if assumptions {
            text.push_str(match self {
                // MathSAT reports failed assumptions where it produces cores.
                Kind::Mathsat => "(set-option :produce-unsat-cores true)\n",
                _ => "(set-option :produce-unsat-assumptions true)\n",
            });
        }
        text.push_str("(set-logic ");
        text.push_str(logic);
        text.push_str(")\n");
        text
    }

    /// The command that limits each later check to about that many conflicts, `None` to lift the limit. Only
    /// Z3 can be told in mid-session, and counts steps instead of conflicts: some hundreds to a conflict.
    pub(super) fn conflict_limit(self, conflicts: Option<u64>) -> Option<String> {
        const STEPS_PER_CONFLICT: u64 = 256;
        // Zero would be no limit.
        let steps = conflicts.map_or(0, |conflicts| conflicts.saturating_mul(STEPS_PER_CONFLICT).max(1));
        let steps = steps.min(u64::from(u32::MAX));
        match self {
            Kind::Z3 => Some(format!("(set-option :rlimit {steps})\n")),
            _ => None,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.program())
    }
}
