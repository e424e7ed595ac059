//! The answer per property: what was asked about each place, and what came of it.

use super::escape;
use super::texts::Texts;
use super::{Page, Part};
use crate::report::Checked;
use nilas_c::Property;
use std::fmt::Write;

/// So many places that are safe are listed at once.
const SAFE: usize = 8;

/// The section of a page. `walks` says which execution violates a place.
pub(super) fn section(page: &Page<'_>, texts: &Texts<'_>, walks: &[Option<usize>]) -> String {
    let mut out = String::new();
    let mut properties: Vec<Property> = page.report.checked.iter().map(|it| it.finding.property).collect();
    properties.sort_unstable();
    properties.dedup();
    // Writing to a string cannot fail, here and below.
    for property in properties {
        let rows: Vec<(&Checked, Option<usize>)> = page
            .report
            .checked
            .iter()
            .zip(walks.iter().copied().chain(std::iter::repeat(None)))
            .filter(|(checked, _)| checked.finding.property == property)
            .collect();
        let _ = writeln!(
            out,
            "<div class=\"property\" data-property=\"{name}\"><h3>{name} <span class=\"muted\">{}</span></h3>",
            counted(rows.iter().map(|(checked, _)| checked.verdict)),
            name = escape::text(property.name()),
        );
        let (safe, open): (Vec<_>, Vec<_>) =
            rows.into_iter().partition(|(checked, _)| checked.verdict == "safe");
        let list = |rows: &[(&Checked, Option<usize>)]| -> String {
            let items: String = rows.iter().map(|(checked, walk)| row(checked, *walk, texts)).collect();
            format!("<ul class=\"places\">\n{items}</ul>\n")
        };
        if !open.is_empty() {
            out.push_str(&list(&open));
        }
        match safe.len() {
            0 => {}
            count if count <= SAFE && open.is_empty() => out.push_str(&list(&safe)),
            1 => _ = writeln!(out, "<details><summary>1 place is safe</summary>{}</details>", list(&safe)),
            count => {
                let _ = writeln!(
                    out,
                    "<details><summary>{count} places are safe</summary>{}</details>",
                    list(&safe)
                );
            }
        }
        out.push_str("</div>\n");
    }
    if !page.parts.is_empty() {
        let items: String = page.parts.iter().map(part).collect();
        let _ = writeln!(out, "<ul class=\"places\">\n{items}</ul>");
    }
    out
}

/// How many of each verdict there are.
fn counted<'v>(verdicts: impl Iterator<Item = &'v str>) -> String {
    let verdicts: Vec<&str> = verdicts.collect();
    let told = ["unsafe", "unknown", "safe"].iter().filter_map(|word| {
        let count = verdicts.iter().filter(|verdict| *verdict == word).count();
        (count > 0).then(|| format!("{count} {word}"))
    });
    told.collect::<Vec<_>>().join(", ")
}

fn row(checked: &Checked, walk: Option<usize>, texts: &Texts<'_>) -> String {
    let finding = &checked.finding;
    let (line, verdict) = (finding.line as usize, checked.verdict);
    let name = escape::text(&format!("{}:{line}", finding.file));
    let place = match texts.find(&finding.file) {
        Some(file) => format!("<a href=\"#L{file}-{line}\" class=\"place\">{name}</a>"),
        None => format!("<span class=\"place\">{name}</span>"),
    };
    let what = match verdict {
        "unsafe" => finding.kind().to_owned(),
        "safe" => format!("cannot happen: {}", finding.what),
        _ => format!("not known: {}", finding.what),
    };
    let mut out = format!(
        "<li class=\"{verdict}\"><span class=\"chip {verdict}\">{verdict}</span> {place} <span class=\"what\">{}</span>",
        escape::text(&what)
    );
    if let Some(expression) = &finding.expression {
        let _ = write!(out, " <code>{}</code>", escape::brief(expression, 300));
    }
    if let Some(reason) = &checked.reason {
        let _ = write!(out, " <span class=\"muted\">{}</span>", escape::text(reason));
    }
    if let Some(confirmation) = &checked.confirmation {
        let word = if confirmation.confirmed { "confirmed" } else { "unconfirmed" };
        let line = escape::text(&confirmation.line());
        let _ = write!(out, " <span class=\"confirmation {word}\">{line}</span>");
    }
    if let Some(walk) = walk {
        let _ =
            write!(out, " <button type=\"button\" class=\"walk\" data-walk=\"{walk}\">step through</button>");
    }
    out.push_str("</li>\n");
    out
}

fn part(part: &Part) -> String {
    let Part { name, verdict, reason } = part;
    let reason = reason.as_ref().map(|why| format!(" <span class=\"muted\">{}</span>", escape::text(why)));
    format!(
        "<li class=\"{verdict}\"><span class=\"chip {verdict}\">{verdict}</span> <span class=\"place\">{}</span>{}</li>\n",
        escape::text(name),
        reason.unwrap_or_default()
    )
}
