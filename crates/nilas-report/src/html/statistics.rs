//! Counters and times.

use super::Question;
use super::escape;
use std::fmt::Write;

/// Tables, a group each.
pub(super) fn section(question: &Question<'_>) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    for (group, counters) in &question.summary.statistics {
        let _ =
            write!(out, "<details><summary>{}</summary><table class=\"statistics\">", escape::text(group));
        for (name, count) in counters {
            let digits = if count.fract() == 0.0 { 0 } else { 3 };
            let _ = write!(out, "<tr><th>{}</th><td>{count:.digits$}</td></tr>", escape::text(name));
        }
        out.push_str("</table></details>\n");
    }
    out
}
