//! `nilas validate`: asks the library about a witness, and prints what it says.

use crate::cli::ValidateArgs;
use crate::exit::Exit;
use nilas_check::{Options, Refusal, Session, Silent, Text, Validated};
use serde_json::json;

pub(crate) fn run(args: &ValidateArgs) -> Result<Exit, Refusal> {
    let options = Options {
        registry: crate::registry().clone(),
        checker_threads: args.common.checker_threads,
        limits: args.common.limits(),
        ..Options::default()
    };
    let (task, witness) = (args.task()?, Text::File(args.witness()));
    let session = Session::start(&options.limits);
    let validated = session.validate(&task, &witness, &options, &mut Silent)?;
    let (word, why, exit) = match &validated {
        Validated::Confirmed(why) => ("confirmed", why, Exit::Safe),
        Validated::Refuted(why) => ("refuted", why, Exit::Unsafe),
        Validated::Unknown(why) => ("unknown", why, Exit::Unknown),
    };
    let told = if args.common.json {
        let object = json!({ "file": task.name(), "witness": witness.name(), "answer": word, "reason": why });
        format!("{object:#}\n")
    } else if args.common.quiet {
        format!("{word}\n")
    } else {
        format!("{word}: {why}\n")
    };
    crate::print(&told);
    Ok(exit)
}
