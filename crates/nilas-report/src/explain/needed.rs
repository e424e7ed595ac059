//! Which conjuncts of an accepted invariant the proof needs.
//!
//! Conjuncts are dropped as long as the evidence checker accepts what is left: first many at once, the
//! largest before others, then fewer. The result is accepted itself, so it is a proof of its own; it is
//! smallest (no conjunct can be dropped alone) if the search was not cut short.

use nilas_evidence::{Evidence, Induction, Invariant, Verdict, check};
use nilas_program::{LocationId, Program};
use nilas_smt::Budget;
use nilas_term::{Arena, Op, Term};
use std::collections::{BTreeMap, BTreeSet};

/// How often the checker is asked.
const CHECKS: usize = 80;

/// Conflicts that a single question of the checker may take: a hard one counts as needed.
const CONFLICTS: u64 = 5_000;

/// What a proof needs.
#[derive(Clone, Debug)]
pub struct Needed {
    /// Owner of the formulas.
    pub arena: Arena,
    /// The conjuncts that are left, at locations where there are any.
    pub conjuncts: BTreeMap<LocationId, Vec<Term>>,
    /// How many there were.
    pub before: usize,
    /// Whether everything that is left was tried alone.
    pub complete: bool,
}

impl Needed {
    /// How many conjuncts are left.
    #[must_use]
    pub fn len(&self) -> usize {
        self.conjuncts.values().map(Vec::len).sum()
    }

    /// Whether the program's own commands are the proof.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What is needed of an accepted invariant, as far as the budget goes.
#[must_use]
pub fn needed(program: &Program, invariant: &Invariant, budget: &Budget) -> Needed {
    let mut search = Search::new(program, invariant, budget);
    let mut order: Vec<usize> = (0..search.all.len()).collect();
    let sizes: Vec<usize> = search.all.iter().map(|&(_, term)| size(&invariant.arena, term)).collect();
    order.sort_by_key(|&index| (std::cmp::Reverse(sizes[index]), std::cmp::Reverse(index)));
    // Groups still to be tried, the next one last.
    let mut groups = vec![order];
    while let Some(group) = groups.pop() {
        if group.is_empty() || search.drop(&group) || group.len() == 1 {
            continue;
        }
        let (first, second) = group.split_at(group.len() / 2);
        groups.push(second.to_vec());
        groups.push(first.to_vec());
    }
    let mut conjuncts: BTreeMap<LocationId, Vec<Term>> = BTreeMap::new();
    for index in &search.kept {
        let (location, term) = search.all[*index];
        conjuncts.entry(location).or_default().push(term);
    }
    Needed { arena: search.arena, conjuncts, before: search.all.len(), complete: !search.cut_short }
}

struct Search<'a> {
    program: &'a Program,
    locations: Vec<LocationId>,
    induction: Induction,
    arena: Arena,
    all: Vec<(LocationId, Term)>,
    kept: BTreeSet<usize>,
    budget: Budget,
    checks: usize,
    cut_short: bool,
}

impl<'a> Search<'a> {
    fn new(program: &'a Program, invariant: &Invariant, budget: &Budget) -> Self {
        let mut all = Vec::new();
        for (&location, &formula) in &invariant.formulas {
            let children = match invariant.arena.op(formula) {
                Op::And => invariant.arena.children(formula).to_vec(),
                _ if invariant.arena.as_bool(formula) == Some(true) => Vec::new(),
                _ => vec![formula],
            };
            all.extend(children.into_iter().map(|conjunct| (location, conjunct)));
        }
        Search {
            program,
            locations: invariant.formulas.keys().copied().collect(),
            induction: invariant.induction,
            arena: invariant.arena.clone(),
            kept: (0..all.len()).collect(),
            all,
            budget: Budget { conflicts: Some(CONFLICTS), ..budget.clone() },
            checks: 0,
            cut_short: false,
        }
    }

    /// Drops these if the rest is still a proof.
    fn drop(&mut self, group: &[usize]) -> bool {
        if self.checks == CHECKS || self.budget.exhausted().is_some() {
            self.cut_short = true;
            return false;
        }
        self.checks += 1;
        let mut formulas: BTreeMap<LocationId, Vec<Term>> =
            self.locations.iter().map(|&location| (location, Vec::new())).collect();
        for index in self.kept.iter().filter(|index| !group.contains(index)) {
            let (location, term) = self.all[*index];
            formulas.entry(location).or_default().push(term);
        }
        let mut arena = self.arena.clone();
        let formulas = formulas.into_iter().map(|(location, terms)| (location, arena.and(&terms))).collect();
        let evidence = Evidence::Invariant(Invariant {
            arena,
            formulas,
            induction: self.induction,
            ..Invariant::default()
        });
        let accepted = matches!(check(self.program, &evidence, &self.budget), Ok(Verdict::Safe));
        if accepted {
            self.kept.retain(|index| !group.contains(index));
        }
        accepted
    }
}

/// The number of different subterms.
fn size(arena: &Arena, term: Term) -> usize {
    let mut seen = BTreeSet::from([term]);
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        stack.extend(arena.children(term).iter().copied().filter(|&child| seen.insert(child)));
    }
    seen.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nilas_program::parse_program;
    use nilas_term::Importer;

    /// Of three conjuncts that hold, the proof needs one.
    #[test]
    fn what_is_not_needed_is_dropped() {
        let text = "var x, y, z : bv8 entry a error e location a, b, e a -> b { x := 0; y := 0; z := 0 } \
             b -> b { x := x + 2; z := z + 4 } b -> e { assume (x & 1) == 1 }";
        let program = parse_program(text).expect("a program of this test");
        let mut arena = program.arena.clone();
        let variable = |name: &str| {
            program.automaton.variables.iter().find(|it| it.name == name).expect("a variable").term
        };
        let one = arena.bv(8, 1);
        let zero = arena.bv(8, 0);
        let mut even = |name: &str| {
            let low = arena.bv_and(variable(name), one);
            arena.eq(low, zero)
        };
        let (x, z) = (even("x"), even("z"));
        let y = arena.eq(variable("y"), zero);
        let formula = arena.and(&[x, y, z]);
        let b = program.automaton.location_ids().find(|&id| program.automaton.location(id).name == "b");
        let b = b.expect("a location");
        let mut invariant = Invariant::default();
        let formula = Importer::new().import(&mut invariant.arena, &arena, formula).expect("variables fit");
        invariant.formulas.insert(b, formula);
        let found = needed(&program, &invariant, &Budget::unlimited());
        assert!(found.complete);
        assert_eq!(found.before, 3);
        let left = &found.conjuncts[&b];
        let left: Vec<String> =
            left.iter().map(|&term| nilas_program::text::print_expression(&found.arena, term)).collect();
        assert_eq!(left.len(), 1, "{left:?}");
        assert!(left[0].contains('x'), "{left:?}");
        // Without time nothing is tried, and that is said.
        let budget = Budget::unlimited();
        budget.cancel.cancel(nilas_smt::Interrupt::Timeout);
        let found = needed(&program, &invariant, &budget);
        assert!(!found.complete && found.len() == 3);
    }
}
