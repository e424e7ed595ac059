//! `nilas smt`: an SMT-LIB script on a solver that is built in.

use crate::cli::{Cli, Command, SmtArgs, SmtSolver};
use crate::exit::Exit;
use clap::Parser;
use nilas_check::{Refusal, Session, read_text};
use nilas_icp::Icp;
use nilas_smt::proof::Transcript;
use nilas_smt::script::{Options, Outcome, run_script};
use std::ffi::OsString;
use std::io::Write;

pub(crate) fn run(args: &SmtArgs) -> Result<Exit, Refusal> {
    let session = Session::start(&args.common.limits());
    let text = read_text(&args.file)?;
    if nilas_system::is_horn(&text) {
        if args.solver.is_some() {
            return Err(Refusal::new(
                "nilas: --solver is for scripts that a solver answers, not for Horn clauses",
            ));
        }
        if args.proof || args.proof_file.is_some() {
            return Err(Refusal::new(
                "nilas: --proof is for scripts that a solver answers: every answer about Horn clauses is checked",
            ));
        }
        return horn(args, &text);
    }
    let proof = match &args.proof_file {
        Some(path) => {
            let file = std::fs::File::create(path)
                .map_err(|error| Refusal::new(format!("nilas: cannot write {}: {error}", path.display())))?;
            Some(Transcript::to(Box::new(std::io::BufWriter::new(file))))
        }
        None => args.proof.then(Transcript::default),
    };
    let mut options = Options { budget: session.budget(), proof: proof.clone(), ..Options::default() };
    match args.solver {
        None | Some(SmtSolver::Bits) => {}
        Some(SmtSolver::Icp) => options.solver = || Box::new(Icp::default()),
        Some(SmtSolver::IcpOnly) => {
            options.solver = || {
                Box::new(Icp::new(nilas_icp::Options { hand_over: false, ..nilas_icp::Options::default() }))
            };
        }
    }
    let mut output = std::io::BufWriter::new(std::io::stdout().lock());
    let outcome =
        match run_script(&text, &options, &mut output).and_then(|outcome| output.flush().map(|()| outcome)) {
            Ok(outcome) => outcome,
            // The reader has had enough.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Outcome::default(),
            Err(error) => return Err(Refusal::new(format!("nilas: cannot write the answers: {error}"))),
        };
    if let Some(Err(error)) = proof.map(|proof| proof.finish()) {
        return Err(Refusal::new(format!("nilas: cannot write the proof: {error}")));
    }
    if outcome.rejected_proofs > 0 || outcome.wrong_models > 0 || outcome.contradictions > 0 {
        return Ok(Exit::Internal);
    }
    Ok(if outcome.errors > 0 { Exit::Refused } else { Exit::Safe })
}

/// Horn clauses are a question for `nilas check`; a script that asks for a model gets one.
fn horn(args: &SmtArgs, text: &str) -> Result<Exit, Refusal> {
    let mut words: Vec<OsString> = vec!["nilas".into(), "check".into()];
    if nilas_system::asks_for_model(text) {
        words.push("--model".into());
    }
    words.push("--".into());
    words.push(args.file.clone().into_os_string());
    match Cli::try_parse_from(words).map(|cli| cli.command) {
        Ok(Command::Check(mut check)) => {
            check.common = args.common.clone();
            crate::check::run(&check)
        }
        _ => Err(Refusal::internal("nilas: internal error: no question")),
    }
}
