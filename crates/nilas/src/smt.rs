//! `nilas smt`: an SMT-LIB script on the embedded solver.

use crate::cli::SmtArgs;
use crate::exit::Exit;
use crate::input::{self, Refusal};
use crate::limits::Limits;
use nilas_smt::proof::Transcript;
use nilas_smt::script::{Options, Outcome, run_script};
use std::io::Write;

pub(crate) fn run(args: &SmtArgs) -> Result<Exit, Refusal> {
    let limits = Limits::start(&args.common);
    let text = input::read_text(&args.file)?;
    let proof = match &args.proof_file {
        Some(path) => {
            let file = std::fs::File::create(path)
                .map_err(|error| Refusal::new(format!("nilas: cannot write {}: {error}", path.display())))?;
            Some(Transcript::to(Box::new(std::io::BufWriter::new(file))))
        }
        None => args.proof.then(Transcript::default),
    };
    let options = Options { budget: limits.budget(), proof: proof.clone(), ..Options::default() };
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
