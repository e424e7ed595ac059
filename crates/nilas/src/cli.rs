//! The words of the command line.

use clap::{Args, Parser, Subcommand};
use nilas_engine::Engine;
use std::path::PathBuf;

/// Nilas proves that a program never violates its assertions, or shows an execution that does.
#[derive(Debug, Parser)]
#[command(name = "nilas", version, about, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check a program: safe (exit 0), unsafe (10) or unknown (5).
    Check(CheckArgs),
    /// Show the control-flow automaton of a program.
    Show(ShowArgs),
    /// Run an SMT-LIB script on the embedded solver: exit 2 if a command was answered by an error, else 0.
    Smt(SmtArgs),
    /// List the SMT solvers on PATH that Nilas can use beside its own.
    Solvers(SolversArgs),
    /// Check saved evidence against a program.
    VerifyEvidence(VerifyArgs),
}

/// Options that mean the same in every subcommand.
#[derive(Debug, Clone, Args)]
pub(crate) struct Common {
    /// Stop after so many seconds.
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) timeout: Option<f64>,
    /// Stop when the process holds so many megabytes.
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) memory_limit: Option<u64>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub(crate) json: bool,
    /// Tell what happens on the way, on standard error.
    #[arg(short, long, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// Print nothing but the verdict.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The program (`.cfa`).
    pub(crate) file: PathBuf,
    /// Use this engine alone: bmc or ic3cfa. Without it, all run side by side and the first accepted evidence decides.
    #[arg(long, value_name = "NAME")]
    pub(crate) engine: Option<Engine>,
    /// Save the accepted evidence here.
    #[arg(long, value_name = "OUT")]
    pub(crate) evidence: Option<PathBuf>,
    /// Print counters and times.
    #[arg(long)]
    pub(crate) stats: bool,
    /// Write what the engines ask their solvers as incremental SMT-LIB scripts: FILE.smt2 for the first solver,
    /// FILE.2.smt2 for the second, and so on (IC3CFA has one per edge). Without --engine, the engine's name comes
    /// before: FILE.bmc.smt2. Files are overwritten. Recorded so far is a script at any time.
    #[arg(long, value_name = "FILE")]
    pub(crate) record_queries: Option<PathBuf>,
    /// Record at most so many megabytes, all scripts together.
    #[arg(long, value_name = "MB", default_value_t = 1000, requires = "record_queries")]
    pub(crate) record_limit: u64,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The program (`.cfa`).
    pub(crate) file: PathBuf,
    /// Print Graphviz instead of text.
    #[arg(long)]
    pub(crate) dot: bool,
    /// Fold loop-free pieces into single edges first, as the engines see it.
    #[arg(long)]
    pub(crate) large_blocks: bool,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
pub(crate) struct SmtArgs {
    /// The script (`.smt2`).
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
pub(crate) struct SolversArgs {
    /// Print JSON instead of text.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// The program (`.cfa`).
    pub(crate) file: PathBuf,
    /// The evidence, as `nilas check --evidence` saved it.
    pub(crate) evidence: PathBuf,
    #[command(flatten)]
    pub(crate) common: Common,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds.is_finite() && seconds > 0.0 && seconds < 1e9 => Ok(seconds),
        _ => Err("a positive number of seconds expected".into()),
    }
}
