//! The command line of Nilas, as a function: a program that calls [`command`] with a registry of its own is
//! Nilas with other engines.

mod batch;
mod bench;
mod check;
mod cli;
mod complete;
mod encode;
mod exit;
mod live;
#[cfg(test)]
mod manual;
mod paint;
mod peers;
mod places;
mod resort;
mod run;
mod show;
mod signal;
mod smt;
mod solvers;
mod system;
mod targets;
mod validate;
mod verify_evidence;

use clap::Parser;
use clap::error::{ContextKind, ContextValue};
use cli::{Cli, Command};
use exit::Exit;
use nilas_check::Refusal;
pub use nilas_engine::Registry;
use std::io::Write;
use std::sync::OnceLock;

/// What is recursive has a bound, but drops deep structures of other crates: be generous.
const STACK: usize = 256 << 20;

/// The engines that there are.
static REGISTRY: OnceLock<Registry> = OnceLock::new();

fn registry() -> &'static Registry {
    REGISTRY.get_or_init(Registry::default)
}

/// Does what the arguments of this process say, with these engines, and ends it.
pub fn command(engines: Registry) -> ! {
    // The first ones stay.
    let _ = REGISTRY.set(engines);
    resort::start();
    let cli = match Cli::try_parse_from(cli::with_compiler_flags(std::env::args_os())) {
        Ok(cli) => cli,
        Err(error) => {
            let exit = if error.use_stderr() { Exit::Usage } else { Exit::Safe };
            // Nothing can be done when even this cannot be printed.
            let _ = match error.get(ContextKind::InvalidArg) {
                Some(ContextValue::String(option)) if peers::hint(option).is_some() => {
                    let given = std::env::args().skip(1);
                    write!(std::io::stderr(), "{}", peers::message(option, given))
                }
                _ => error.print(),
            };
            std::process::exit(exit.code());
        }
    };
    // Work runs on a thread with a large stack.
    let worker = std::thread::Builder::new().name("nilas".into()).stack_size(STACK);
    let exit = match worker.spawn(move || run(&cli)).map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(exit))) => exit,
        Ok(Ok(Err(refusal))) => {
            let _ = writeln!(std::io::stderr(), "{}", refusal.message);
            Exit::without_answer(&refusal)
        }
        Ok(Err(_)) => {
            let _ = writeln!(std::io::stderr(), "nilas: internal error; please report it with the input");
            Exit::Internal
        }
        Err(_) => {
            let _ = writeln!(std::io::stderr(), "nilas: there is no memory for a thread");
            Exit::Unknown
        }
    };
    let _ = std::io::stdout().flush();
    std::process::exit(exit.code());
}

fn run(cli: &Cli) -> Result<Exit, Refusal> {
    match &cli.command {
        Command::Bench(args) => bench::run(args),
        Command::Check(args) => check::run(args),
        Command::Completions(args) => Ok(complete::completions(args)),
        Command::Encode(args) => encode::run(args),
        Command::Man => complete::man(),
        Command::Run(args) => run::run(args),
        Command::Show(args) => show::run(args),
        Command::Smt(args) => smt::run(args),
        Command::Solvers(args) => Ok(solvers::run(args)),
        Command::Validate(args) => validate::run(args),
        Command::VerifyEvidence(args) => verify_evidence::run(args),
    }
}

/// Writes to standard output. A closed pipe (`nilas … | head`) is no error.
fn print(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}
