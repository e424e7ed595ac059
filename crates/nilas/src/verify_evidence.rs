//! `nilas verify-evidence`: asks the library about saved evidence, and prints what it says.

use crate::cli::{Common, VerifyArgs};
use crate::exit::Exit;
use crate::places;
use crate::resort;
use crate::targets;
use nilas_check::{Assumption, Options, Refusal, Session, Text, Verified};
use nilas_report::Trace;
use nilas_smt::Interrupt;
use serde_json::json;

pub(crate) fn run(args: &VerifyArgs) -> Result<Exit, Refusal> {
    let options = Options {
        checker_threads: args.common.checker_threads,
        unreplayed: args.unreplayed.into(),
        limits: args.common.limits(),
        ..Options::default()
    };
    let evidence = Text::File(args.evidence());
    // That the evidence cannot be read is told first.
    let evidence = Text::Given { name: evidence.name(), bytes: evidence.bytes()? };
    let task = args.files().task(&args.language)?;
    let session = Session::start(&options.limits);
    let common = args.common.clone();
    let unknown = move |why: Interrupt| told(&common, "", &Verified::unknown(why.to_string()));
    resort::watch(session.clock(), unknown);
    let verified = session.verify(&task, &evidence, &options);
    std::mem::forget(session);
    let verified = verified?;
    resort::tell(&told(&args.common, &task.name(), &verified));
    Ok(Exit::of(verified.standing))
}

fn told(common: &Common, file: &str, verified: &Verified) -> String {
    if let Some(found) = &verified.places {
        return match common.json {
            true => format!("{:#}\n", places::verified(file, found, &verified.assumptions)),
            false => places::text(common, found, &verified.assumptions, (None, Trace::Short)),
        };
    }
    if !verified.targets.is_empty() {
        return match common.json {
            true => format!("{:#}\n", targets::object(file, &verified.targets)),
            false => targets::text(common, &verified.targets),
        };
    }
    let Verified { word, why, assumptions, repeated, .. } = verified;
    if common.json {
        let repeated = repeated.as_ref().map(|repeated| match repeated {
            Ok(reached) => json!({ "place": reached.place, "what": reached.what }),
            Err(why) => json!({ "not": why }),
        });
        let assumption = |it: &Assumption| json!({ "kind": it.kind, "text": it.text });
        let assumptions: Vec<_> = assumptions.iter().map(assumption).collect();
        let object =
            json!({ "verdict": word, "reason": why, "assumptions": assumptions, "repeated": repeated });
        return format!("{object:#}\n");
    }
    if common.quiet {
        return format!("{word}\n");
    }
    let mut text = match why {
        Some(why) => format!("{word}: {why}\n"),
        None => format!("{word}: the evidence is accepted\n"),
    };
    for assumption in assumptions {
        text += &format!("assuming: {}\n", assumption.text);
    }
    match repeated {
        Some(Ok(reached)) => text += &format!("repeated in C: {} at {}\n", reached.what, reached.place),
        Some(Err(why)) => text += &format!("not repeated in C: {why}\n"),
        None => {}
    }
    text
}
