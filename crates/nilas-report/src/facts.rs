//! Formulas for people: fact by fact where they are long, and not more than can be read.

use crate::source::Source;
use crate::text::print_formula;
use nilas_term::{Arena, Op, Term};
use std::fmt::Write;

/// A formula up to this many characters stands in one line.
const LINE: usize = 200;

/// Of longer ones, so many facts are shown, each up to so many characters.
const FACTS: usize = 20;
const LONGEST: usize = 300;

/// What is said where something is left out.
pub(crate) const LEFT_OUT: &str =
    "  What is left out here (…) is in the evidence, `--evidence FILE`, and in the report with `--json`.";

/// A formula behind a heading: in its line if it is short, else below, one fact in each line. Returns whether
/// all of it is there.
pub(crate) fn below(out: &mut String, heading: &str, source: &Source, arena: &Arena, formula: Term) -> bool {
    let text = print_formula(source, arena, formula);
    if text.chars().count() <= LINE {
        let _ = writeln!(out, "{heading} {text}");
        return true;
    }
    let _ = writeln!(out, "{heading}");
    let facts = match arena.op(formula) {
        Op::And => arena.children(formula),
        _ => &[formula],
    };
    list(out, "    ", source, arena, facts)
}

/// Facts, one in each line. Returns whether all of them are there, as a whole.
pub(crate) fn list(out: &mut String, indent: &str, source: &Source, arena: &Arena, facts: &[Term]) -> bool {
    let mut complete = facts.len() <= FACTS;
    for &fact in facts.iter().take(FACTS) {
        let text = print_formula(source, arena, fact);
        let shown = shortened(&text, LONGEST);
        complete &= shown == text;
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
    use nilas_program::parse_program;

    #[test]
    fn long_formulas_are_shown_fact_by_fact_and_cut() {
        let text = "var x : bv32 entry a error e a -> e { skip }";
        let program = parse_program(text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let source = Source::Automaton { name: "a.cfa".into(), text: text.into() };
        let mut arena = program.arena.clone();
        let x = program.automaton.variables[0].term;
        let mut facts = Vec::new();
        for value in 0..30 {
            let constant = arena.bv(32, value);
            facts.push(arena.ne(x, constant));
        }
        let mut out = String::new();
        assert!(below(&mut out, "at a:", &source, &arena, facts[0]));
        assert_eq!(out.lines().count(), 1, "{out}");

        let all = arena.and(&facts);
        let mut out = String::new();
        assert!(!below(&mut out, "at a:", &source, &arena, all));
        assert_eq!(out.lines().count(), 1 + FACTS + 1, "{out}");
        assert!(out.ends_with("… and 10 more\n"), "{out}");

        let mut negated = Vec::new();
        for &fact in &facts {
            negated.push(arena.not(fact));
        }
        let one = arena.or(&negated);
        let mut out = String::new();
        assert!(!below(&mut out, "at a:", &source, &arena, one));
        assert!(out.ends_with("…\n") && out.lines().count() == 2, "{out}");
    }
}
