//! Answers for several error locations, as `check` and `verify-evidence` print them.

use crate::cli::Common;
use nilas_check::{Standing, Target};
use serde_json::json;

/// All answers.
pub(crate) fn text(common: &Common, file: &str, targets: &[Target]) -> String {
    let all = Standing::of_all(targets.iter().map(|target| target.standing)).word();
    if common.json {
        let targets = targets
            .iter()
            .map(|it| json!({ "target": it.name, "verdict": it.standing.word(), "reason": it.why }));
        let targets: Vec<_> = targets.collect();
        let object = json!({ "file": file, "verdict": all, "targets": targets });
        return format!("{object:#}\n");
    }
    if common.quiet {
        return format!("{all}\n");
    }
    let lines = targets.iter().map(|it| match &it.why {
        Some(why) => format!("  {}: {}: {why}\n", it.name, it.standing.word()),
        None => format!("  {}: {}\n", it.name, it.standing.word()),
    });
    format!("{all}\n{}", lines.collect::<String>())
}
