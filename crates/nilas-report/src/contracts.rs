//! Contracts of procedures for people: what each needs and does, a fact per line.

use crate::facts::{self, LEFT_OUT};
use crate::source::Source;
use crate::text::print_formula;
use nilas_evidence::{Contract, Contracts, conjuncts};
use nilas_term::{Arena, Op, Term};
use std::fmt::Write;

/// Writes the contracts. What is inside of procedures is left to the evidence file.
pub(crate) fn render(out: &mut String, source: &Source, contracts: &Contracts) {
    // Writing to a string cannot fail, so results of `write!` are dropped here.
    let _ = writeln!(out, "proof by contracts, each of which holds if the others do:");
    let mut complete = true;
    let arena = &contracts.arena;
    for (name, Contract { requires, ensures }) in &contracts.procedures {
        let name = name.trim_end_matches("()");
        let needed = facts_of(source, arena, *requires);
        if !needed.is_empty() {
            complete &= facts::told(out, &format!("  `{name}` is called only where:"), &needed);
        }
        let done = facts_of(source, arena, *ensures);
        complete &= match done.is_empty() {
            true => {
                let _ = writeln!(out, "  `{name}` comes back with anything");
                true
            }
            false => facts::told(out, &format!("  `{name}` comes back only where:"), &done),
        };
    }
    if !complete {
        let _ = writeln!(out, "{LEFT_OUT}");
    }
}

/// The facts of a formula; that a variable is as it was is none.
fn facts_of(source: &Source, arena: &Arena, formula: Term) -> Vec<String> {
    let name = |term: Term| arena.name(term).unwrap_or_default();
    let is_kept = |part: Term| match (arena.op(part), arena.children(part)) {
        (Op::Eq, &[left, right]) => {
            nilas_evidence::entry_name(name(left)) == name(right)
                || nilas_evidence::entry_name(name(right)) == name(left)
        }
        _ => false,
    };
    let parts = conjuncts(arena, formula).into_iter();
    let parts = parts.filter(|&part| arena.as_bool(part) != Some(true) && !is_kept(part));
    parts.map(|part| print_formula(source, arena, part)).collect()
}
