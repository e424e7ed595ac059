//! What is known though nothing was decided, and what a person can try.

use crate::summary::{Conclusion, Reach, Summary};
use crate::why::{Cause, Why};
use std::fmt::Write;

/// Writes how far engines came, and what to try, below an *unknown*.
pub(crate) fn render(out: &mut String, summary: &Summary) {
    let Conclusion::Unknown(why) = &summary.conclusion else { return };
    // Writing to a string cannot fail, so results of `write!` are dropped here.
    let told = so_far(&summary.reach);
    if !told.is_empty() {
        let _ = writeln!(out, "so far:");
        for line in told {
            let _ = writeln!(out, "  {line}");
        }
    }
    for advice in advice(why) {
        let _ = writeln!(out, "to try: {advice}");
    }
}

/// How far engines came; those of which nothing can be said that helps are named together.
pub(crate) fn so_far(reach: &[Reach]) -> Vec<String> {
    let helps = |reach: &&Reach| reach.steps > 0 || reach.lemmas > 0;
    let mut lines: Vec<String> = reach.iter().filter(helps).filter_map(told).collect();
    let others = reach.iter().filter(|reach| !helps(reach) && told(reach).is_some());
    let others: Vec<&str> = others.map(|reach| reach.engine).collect();
    if !others.is_empty() {
        let also = if lines.is_empty() { "tried" } else { "also tried" };
        lines.push(format!("{also}: {}", others.join(", ")));
    }
    lines
}

/// How far one engine came.
fn told(reach: &Reach) -> Option<String> {
    let Reach { engine, steps, lemmas, nodes } = *reach;
    let counted = |count: u64, one: &str| match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {one}s"),
    };
    let mut parts = Vec::new();
    if steps > 0 {
        parts.push(format!("no error found within {} from loop to loop", counted(steps, "step")));
    }
    if lemmas > 0 {
        parts.push(counted(lemmas, "lemma"));
    }
    if nodes > 0 {
        parts.push(counted(nodes, "node"));
    }
    (!engine.is_empty() && !parts.is_empty()).then(|| format!("{engine}: {}", parts.join(", ")))
}

pub(crate) fn advice(why: &Why) -> &'static [&'static str] {
    match why.cause {
        Cause::Time => &["a larger --timeout", "--explain, which says where the engines are stuck"],
        Cause::Memory => &["a larger --memory-limit", "a single engine, as in --engine ic3cfa"],
        Cause::Unchecked => &["a larger --timeout: the evidence is there and was not checked in time"],
        Cause::Unmodelled if why.text.contains("has no body") => {
            &["--unknown-functions nothing, if that function changes nothing"]
        }
        Cause::Undefined => &["--check-undefined, which shows an execution to the undefined behaviour"],
        Cause::Unmodelled | Cause::Unsupported | Cause::Rejected | Cause::Internal | Cause::Other => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::why::Why;

    #[test]
    fn an_unknown_says_what_is_known() {
        let text = "time limit reached".to_owned();
        let mut summary = Summary::of(Conclusion::Unknown(Why { cause: Cause::Time, text }), None);
        let bmc = Reach { engine: "bmc", steps: 41, ..Reach::default() };
        let ic3 = Reach { engine: "ic3cfa", steps: 1, lemmas: 120, ..Reach::default() };
        let nodes = |engine| Reach { engine, nodes: 2, ..Reach::default() };
        summary.reach = vec![bmc, nodes("states"), ic3, Reach { engine: "run", ..Reach::default() }];
        let mut out = String::new();
        render(&mut out, &summary);
        assert_eq!(
            out,
            "so far:\n  bmc: no error found within 41 steps from loop to loop\n  ic3cfa: no error found within 1 \
             step from loop to loop, 120 lemmas\n  also tried: states\nto try: a larger --timeout\nto try: --explain, which says where \
             the engines are stuck\n"
        );
    }
}
