//! `nilas verify-evidence`: checks evidence that was saved.

use crate::cli::VerifyArgs;
use crate::exit::Exit;
use crate::input::{self, Refusal};
use crate::limits::Limits;
use nilas_evidence::{Rejection, Verdict, check, text};
use nilas_smt::Reason;

pub(crate) fn run(args: &VerifyArgs) -> Result<Exit, Refusal> {
    let limits = Limits::start(&args.common);
    let mut input = input::program(&args.file, &args.language)?;
    let saved = input::read_text(&args.evidence)?;
    input.lower_as(&saved)?;
    let evidence = text::parse(&input.program, &saved).map_err(|error| {
        let span = nilas_program::Span::new(error.offset, error.offset + 1);
        let diagnostic = nilas_program::Diagnostic { message: error.message, span, hint: error.hint };
        Refusal::new(diagnostic.render(&args.evidence.display().to_string(), &saved))
    })?;
    let (verdict, why, exit) = match check(&input.program, &evidence, &limits.budget()) {
        Ok(Verdict::Safe) => ("safe", None, Exit::Safe),
        Ok(Verdict::Unsafe) => ("unsafe", None, Exit::Unsafe),
        Ok(Verdict::Unmodelled) => {
            ("unknown", Some("the execution leaves what is modelled".into()), Exit::Unknown)
        }
        Err(Rejection::Undecided(reason @ Reason::Interrupted(_))) => {
            ("unknown", Some(reason.to_string()), Exit::Unknown)
        }
        Err(rejection) => ("rejected", Some(rejection.to_string()), Exit::Internal),
    };
    if args.common.json {
        let object = serde_json::json!({ "verdict": verdict, "reason": why });
        crate::print(&format!("{object:#}\n"));
        return Ok(exit);
    }
    let line = match why {
        Some(why) if !args.common.quiet => format!("{verdict}: {why}\n"),
        None if !args.common.quiet => format!("{verdict}: the evidence is accepted\n"),
        _ => format!("{verdict}\n"),
    };
    crate::print(&line);
    Ok(exit)
}
