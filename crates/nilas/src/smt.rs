//! `nilas smt`: an SMT-LIB script on the embedded solver.

use crate::cli::SmtArgs;
use crate::exit::Exit;
use crate::input::{self, Refusal};
use crate::limits::Limits;
use nilas_smt::script::{Options, Outcome, run_script};
use std::io::Write;

pub(crate) fn run(args: &SmtArgs) -> Result<Exit, Refusal> {
    let limits = Limits::start(&args.common);
    let text = input::read_text(&args.file)?;
    let options = Options { budget: limits.budget(), ..Options::default() };
    let mut output = std::io::BufWriter::new(std::io::stdout().lock());
    let outcome =
        match run_script(&text, &options, &mut output).and_then(|outcome| output.flush().map(|()| outcome)) {
            Ok(outcome) => outcome,
            // The reader has had enough.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Outcome::default(),
            Err(error) => return Err(Refusal::new(format!("nilas: cannot write the answers: {error}"))),
        };
    if outcome.wrong_models > 0 || outcome.contradictions > 0 {
        return Ok(Exit::Internal);
    }
    Ok(if outcome.errors > 0 { Exit::Refused } else { Exit::Safe })
}
