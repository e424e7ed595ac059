//! Answers for several error locations, as `check` and `verify-evidence` print them.

use crate::cli::Common;
use nilas_check::{Standing, Target};
use serde_json::{Value as Json, json};

fn all(targets: &[Target]) -> &'static str {
    Standing::of_all(targets.iter().map(|target| target.standing)).word()
}

/// All answers as an object.
pub(crate) fn object(file: &str, targets: &[Target]) -> Json {
    let told = targets
        .iter()
        .map(|it| json!({ "target": it.name, "verdict": it.standing.word(), "reason": it.why }));
    let told: Vec<_> = told.collect();
    json!({ "file": file, "verdict": all(targets), "targets": told })
}

/// All answers.
pub(crate) fn text(common: &Common, targets: &[Target]) -> String {
    let all = all(targets);
    if common.quiet {
        return format!("{all}\n");
    }
    let lines = targets.iter().map(|it| match &it.why {
        Some(why) => format!("  {}: {}: {why}\n", it.name, it.standing.word()),
        None => format!("  {}: {}\n", it.name, it.standing.word()),
    });
    format!("{all}\n{}", lines.collect::<String>())
}
