//! What the lemmas of an invariant follow from: hints for the evidence checker.
//!
//! While it searches, the engine knows of a lemma that it follows from the frame before, not from which
//! lemmas: those of a level have one activation. So at the fixpoint each lemma is asked about once more over
//! each edge, with every lemma before the edge as an assumption of its own, and the failed assumptions are
//! the hint. Where a lemma before the edge is a part of the precondition (thesis 5.5), no question is needed.
//! Lemmas at infinity are asserted for ever, so they are always premises. Only what takes a few conflicts is
//! told, and all questions together may take a part of the work that the proof took. What this costs and saves
//! is in `benchmarks/results/checker-premises.txt`.

use super::Ic3Cfa;
use crate::analyses::houdini::effort;
use crate::outcome::Unknown;
use crate::pdr::Level;
use nilas_evidence::Premises;
use nilas_program::{EdgeId, LocationId};
use nilas_smt::Budget;
use nilas_term::{Cube, Term};
use std::collections::BTreeMap;

/// Conflicts that one question may take. With more, telling costs more than checking saves.
const CONFLICTS: u64 = 5;
/// Of the work so far, what the questions may take together.
const SHARE: u64 = 16;
/// What they may always take.
const ALLOWANCE: u64 = 20_000;

/// The lemmas of a location.
struct Known {
    /// With the cubes that they exclude.
    finite: Vec<(Cube, Term)>,
    infinite: Vec<Term>,
}

impl Ic3Cfa<'_, '_> {
    /// What the lemmas of the inductive frame `level` follow from, in the terms of the engine.
    pub(super) fn premises(&mut self, level: Level) -> Result<Premises, Unknown> {
        let mut left = (self.effort_so_far() / SHARE).max(ALLOWANCE);
        let automaton = self.instance.map.automaton;
        let mut regions: BTreeMap<(LocationId, LocationId), Vec<EdgeId>> = BTreeMap::new();
        for edge in automaton.edge_ids().filter(|edge| self.instance.map.solvers[edge.index()].is_some()) {
            let ends = (automaton.edge(edge).source, automaton.edge(edge).target);
            regions.entry(ends).or_default().push(edge);
        }
        let mut premises = Premises::default();
        for ((from, to), edges) in regions {
            let known = self.known(level, from);
            // With one lemma there is nothing to choose from.
            if known.finite.len() + known.infinite.len() < 2 {
                continue;
            }
            let lemmas: Vec<(Cube, Term)> = match automaton.is_sink(to) {
                true => vec![(Cube::default(), self.arena.mk_false())],
                false => self.frames.frame(level, to).map(|it| (it.cube.clone(), it.clause)).collect(),
            };
            for (cube, lemma) in lemmas {
                let mut all = Some(Vec::new());
                for &edge in &edges {
                    match (self.premises_over(edge, &known, &cube, &mut left)?, &mut all) {
                        (Some(more), Some(all)) => all.extend(more),
                        _ => all = None,
                    }
                }
                if let Some(used) = all {
                    premises.tell(from, to, lemma, used);
                }
            }
        }
        Ok(premises)
    }

    fn known(&self, level: Level, location: LocationId) -> Known {
        let (mut finite, mut infinite) = (Vec::new(), Vec::new());
        for lemma in self.frames.frame(level, location) {
            match lemma.level {
                Level::INFINITE => infinite.push(lemma.clause),
                _ => finite.push((lemma.cube.clone(), lemma.clause)),
            }
        }
        Known { finite, infinite }
    }

    /// The lemmas before an edge that suffice to exclude a cube behind it; `None` if that is not known, and
    /// cannot be found out with the work that is left.
    fn premises_over(
        &mut self,
        edge: EdgeId,
        known: &Known,
        cube: &Cube,
        left: &mut u64,
    ) -> Result<Option<Vec<Term>>, Unknown> {
        let budget = Budget { conflicts: Some(CONFLICTS), ..self.budget.clone() };
        let (solver, arena) = self.solver(edge)?;
        let preconditions = solver.preconditions(arena, cube);
        if preconditions.iter().any(|&before| arena.as_bool(before) == Some(false)) {
            return Ok(Some(Vec::new()));
        }
        let before = Cube::new(preconditions.iter().copied().chain(solver.transition.assumed.iter()));
        if let Some((_, lemma)) = known.finite.iter().find(|(cube, _)| cube.is_subset_of(&before)) {
            return Ok(Some(vec![*lemma]));
        }
        if *left == 0 {
            return Ok(None);
        }
        let finite: Vec<Term> = known.finite.iter().map(|(_, lemma)| *lemma).collect();
        let before = effort(&solver.frame.stats());
        let needed = solver.frame.needed(arena, &finite, &preconditions, &budget)?;
        *left = left.saturating_sub(effort(&solver.frame.stats()).saturating_sub(before));
        self.statistics.relative_checks += 1;
        Ok(needed.map(|finite| finite.into_iter().chain(known.infinite.iter().copied()).collect()))
    }
}
