//! Formulas for people: fact by fact where they are long, and not more than can be read.

use crate::source::Source;
use crate::text::print_formula;
use nilas_term::{Arena, Term};
use std::fmt::Write;

/// Facts up to this many characters stand in one line with their heading.
const LINE: usize = 160;

/// Of longer ones, so many facts are shown, each up to so many characters.
const FACTS: usize = 20;
const LONGEST: usize = 300;

/// What is said where something is left out.
pub(crate) const LEFT_OUT: &str =
    "  What is left out here (…) is in the evidence, `--evidence FILE`, and in the report with `--json`.";

/// Facts behind a heading: in its line if they are short, else below, one in each line. Returns whether all of
/// them are there, as a whole.
pub(crate) fn told(out: &mut String, heading: &str, facts: &[String]) -> bool {
    let short = heading.len() + facts.iter().map(|fact| fact.chars().count() + 4).sum::<usize>() <= LINE;
    if short && facts.len() == 1 {
        let _ = writeln!(out, "{heading} {}", facts[0]);
        return true;
    }
    let _ = writeln!(out, "{heading}");
    lines(out, "    ", facts)
}

/// Facts, one in each line. Returns whether all of them are there, as a whole.
pub(crate) fn list(out: &mut String, indent: &str, source: &Source, arena: &Arena, facts: &[Term]) -> bool {
    let texts: Vec<String> = facts.iter().map(|&fact| print_formula(source, arena, fact)).collect();
    lines(out, indent, &texts)
}

fn lines(out: &mut String, indent: &str, facts: &[String]) -> bool {
    let mut complete = facts.len() <= FACTS;
    for text in facts.iter().take(FACTS) {
        let shown = shortened(text, LONGEST);
        complete &= shown == *text && !text.starts_with('…');
        let _ = writeln!(out, "{indent}{shown}");
    }
    if facts.len() > FACTS {
        let _ = writeln!(out, "{indent}… and {} more", facts.len() - FACTS);
    }
    complete
}

/// The start of a text.
pub(crate) fn shortened(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut() {
        let facts: Vec<String> = (0..30).map(|value| format!("x != {value}")).collect();
        let mut out = String::new();
        assert!(told(&mut out, "at a:", &facts[..1]));
        assert_eq!(out, "at a: x != 0\n");
        let mut out = String::new();
        assert!(!told(&mut out, "at a:", &facts));
        assert_eq!(out.lines().count(), 1 + FACTS + 1, "{out}");
        assert!(out.ends_with("… and 10 more\n"), "{out}");
        let mut out = String::new();
        assert!(!told(&mut out, "at a:", &[facts.join(" || ")]));
        assert!(out.ends_with("…\n") && out.lines().count() == 2, "{out}");
    }
}
