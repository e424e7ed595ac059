//! The words of the command line.

use crate::bench::{Shard, Sign};
use crate::paint::When;
use clap::{Args, Parser, Subcommand};
use nilas_c::UnknownFunctions;
use nilas_check::{LimitOptions, Refusal, Task};
use nilas_engine::EngineRef;
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

mod flags;
mod language;
mod values;

pub(crate) use flags::with_compiler_flags;
pub(crate) use language::{Files, Language, Project};
use values::{Engines, engine, engines, jobs, seconds, settable, some_seconds, techniques};

/// Nilas proves that a program never violates its assertions, or shows an execution that does.
#[derive(Debug, Parser)]
#[command(name = "nilas", version, about, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a checker on every program of an index and count what it solves.
    Bench(BenchArgs),
    /// Check a program: safe (exit 0), unsafe (10) or unknown (5).
    Check(CheckArgs),
    /// Print a script that completes options in a shell.
    Completions(CompletionsArgs),
    /// Write a program as Horn clauses or as a transition system.
    Encode(EncodeArgs),
    /// Print the manual page, for `man`.
    Man,
    /// Execute a C program and name undefined behaviour: ends as the program does, or with 10 (error or
    /// undefined behaviour), 5 (it did not end, or does not count) or 2 (something is not supported).
    Run(RunArgs),
    /// Show the control-flow automaton of a program.
    Show(ShowArgs),
    /// Run an SMT-LIB script on the embedded solver: exit 2 if a command was answered by an error, else 0.
    Smt(SmtArgs),
    /// List the SAT cores that are built in, and the SMT solvers on PATH.
    Solvers(SolversArgs),
    /// Check a witness of another checker (SV-COMP, YAML or GraphML) against a C program: confirmed (exit 0),
    /// refuted (10) or unknown (5).
    Validate(ValidateArgs),
    /// Check saved evidence against a program.
    VerifyEvidence(VerifyArgs),
}

/// Options that mean the same in every subcommand.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Limits and output")]
pub(crate) struct Common {
    /// Stop after S seconds by the clock.
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) timeout: Option<f64>,
    /// Stop after S seconds of processor time, all cores together (on Linux).
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) cpu_timeout: Option<f64>,
    /// Cores for the evidence checker; all by default.
    #[arg(long, value_name = "N")]
    pub(crate) checker_threads: Option<NonZero<usize>>,
    /// Stop when the process holds MB megabytes; by default, most of the memory that is there.
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) memory_limit: Option<u64>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub(crate) json: bool,
    /// Report progress on standard error.
    #[arg(short, long, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// Print nothing but the verdict.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl Common {
    pub(crate) fn limits(&self) -> LimitOptions {
        LimitOptions {
            time: self.timeout.map(Duration::from_secs_f64),
            processor_time: self.cpu_timeout.map(Duration::from_secs_f64),
            megabytes: self.memory_limit,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// The index: CSV with the columns path, expected, and if there are any property, data_model,
    /// unknown_functions, set, tier; or a task definition (`.yml`), or a list of these (`.set`).
    #[arg(required_unless_present = "compare")]
    pub(crate) index: Option<PathBuf>,
    /// Compare two results files instead of running anything. A table that others have published will do for
    /// either: CSV with path, expected, TOOL_status and TOOL_s, named `TABLE.csv:TOOL` where it has several
    /// tools.
    #[arg(long, num_args = 2, value_names = ["A.csv", "B.csv"], conflicts_with_all = ["index", "dir", "engine", "filter", "shard", "tool", "grid", "setting"])]
    pub(crate) compare: Option<Vec<PathBuf>>,
    /// The folder that the paths of the index start from; without it, the folder of the index.
    #[arg(long, value_name = "TASKS")]
    pub(crate) dir: Option<PathBuf>,
    /// Use this engine alone.
    #[arg(long, value_name = "NAME", value_parser = engine)]
    pub(crate) engine: Option<EngineRef>,
    /// What unknown functions do, as in `nilas check`; by default what the index says of each task.
    /// Competitions assume `nothing`.
    #[arg(long, value_name = "WHAT", conflicts_with = "tool")]
    pub(crate) unknown_functions: Option<UnknownFunctions>,
    /// Processor seconds that a task may use.
    #[arg(long, value_name = "S", value_parser = seconds, default_value = "60")]
    pub(crate) timeout: f64,
    /// Seconds on the clock that a task may take; without it, four times its processor time.
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) wall_timeout: Option<f64>,
    /// Megabytes that a task may hold.
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..), default_value = "4000")]
    pub(crate) memory_limit: u64,
    /// How many tasks run side by side.
    #[arg(long, value_name = "N", value_parser = jobs, default_value = "1")]
    pub(crate) jobs: usize,
    /// Run only tasks whose columns match, `*` standing for anything: `set=loops,tier=T1*,path=nested`.
    #[arg(long, value_name = "COLUMN=VALUE,…")]
    pub(crate) filter: Vec<String>,
    /// Run only the i-th of n parts.
    #[arg(long, value_name = "i/n")]
    pub(crate) shard: Option<Shard>,
    /// Run every setting of this file over the tasks: a line each, `name: options of nilas check`.
    #[arg(long, value_name = "FILE", conflicts_with = "tool")]
    pub(crate) grid: Option<PathBuf>,
    /// One more setting to run over the tasks.
    #[arg(long, value_name = "NAME: OPTIONS", conflicts_with = "tool")]
    pub(crate) setting: Vec<String>,
    /// Save a row per task here, and go on with what is there already; with settings, in a file for each,
    /// RESULTS.NAME.csv.
    #[arg(long, value_name = "RESULTS.csv")]
    pub(crate) out: Option<PathBuf>,
    /// Write a report into one HTML file.
    #[arg(long, value_name = "REPORT.html")]
    pub(crate) html: Option<PathBuf>,
    /// Draw runs against each other into one SVG file: with --compare times and solver calls of the two, with
    /// settings times of the pairs that the grid names (`plot A B`), or of each one against the last.
    #[arg(long, value_name = "PLOT.svg")]
    pub(crate) svg: Option<PathBuf>,
    /// Measure another checker: a shell command with `{file}`, and where it wants them `{bits}`, `{timeout}`,
    /// `{memory}`.
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["engine", "extra"])]
    pub(crate) tool: Option<String>,
    /// What the tool prints, or `exit:CODE`, when it says safe; without it, the usual words of checkers.
    #[arg(long, value_name = "WORDS", requires = "tool")]
    pub(crate) tool_safe: Vec<Sign>,
    /// What the tool prints, or `exit:CODE`, when it says unsafe.
    #[arg(long, value_name = "WORDS", requires = "tool")]
    pub(crate) tool_unsafe: Vec<Sign>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub(crate) json: bool,
    /// Report each task when it ends, on standard error.
    #[arg(short, long, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// Print nothing but the table.
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// More options for `nilas check`.
    #[arg(last = true, value_name = "OPTIONS")]
    pub(crate) extra: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    #[arg(value_name = "SHELL", value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) files: Files,
    /// Each file is a program of its own: a line for each, and an exit code for all (6 if something broke,
    /// else 2 if a file was refused, else 10, 5 or 0). Limits hold for each program.
    #[arg(long, conflicts_with_all = ["project", "evidence", "record_queries", "sarif", "junit", "html", "witness", "harness", "confirm", "explain"])]
    pub(crate) batch: bool,
    /// Write the answer as SARIF 2.1.0, for code hosts and editors.
    #[arg(long, value_name = "OUT", help_heading = "Reports")]
    pub(crate) sarif: Option<PathBuf>,
    /// Write the answer as JUnit XML, for build servers: each place is a test case.
    #[arg(long, value_name = "OUT", help_heading = "Reports")]
    pub(crate) junit: Option<PathBuf>,
    /// Write the answer as one HTML page, for a browser: answers, source, the execution to step through,
    /// invariants, the automaton with its frames.
    #[arg(long, value_name = "OUT", help_heading = "Reports")]
    pub(crate) html: Option<PathBuf>,
    /// Write a witness of the SV-COMP of a verdict about a C program, which `nilas validate` and other
    /// validators read: format 2.0 (YAML), or 1.0 if the name ends in `.graphml`.
    #[arg(long, value_name = "OUT", help_heading = "Reports", conflicts_with_all = ["properties", "check_undefined"])]
    pub(crate) witness: Option<PathBuf>,
    /// Write a test of the first violation: a C file that is compiled with the program, and fails.
    #[arg(long, value_name = "OUT.c", help_heading = "Reports")]
    pub(crate) harness: Option<PathBuf>,
    /// Compile and run such a test of each violation in a scratch folder, with limits, and say whether it
    /// fails as it should. Without this option, nothing of the program is ever compiled or run.
    #[arg(long, help_heading = "Reports")]
    pub(crate) confirm: bool,
    /// Colours: `auto` is on a terminal, unless the variable NO_COLOR is set.
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = When::Auto, help_heading = "Reports")]
    pub(crate) color: When,
    /// Print an interpretation of every predicate (Horn clauses) or the invariant of the states (VMT, BTOR2)
    /// as SMT-LIB definitions.
    #[arg(long)]
    pub(crate) model: bool,
    /// Look at Horn clauses as one transition relation (a truth value per predicate and one per clause, of
    /// which a step chooses one) instead of an automaton with a location per predicate.
    #[arg(long, conflicts_with = "evidence")]
    pub(crate) one_relation: bool,
    /// Make locations of the program counter of a transition system or of Horn clauses: of arguments that
    /// only ever hold few constants.
    #[arg(long, conflicts_with_all = ["evidence", "one_relation"])]
    pub(crate) unfold: bool,
    /// Use this engine alone; an unknown name prints the list. By default the engines of the portfolio run
    /// side by side, and the first accepted evidence decides.
    #[arg(long, value_name = "NAME", value_parser = engine)]
    pub(crate) engine: Option<EngineRef>,
    /// Run these engines side by side instead, as in `bmc,k-ind,ic3cfa`; `PF1` to `PF4` are those of icp and
    /// its relatives for programs with floats.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = engines, conflicts_with = "engine")]
    pub(crate) portfolio: Vec<Engines>,
    /// Leave these engines out of the portfolio, as in `k-ind,itp`.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = engine, conflicts_with_all = ["engine", "portfolio"])]
    pub(crate) without: Vec<EngineRef>,
    /// Engines side by side tell each other nothing. Without it, they exchange lemmas, depths and states, and
    /// each one keeps what it can show itself.
    #[arg(long)]
    pub(crate) no_exchange: bool,
    /// Engines side by side take turns by counted work instead of racing: the same input gives the same
    /// answer and trace, limits of time excepted.
    #[arg(long)]
    pub(crate) deterministic: bool,
    /// Switch techniques of ic3cfa on and off: `-weakening,+ctg`, or from `all` or `none`, as in
    /// `none,+lifting`.
    #[arg(long, value_name = "LIST", allow_hyphen_values = true, value_parser = techniques)]
    pub(crate) techniques: Option<String>,
    /// Change a setting of an engine, as in `pred-abs.abstraction=cartesian`; an unknown name prints the
    /// list. Repeat the option for several settings.
    #[arg(long, value_name = "NAME=VALUE", value_parser = settable)]
    pub(crate) set: Vec<String>,
    /// Save the evidence here. What the checker could not decide in time is marked as unaccepted.
    #[arg(long, value_name = "OUT")]
    pub(crate) evidence: Option<PathBuf>,
    /// Limit each check of evidence to S seconds. With 0, evidence is only searched for, and
    /// `nilas verify-evidence` can check it later.
    #[arg(long, value_name = "S", value_parser = some_seconds)]
    pub(crate) checker_timeout: Option<f64>,
    /// The verdict for an execution that the reference interpreter could not repeat (it takes too long there,
    /// or depends on what has no name in C).
    #[arg(long, value_name = "VERDICT", value_enum, default_value_t = Unreplayed::Unsafe)]
    pub(crate) unreplayed: Unreplayed,
    /// How much of an execution to the error is printed: `short` folds loops and calls far from the failure,
    /// `full` prints everything.
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Trace::Short)]
    pub(crate) trace: Trace,
    /// Print counters and times.
    #[arg(long)]
    pub(crate) stats: bool,
    /// Explain in plain words what the engine did: what carries the proof, which inputs decide, or where it
    /// got stuck.
    #[arg(long, conflicts_with = "quiet")]
    pub(crate) explain: bool,
    /// Write what the engines ask their solvers as incremental SMT-LIB scripts: FILE.smt2 for the first
    /// solver, FILE.2.smt2 for the second, and so on (IC3CFA has one per edge). Without --engine, the
    /// engine's name comes before: FILE.bmc.smt2. Files are overwritten, and complete scripts at any time.
    #[arg(long, value_name = "FILE")]
    pub(crate) record_queries: Option<PathBuf>,
    /// Record at most MB megabytes, all scripts together.
    #[arg(long, value_name = "MB", default_value_t = 1000, requires = "record_queries")]
    pub(crate) record_limit: u64,
    #[command(flatten)]
    pub(crate) language: Language,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// See [`CheckArgs::trace`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum Trace {
    Short,
    Full,
}

impl From<Trace> for nilas_report::Trace {
    fn from(trace: Trace) -> Self {
        match trace {
            Trace::Short => nilas_report::Trace::Short,
            Trace::Full => nilas_report::Trace::Full,
        }
    }
}

/// See [`CheckArgs::unreplayed`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum Unreplayed {
    /// Unsafe: its evidence was accepted.
    Unsafe,
    /// Unknown.
    Unknown,
}

impl From<Unreplayed> for nilas_check::Unreplayed {
    fn from(unreplayed: Unreplayed) -> Self {
        match unreplayed {
            Unreplayed::Unsafe => nilas_check::Unreplayed::Unsafe,
            Unreplayed::Unknown => nilas_check::Unreplayed::Unknown,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) files: Files,
    /// The inputs, in the order in which the program asks for them. Without inputs, choices or seed, all are
    /// 0.
    #[arg(long, value_name = "V,V,…", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) input: Option<Vec<i128>>,
    /// Choose inputs and uninitialised values at random with this seed; it moves the addresses of objects,
    /// too.
    #[arg(long, value_name = "N", conflicts_with_all = ["input", "choices"])]
    pub(crate) seed: Option<u64>,
    /// With --seed: choose orders of evaluation and failures of allocations, too.
    #[arg(long, requires = "seed")]
    pub(crate) random_order: bool,
    /// Take choices from this file, as --record writes them. What it does not name is the default.
    #[arg(long, value_name = "FILE", conflicts_with = "input")]
    pub(crate) choices: Option<PathBuf>,
    /// Write the choices of the execution into this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Stop at all undefined behaviour that programs rely on, too (pointers that leave their object,
    /// misaligned accesses, …).
    #[arg(long)]
    pub(crate) strict: bool,
    /// Signed arithmetic that overflows is undefined behaviour instead of wrapping around.
    #[arg(long)]
    pub(crate) check_overflow: bool,
    /// A variable that is read before a value was stored to it is undefined behaviour, if its address is
    /// never taken.
    #[arg(long)]
    pub(crate) check_uninitialised: bool,
    /// Stop after this many expressions and statements.
    #[arg(long, value_name = "N")]
    pub(crate) steps: Option<u64>,
    /// Megabytes that the objects of the program may take.
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..1 << 20))]
    pub(crate) memory: u64,
    #[command(flatten)]
    pub(crate) language: Language,
    #[command(flatten)]
    pub(crate) common: Common,
    /// The arguments of the program.
    #[arg(last = true, value_name = "ARGUMENTS")]
    pub(crate) arguments: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct EncodeArgs {
    #[command(flatten)]
    pub(crate) files: Files,
    /// What to write.
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub(crate) to: Encoding,
    /// Fold loop-free pieces into single steps first.
    #[arg(long)]
    pub(crate) large_blocks: bool,
    /// Write Horn clauses as one transition relation: a truth value per predicate and one per clause, of
    /// which a step chooses one.
    #[arg(long)]
    pub(crate) one_relation: bool,
    /// What becomes of executions of a C program that leave what is modelled: an error of their own (so that
    /// a proof is one about the program), or they stop (so that an execution to the error is one of the
    /// program).
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Leaving::Error)]
    pub(crate) unmodelled: Leaving,
    #[command(flatten)]
    pub(crate) language: Language,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// See [`EncodeArgs::unmodelled`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum Leaving {
    /// They reach an error: `false` in Horn clauses, the second property in VMT and BTOR2.
    Error,
    /// They stop.
    Stop,
}

/// See [`EncodeArgs::to`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum Encoding {
    /// A transition system in VMT.
    Vmt,
    /// Horn clauses in SMT-LIB.
    Horn,
    /// A transition system in BTOR2.
    Btor2,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    pub(crate) files: Files,
    /// Print Graphviz instead of text.
    #[arg(long)]
    pub(crate) dot: bool,
    /// Fold loop-free pieces into single edges first.
    #[arg(long)]
    pub(crate) large_blocks: bool,
    /// Run all passes first, as the engines see it.
    #[arg(long, conflicts_with = "large_blocks")]
    pub(crate) passes: bool,
    /// Put the bodies of procedures in the place of calls first (`.cfa`).
    #[arg(long)]
    pub(crate) inline: bool,
    /// Show the automaton that this evidence is about: the program lowered as the evidence says.
    #[arg(long = "for", value_name = "EVIDENCE")]
    pub(crate) evidence: Option<PathBuf>,
    /// Print sizes instead: as read, and after each pass.
    #[arg(long, conflicts_with = "dot")]
    pub(crate) stats: bool,
    #[command(flatten)]
    pub(crate) language: Language,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
pub(crate) struct SmtArgs {
    /// The script (`.smt2`).
    pub(crate) file: PathBuf,
    /// Answer `unsat` only with a proof that a separate checker has accepted; a rejected proof is exit 6.
    #[arg(long)]
    pub(crate) proof: bool,
    /// Save the clauses and the proof as text (lines of IDRUP). Implies `--proof`.
    #[arg(long, value_name = "OUT")]
    pub(crate) proof_file: Option<PathBuf>,
    /// Which of the solvers that are built in: `bits` blasts onto SAT, `icp` propagates intervals and hands
    /// hard checks to `bits`, `icp-only` hands over nothing. Intervals make no proofs. Default: bits.
    #[arg(long, value_name = "SOLVER", value_enum, conflicts_with_all = ["proof", "proof_file"])]
    pub(crate) solver: Option<SmtSolver>,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// See [`SmtArgs::solver`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum SmtSolver {
    Bits,
    Icp,
    IcpOnly,
}

#[derive(Debug, Args)]
pub(crate) struct SolversArgs {
    /// Print JSON instead of text.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(override_usage = "nilas verify-evidence [OPTIONS] <FILE>... <EVIDENCE>")]
pub(crate) struct VerifyArgs {
    /// The program, as for `nilas check`; then the evidence, as `nilas check --evidence` saved it.
    #[arg(value_name = "FILE", required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    project: Project,
    /// The verdict for an execution that the reference interpreter could not repeat.
    #[arg(long, value_name = "VERDICT", value_enum, default_value_t = Unreplayed::Unsafe)]
    pub(crate) unreplayed: Unreplayed,
    #[command(flatten)]
    pub(crate) language: Language,
    #[command(flatten)]
    pub(crate) common: Common,
}

impl VerifyArgs {
    /// The evidence: the last path.
    pub(crate) fn evidence(&self) -> PathBuf {
        self.paths.last().cloned().unwrap_or_default()
    }

    /// The program: what comes before.
    pub(crate) fn files(&self) -> Files {
        let count = self.paths.len().saturating_sub(1);
        Files { files: self.paths[..count].to_vec(), project: self.project.clone() }
    }
}

#[derive(Debug, Args)]
#[command(override_usage = "nilas validate [OPTIONS] <FILE>... <WITNESS>")]
pub(crate) struct ValidateArgs {
    /// The C program, as for `nilas check`; then the witness (YAML or GraphML).
    #[arg(value_name = "FILE", required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) language: Language,
    #[command(flatten)]
    pub(crate) common: Common,
}

impl ValidateArgs {
    /// The witness: the last path.
    pub(crate) fn witness(&self) -> PathBuf {
        self.paths.last().cloned().unwrap_or_default()
    }

    /// The program: what comes before.
    ///
    /// # Errors
    /// Nothing comes before.
    pub(crate) fn task(&self) -> Result<Task, Refusal> {
        match &self.paths[..] {
            [files @ .., _] if !files.is_empty() => {
                Ok(Task::of_c_files(files, None, self.language.library()))
            }
            _ => Err(Refusal::usage("nilas: the files of a program are expected, and then its witness")),
        }
    }
}
