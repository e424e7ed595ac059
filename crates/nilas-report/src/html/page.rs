//! The page: its parts in order, with style and script.

use super::frames;
use super::proof;
use super::texts::Texts;
use super::walk::Walk;
use super::{Page, Question};
use super::{answers, escape, source, statistics, trace};
use crate::explain;
use crate::summary::{Conclusion, Reached};
use crate::text;
use crate::unknown;
use serde_json::{Value as Json, json};
use std::fmt::Write;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// Nothing is loaded from anywhere.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; \
                      form-action 'none'";

/// Goals whose automata are shown.
const QUESTIONS: usize = 20;

/// The whole page.
#[must_use]
pub fn render(page: &Page<'_>) -> String {
    let questions = &page.questions[..page.questions.len().min(QUESTIONS)];
    let sources = questions.iter().map(|question| question.source).chain(page.report.source).collect();
    let mut texts = Texts::new(sources);
    for checked in page.report.checked.iter().filter(|checked| checked.verdict != "safe") {
        texts.matters(&checked.finding.file, checked.finding.line as usize);
    }
    for checked in &page.report.checked {
        texts.matters(&checked.finding.file, checked.finding.line as usize);
    }
    let (walks, of_places) = trace::walks(page, &mut texts);
    let proofs: Vec<Vec<proof::Shown>> = questions.iter().map(|it| proof::shown(it, &mut texts)).collect();
    let graphs: Vec<frames::Shown<'_>> =
        questions.iter().map(|question| frames::Shown::new(question, &mut texts)).collect();
    texts.all();
    let all_proofs: Vec<proof::Fact> = proofs.iter().flat_map(|it| proof::by_line(it, &texts)).collect();
    let mut body = head(page);
    body.push_str("<main>\n");
    body.push_str(&notes(page));
    section(&mut body, "answers", "Answers", &answers::section(page, &texts, &of_places));
    for question in questions {
        section(&mut body, "reach", "What is known, and what to try", &known(question));
    }
    let lines = source::section(page, &texts, &all_proofs);
    body.push_str(&walking(&walks, &lines, &executions(page)));
    for ((number, question), (proof, graph)) in questions.iter().enumerate().zip(proofs.iter().zip(&graphs)) {
        let named = |title: &str| match question.name {
            Some(name) => format!("{title}: {name}"),
            None => title.to_owned(),
        };
        section(&mut body, "proof", &named("Proof"), &proof::section(proof));
        section(&mut body, "automaton", &named("Automaton"), &graph.section(number));
        if let Some(explanation) = &question.summary.explanation {
            let said = explain::text(question.program, question.source, explanation);
            let said = format!("<pre class=\"said\">{}</pre>\n", escape::text(said.trim()));
            section(&mut body, "explanation", &named("What the engine did"), &said);
        }
        section(&mut body, "statistics", &named("Statistics"), &statistics::section(question));
    }
    let left = page.questions.len() - questions.len();
    if left > 0 {
        let _ = writeln!(
            body,
            "<p class=\"muted\">{left} more goals have their answers above, and no more here.</p>"
        );
    }
    body.push_str("</main>\n");
    let data: Json = json!({
        "walks": walks.iter().map(|walk| trace::data(walk, &texts)).collect::<Vec<_>>(),
        "graphs": graphs.iter().map(|graph| graph.data(&texts)).collect::<Vec<_>>(),
        "files": texts.files.iter().map(|file| &file.name).collect::<Vec<_>>(),
    });
    let title = escape::text(&format!("{}: {}", page.report.name, page.report.verdict));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\" \
         content=\"{POLICY}\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>\n{STYLE}\
         </style>\n</head>\n<body>\n{body}<script type=\"application/json\" id=\"data\">{}</script>\n<script>\n{SCRIPT}\
         </script>\n</body>\n</html>\n",
        escape::data(&data)
    )
}

/// A part of the page, unless it is empty.
fn section(out: &mut String, id: &str, title: &str, content: &str) {
    if !content.is_empty() {
        // Writing to a string cannot fail, here and below.
        let _ =
            writeln!(out, "<section class=\"{id}\"><h2>{}</h2>\n{content}</section>", escape::text(title));
    }
}

/// The verdict, in one line.
fn head(page: &Page<'_>) -> String {
    let report = &page.report;
    let verdict = if report.error.is_some() { "error" } else { report.verdict };
    let nothing = report.verdict == "safe"
        && report.checked.is_empty()
        && report.source.is_some_and(crate::source::Source::is_c);
    let class = if nothing { "nothing" } else { verdict };
    let said = match &report.error {
        Some(_) => "there is no answer",
        None => {
            report.headline.strip_prefix(report.verdict).unwrap_or(&report.headline).trim_start_matches(": ")
        }
    };
    let engine = page.questions.iter().find_map(|question| question.summary.engine);
    let engine = engine.filter(|_| report.verdict != "unknown" && report.error.is_none());
    let engine = engine.map(|engine| format!(" · found by {}", escape::text(engine))).unwrap_or_default();
    format!(
        "<header class=\"{class}\"><div><span class=\"chip {class}\">{verdict}</span>\n<h1>{}</h1>\n<p \
         class=\"muted\">{}{engine} · Nilas {}</p></div>\n<button type=\"button\" id=\"theme\" title=\"light or \
         dark\">◐</button></header>\n",
        escape::text(said),
        escape::text(&report.name),
        escape::text(report.version)
    )
}

/// Errors, warnings, assumptions.
fn notes(page: &Page<'_>) -> String {
    let mut out = String::new();
    if let Some(error) = &page.report.error {
        let _ = writeln!(out, "<pre class=\"error\">{}</pre>", escape::text(error));
    }
    let list = |class: &str, word: &str, texts: &[String]| {
        let item = |it: &String| format!("<li>{word}{}</li>\n", escape::text(it));
        let items: String = texts.iter().map(item).collect();
        if items.is_empty() { String::new() } else { format!("<ul class=\"{class}\">\n{items}</ul>\n") }
    };
    out.push_str(&list("warnings", "", &page.report.warnings));
    out.push_str(&list("assumptions", "assuming: ", &page.report.assumptions));
    out
}

/// What is known though nothing was decided, and what to try.
fn known(question: &Question<'_>) -> String {
    let Conclusion::Unknown(why) = &question.summary.conclusion else { return String::new() };
    let mut out = String::new();
    let reach = unknown::so_far(&question.summary.reach);
    let advice = unknown::advice(why);
    let item = |text: &str| format!("<li>{}</li>", escape::text(text));
    if !reach.is_empty() {
        let items: String = reach.iter().map(|it| item(it)).collect();
        let _ = writeln!(out, "<p>So far:</p>\n<ul>{items}</ul>");
    }
    if !advice.is_empty()
        && (!reach.is_empty() || question.summary.engine.is_some() || question.source.is_c())
    {
        let items: String = advice.iter().map(|it| item(it)).collect();
        let _ = writeln!(out, "<p>To try:</p>\n<ul>{items}</ul>");
    }
    out
}

/// The source, with executions to step through.
fn walking(walks: &[Walk], lines: &str, executions: &str) -> String {
    if walks.is_empty() {
        let mut out = String::new();
        section(&mut out, "executions", "Execution", executions);
        section(&mut out, "source", "Source", lines);
        return out;
    }
    format!(
        "<section class=\"trace\" id=\"trace\"><h2>Execution</h2>\n{}<div class=\"grid\"><div class=\"source\" \
         tabindex=\"0\">\n{lines}</div>\n{}</div>\n<p class=\"keys muted\">Keys: <kbd>→</kbd> or <kbd>j</kbd> next, \
         <kbd>←</kbd> or <kbd>k</kbd> back, <kbd>o</kbd> over calls, <kbd>Home</kbd> first, <kbd>End</kbd> the \
         failure.</p>\n{executions}</section>\n",
        trace::bar(),
        trace::panel(walks)
    )
}

/// Executions of which only the choices and the end are known.
fn executions(page: &Page<'_>) -> String {
    let mut out = String::new();
    let mut tell = |reached: &Reached, why: &str| {
        let said = text::reached(reached, crate::course::Trace::Full);
        let _ = writeln!(
            out,
            "<p>{}</p>\n<pre class=\"said\">{}</pre>",
            escape::text(why),
            escape::text(said.trim_end())
        );
    };
    for checked in page.report.checked.iter().filter(|checked| checked.course.is_none()) {
        if let Some(reached) = &checked.reached {
            tell(reached, &format!("{}: its inputs, and where it ends", checked.finding.headline()));
        }
    }
    for question in &page.questions {
        if let Some(Err(why)) = &question.summary.replayed {
            let _ = writeln!(out, "<p class=\"muted\">not repeated in C: {}</p>", escape::text(why));
        }
    }
    out
}
