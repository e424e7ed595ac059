//! `nilas verify-evidence`: checks evidence that was saved.

use crate::challenge;
use crate::cli::VerifyArgs;
use crate::exit::Exit;
use crate::input::{self, Input, Refusal};
use crate::limits::Limits;
use crate::real::{Judgement, judge};
use nilas_c::UnknownFunctions;
use nilas_evidence::{Evidence, Rejection, Verdict, check, text};
use nilas_smt::{Budget, Reason};

pub(crate) fn run(args: &VerifyArgs) -> Result<Exit, Refusal> {
    let limits = Limits::start(&args.common);
    let saved = input::read_text(&args.evidence)?;
    if saved.starts_with(challenge::HEADING) {
        return choices(args, &saved);
    }
    let mut input = input::program(&args.file, &args.language)?;
    input.lower_as(&saved)?;
    let evidence = text::parse(&input.program, &saved).map_err(|error| {
        let span = nilas_program::Span::new(error.offset, error.offset + 1);
        let diagnostic = nilas_program::Diagnostic { message: error.message, span, hint: error.hint };
        Refusal::new(diagnostic.render(&args.evidence.display().to_string(), &saved))
    })?;
    admissible(&evidence, input.unknown_functions(), args.language.unknown_functions)?;
    let (verdict, why, exit) = match check(&input.program, &evidence, &limits.budget()) {
        Ok(Verdict::Safe) => ("safe", None, Exit::Safe),
        Ok(Verdict::Unsafe) => match doubt(&input, &evidence) {
            None => ("unsafe", None, Exit::Unsafe),
            Some(on) => ("unknown", Some(format!("the execution relies on {on}")), Exit::Unknown),
        },
        Ok(Verdict::Unmodelled) => {
            ("unknown", Some("the execution leaves what is modelled".into()), Exit::Unknown)
        }
        Err(Rejection::Undecided(reason @ Reason::Interrupted(_))) => {
            ("unknown", Some(reason.to_string()), Exit::Unknown)
        }
        Err(rejection) => ("rejected", Some(rejection.to_string()), Exit::Internal),
    };
    tell(args, verdict, why, exit)
}

fn tell(args: &VerifyArgs, verdict: &str, why: Option<String>, exit: Exit) -> Result<Exit, Refusal> {
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

/// Runs the program with the choices that were saved.
fn choices(args: &VerifyArgs, saved: &str) -> Result<Exit, Refusal> {
    let tree = input::tree(&args.file, &args.language)?;
    let wrong = |error| Refusal::new(format!("nilas: `{}`, {error}", args.evidence.display()));
    let choices = nilas_run::choice::ChoiceFile::parse(saved).map_err(wrong)?;
    let challenge = challenge::Challenge::new(&tree, args.language.check_undefined);
    let time = args.common.timeout.map_or(std::time::Duration::MAX, std::time::Duration::from_secs_f64);
    let (verdict, why, exit) = match challenge.repeat(&choices, time) {
        Ok(()) => ("unsafe", None, Exit::Unsafe),
        Err(why) => ("unknown", Some(why), Exit::Unknown),
    };
    tell(args, verdict, why, exit)
}

/// What is assumed of unknown functions is the user's to say, not the evidence's: a proof may allow them more
/// than that, an execution may make use of less.
fn admissible(evidence: &Evidence, made: UnknownFunctions, asked: UnknownFunctions) -> Result<(), Refusal> {
    let enough = match evidence {
        Evidence::Execution(_) => made <= asked,
        Evidence::Invariant(_) | Evidence::Unwinding(_) | Evidence::Run => made >= asked,
    };
    if enough {
        return Ok(());
    }
    Err(Refusal::new(format!(
        "nilas: the evidence was made with `--unknown-functions {}`: it says nothing about `--unknown-functions {}`",
        made.name(),
        asked.name()
    )))
}

/// What keeps an execution from being one of the program.
fn doubt(input: &Input, evidence: &Evidence) -> Option<String> {
    let Evidence::Execution(execution) = evidence else { return None };
    match judge(input, execution, &Budget::unlimited()) {
        Judgement::Real(_) => None,
        Judgement::Doubtful { on, .. } => Some(on),
    }
}
