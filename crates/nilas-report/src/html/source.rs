//! The source: lines with their numbers, what was found about them, and what holds there.

use super::Page;
use super::escape;
use super::highlight::Highlighter;
use super::proof::Fact;
use super::texts::{Piece, Texts, room};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Characters of a line.
const LONGEST: usize = 400;

/// The section of a page.
pub(super) fn section(page: &Page<'_>, texts: &Texts<'_>, facts: &[Fact]) -> String {
    let mut marks: BTreeMap<(usize, usize), (&'static str, String)> = BTreeMap::new();
    for checked in &page.report.checked {
        let Some(file) = texts.find(&checked.finding.file) else { continue };
        let mark = (checked.verdict, format!("{}: {}", checked.verdict, checked.finding.headline()));
        let old = marks.entry((file, checked.finding.line as usize)).or_insert_with(|| mark.clone());
        if rank(mark.0) > rank(old.0) {
            *old = mark;
        }
    }
    let mut left = room();
    let mut out = String::new();
    // Writing to a string cannot fail, here and below.
    for (number, file) in texts.files.iter().enumerate() {
        let _ = writeln!(
            out,
            "<div class=\"file\"><h3 class=\"name\">{}</h3>\n<div class=\"text\">",
            escape::text(&file.name)
        );
        let mut highlighter = Highlighter::default();
        for piece in file.pieces(&mut left) {
            match piece {
                Piece::Hidden(count) => {
                    highlighter.skip();
                    let word = if count == 1 { "line is" } else { "lines are" };
                    let _ = writeln!(out, "<div class=\"hidden-lines\">… {count} {word} not shown</div>");
                }
                Piece::Line(line, text) => {
                    let text = crate::facts::shortened(text, LONGEST);
                    let code = if file.is_c { highlighter.line(&text) } else { escape::text(&text) };
                    let (class, title) = match marks.get(&(number, line)) {
                        Some((verdict, title)) => {
                            (format!(" marked {verdict}"), format!(" title=\"{}\"", escape::text(title)))
                        }
                        None => (String::new(), String::new()),
                    };
                    let _ = writeln!(
                        out,
                        "<div class=\"line{class}\" id=\"L{number}-{line}\"><span class=\"number\"{title}>{line}</span><span \
                         class=\"code\"><code>{code}</code><span class=\"values\"></span></span></div>"
                    );
                    for fact in facts.iter().filter(|fact| (fact.file, fact.line) == (number, line)) {
                        let _ = writeln!(out, "<div class=\"fact\">{}</div>", fact.element);
                    }
                }
            }
        }
        out.push_str("</div></div>\n");
    }
    out
}

fn rank(verdict: &str) -> u8 {
    match verdict {
        "unsafe" => 2,
        "unknown" => 1,
        _ => 0,
    }
}
