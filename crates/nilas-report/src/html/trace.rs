//! Executions to step through.

use super::Page;
use super::escape;
use super::texts::Texts;
use super::walk::{self, Change, Kind, Step, Walk};
use crate::summary::Conclusion;
use nilas_evidence::Evidence;
use serde_json::{Value as Json, json};
use std::fmt::Write;

/// All executions of a page, and for each checked place the one that violates it.
pub(super) fn walks(page: &Page<'_>, texts: &mut Texts<'_>) -> (Vec<Walk>, Vec<Option<usize>>) {
    let (mut walks, mut of) = (Vec::new(), Vec::new());
    for checked in &page.report.checked {
        let walk = match (page.report.source, &checked.course) {
            (Some(source), Some(course)) => Some(walk::of_course(source, course, checked.finding.headline())),
            _ => None,
        };
        let walk = walk.filter(|walk| !walk.steps.is_empty());
        of.push(walk.as_ref().map(|_| walks.len()));
        walks.extend(walk);
    }
    for question in &page.questions {
        let name = |given: &str| match question.name {
            Some(name) => format!("{name}: {given}"),
            None => given.to_owned(),
        };
        for (title, trace) in &question.traces {
            walks.push(walk::of_trace(question.program, question.source, trace, None, name(title)));
        }
        let summary = question.summary;
        match (&summary.course, &summary.trace, &summary.conclusion) {
            (Some(course), _, _) if of.iter().all(Option::is_none) => {
                walks.push(walk::of_course(question.source, course, name(&page.report.headline)));
            }
            (None, Some(trace), Conclusion::Unsafe(Evidence::Execution(execution))) => {
                let (program, source) = (question.program, question.source);
                let title = name(&page.report.headline);
                let walk = walk::of_trace(program, source, trace, Some(execution), title);
                if walk.steps.is_empty() {
                    continue;
                }
                // The place that the answer is about.
                let place =
                    page.report.checked.iter().position(|it| Some(&it.finding) == summary.finding.as_ref());
                if let Some(place) = place {
                    of[place] = Some(walks.len());
                }
                walks.push(walk);
            }
            _ => {}
        }
    }
    for (file, line) in walks.iter().flat_map(|walk| &walk.steps).filter_map(|step| step.at.as_ref()) {
        texts.matters(file, *line);
    }
    (walks, of)
}

/// The controls, and what is known at a step.
pub(super) fn panel(walks: &[Walk]) -> String {
    let mut out = String::from("<div class=\"panel\">\n");
    // Writing to a string cannot fail, here and below.
    if walks.len() > 1 {
        out.push_str("<p><label for=\"which\">Execution</label> <select id=\"which\">");
        for (number, walk) in walks.iter().enumerate() {
            let _ = write!(out, "<option value=\"{number}\">{}</option>", escape::brief(&walk.title, 90));
        }
        out.push_str("</select></p>\n");
    }
    out.push_str(
        "<div class=\"now\"><p id=\"said\" aria-live=\"polite\"></p></div>\n<div class=\"known\"><div><h4>Call \
         stack</h4><ol id=\"stack\"></ol></div>\n<div><h4>Values</h4><table id=\"values\"></table></div></div>\n\
         <details class=\"list\" open><summary>All steps</summary>\n",
    );
    for (number, walk) in walks.iter().enumerate() {
        let hidden = if number == 0 { "" } else { " hidden" };
        let _ = writeln!(out, "<ol class=\"steps\" data-walk=\"{number}\"{hidden}>");
        for (at, step) in walk.steps.iter().enumerate() {
            out.push_str(&item(at, step));
        }
        out.push_str("</ol>\n");
    }
    out.push_str("</details>\n</div>\n");
    out
}

/// The bar with the buttons.
pub(super) fn bar() -> &'static str {
    "<div class=\"bar\" role=\"toolbar\" aria-label=\"steps of the execution\">\
     <button type=\"button\" id=\"first\" title=\"first step (Home)\">|◀</button>\
     <button type=\"button\" id=\"back\" title=\"step back (← or k)\">◀</button>\
     <button type=\"button\" id=\"next\" title=\"next step (→ or j)\">▶</button>\
     <button type=\"button\" id=\"over\" title=\"next step of this call, over calls (o)\">↷</button>\
     <button type=\"button\" id=\"last\" title=\"the failure (End)\">▶|</button>\
     <output id=\"position\"></output><input type=\"range\" id=\"slide\" aria-label=\"step\" min=\"0\" value=\"0\"></div>\n"
}

fn item(at: usize, step: &Step) -> String {
    let class = class(step.kind);
    let indent = step.depth.saturating_sub(1).min(12);
    let line = step.at.as_ref().map(|(_, line)| format!("<span class=\"number\">{line}</span>"));
    let notes: String = step.notes.iter().map(|note| format!(" {}", note.element())).collect();
    format!(
        "<li class=\"{class}\" data-step=\"{at}\" style=\"--depth:{indent}\">{}<code>{}</code>{notes}</li>\n",
        line.unwrap_or_default(),
        escape::text(&step.text)
    )
}

fn class(kind: Kind) -> &'static str {
    match kind {
        Kind::Plain => "plain",
        Kind::Back => "back",
        Kind::Gap => "gap",
        Kind::Failure => "failure",
    }
}

/// What the script knows of an execution.
pub(super) fn data(walk: &Walk, texts: &Texts<'_>) -> Json {
    let place = |at: &Option<(String, usize)>| {
        at.as_ref().and_then(|(file, line)| texts.find(file).map(|file| json!([file, line])))
    };
    let change = |change: &Change| match change {
        Change::Forget(depth) => json!([depth]),
        Change::Set(owner, name, value) => json!([owner, name, value]),
    };
    let step = |step: &Step| {
        let notes: Vec<Json> = step.notes.iter().map(|note| json!(note.told())).collect();
        json!({
            "k": class(step.kind), "at": place(&step.at), "t": step.text, "n": notes, "d": step.depth, "s": step.stack,
            "c": step.changes.iter().map(change).collect::<Vec<_>>(),
        })
    };
    let active = |it: &walk::Active| json!([it.function, place(&it.from)]);
    let stack = |stack: &Vec<walk::Active>| stack.iter().map(active).collect::<Vec<_>>();
    json!({
        "steps": walk.steps.iter().map(step).collect::<Vec<_>>(),
        "stacks": walk.stacks.iter().map(stack).collect::<Vec<_>>(),
    })
}
