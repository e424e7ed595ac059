//! What carries a proof: what holds at loops, as C, or how far loops were unrolled.

use super::escape;
use super::texts::Texts;
use super::{Proof, Question};
use crate::course;
use crate::invariant::{self, Group};
use crate::text::render_evidence;
use nilas_evidence::Evidence;
use std::fmt::Write;

/// Facts that are shown of a place, and characters of each.
const FACTS: usize = 100;
const LONGEST: usize = 1_000;
/// A proof of so few facts is shown open.
const OPEN: usize = 12;
/// Names of what a proof is about that are shown at once.
const ABOUT: usize = 6;

/// A proof as it is shown.
pub(super) struct Shown {
    about: Vec<String>,
    /// What kind of a proof it is, in words.
    said: String,
    groups: Vec<Group>,
    is_c: bool,
}

/// What holds at a line, to be shown there.
pub(super) struct Fact {
    pub(super) file: usize,
    pub(super) line: usize,
    /// The element.
    pub(super) element: String,
}

pub(super) fn shown(question: &Question<'_>, texts: &mut Texts<'_>) -> Vec<Shown> {
    let shown: Vec<Shown> = question.proofs.iter().map(|proof| self::proof(question, proof)).collect();
    for (file, line) in shown.iter().flat_map(|it| &it.groups).filter_map(|group| group.at.as_ref()) {
        texts.matters(file, *line);
    }
    shown
}

fn proof(question: &Question<'_>, proof: &Proof<'_>) -> Shown {
    let Question { program, source, .. } = question;
    let (said, groups) = match proof.evidence {
        Evidence::Invariant(it) => {
            let groups = invariant::groups(program, source, it);
            (invariant::kind(source, it, &groups), groups)
        }
        other => {
            let mut said = String::new();
            render_evidence(&mut said, (program, source), other, None, course::Trace::Full);
            (said, Vec::new())
        }
    };
    Shown { about: proof.about.clone(), said, groups, is_c: source.is_c() }
}

/// The facts of all proofs, line by line.
pub(super) fn by_line(proofs: &[Shown], texts: &Texts<'_>) -> Vec<Fact> {
    let groups = proofs.iter().flat_map(|proof| proof.groups.iter().map(|group| (proof.is_c, group)));
    let fact = |(is_c, group): (bool, &Group)| {
        let (file, line) = group.at.as_ref()?;
        let file = texts.find(file)?;
        // The line of an automaton's location is only where it is named first.
        let place = if is_c { "here" } else { &format!("at {}", group.heading) };
        let element = details(group, &format!("always true {place}: {}", count(group)), false);
        Some(Fact { file, line: *line, element })
    };
    groups.filter_map(fact).collect()
}

/// The section of a page.
pub(super) fn section(proofs: &[Shown]) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail, here and below.
    for proof in proofs {
        out.push_str("<div class=\"proof\">\n");
        out.push_str(&about(&proof.about));
        let _ = writeln!(out, "<pre class=\"said\">{}</pre>", escape::text(proof.said.trim_end()));
        let open = proof.groups.iter().flat_map(|group| &group.copies).map(Vec::len).sum::<usize>() <= OPEN;
        for group in &proof.groups {
            out.push_str(&details(group, &format!("at {}: {}", group.heading, count(group)), open));
        }
        out.push_str("</div>\n");
    }
    out
}

fn about(about: &[String]) -> String {
    let item = |it: &String| format!("<li>{}</li>", escape::text(it));
    let (first, rest) = about.split_at(about.len().min(ABOUT));
    let mut out = String::new();
    if !first.is_empty() {
        let items: String = first.iter().map(item).collect();
        let _ = writeln!(out, "<p>That this cannot happen:</p>\n<ul class=\"about\">{items}</ul>");
    }
    if !rest.is_empty() {
        let items: String = rest.iter().map(item).collect();
        let _ = writeln!(
            out,
            "<details><summary>and {} more</summary><ul class=\"about\">{items}</ul></details>",
            rest.len()
        );
    }
    out
}

/// How many facts there are.
fn count(group: &Group) -> String {
    match group.copies.iter().map(Vec::len).sum::<usize>() {
        1 => "1 fact".to_owned(),
        count => format!("{count} facts"),
    }
}

fn details(group: &Group, summary: &str, open: bool) -> String {
    let open = if open { " open" } else { "" };
    let mut out = format!("<details class=\"invariant\"{open}><summary>{}</summary>", escape::text(summary));
    for (number, facts) in group.copies.iter().enumerate() {
        if group.copies.len() > 1 {
            let _ = write!(out, "<p>copy {} of its function:</p>", number + 1);
        }
        out.push_str("<ul>");
        for fact in facts.iter().take(FACTS) {
            let _ = write!(out, "<li><code>{}</code></li>", escape::brief(fact, LONGEST));
        }
        if facts.len() > FACTS {
            let _ = write!(out, "<li>… and {} more (all of them: --json)</li>", facts.len() - FACTS);
        }
        out.push_str("</ul>");
    }
    out.push_str("</details>\n");
    out
}
