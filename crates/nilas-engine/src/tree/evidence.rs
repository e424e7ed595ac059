//! The invariant that a complete tree is: at each location, the disjunction over its active nodes.
//!
//! A covered node is left out, its coverer is weaker and there. A node whose label is implied by the others
//! at its location is left out too, first by syntax, then by asking; both keep the disjunction as it is, so
//! nothing about inductiveness has to be asked again.

use super::Engine;
use super::art::NodeId;
use crate::outcome::{Unknown, invariant};
use nilas_evidence::Invariant;
use nilas_program::LocationId;
use nilas_smt::{Answer, Budget, Interrupt, Reason};
use nilas_term::Term;

/// Conflicts that one question may take, and questions at one location.
const CONFLICTS: u64 = 500;
const QUESTIONS: usize = 200;

impl Engine<'_> {
    /// The invariant of a complete tree.
    pub(super) fn invariant(&mut self) -> Result<Invariant, Unknown> {
        let locations = self.automaton.location_ids().filter(|&location| !self.automaton.is_sink(location));
        let mut formulas = Vec::new();
        for location in locations {
            let matters = self.relevant.contains(location);
            let formula = if matters { self.formula_at(location)? } else { self.arena.mk_true() };
            formulas.push((location, formula));
        }
        invariant(&self.arena, formulas)
    }

    /// The states at a location that the tree has.
    fn formula_at(&mut self, location: LocationId) -> Result<Term, Unknown> {
        let active: Vec<NodeId> =
            self.tree.at(location).iter().copied().filter(|&id| self.tree.is_active(id)).collect();
        // Of two nodes with the same label the older one stays.
        let implied_by = |node: NodeId, other: NodeId| {
            let mut label = self.tree.node(other).label();
            label.all(|clause| self.tree.node(node).subsumes(&clause.cube))
        };
        let weakest: Vec<NodeId> = active
            .iter()
            .copied()
            .filter(|&node| {
                !active.iter().any(|&other| {
                    other != node && implied_by(node, other) && (other < node || !implied_by(other, node))
                })
            })
            .collect();
        let mut labels: Vec<Term> = Vec::with_capacity(weakest.len());
        for node in weakest {
            let clauses: Vec<Term> = self.tree.node(node).label().map(|clause| clause.term).collect();
            labels.push(self.arena.and(&clauses));
        }
        self.without_implied(&mut labels)?;
        Ok(self.arena.or(&labels))
    }

    /// Leaves out formulas of a disjunction that the others imply, the newest first.
    fn without_implied(&mut self, labels: &mut Vec<Term>) -> Result<(), Unknown> {
        if labels.len() < 2 {
            return Ok(());
        }
        let budget = Budget { conflicts: Some(CONFLICTS), ..self.budget.clone() };
        let mut solver = self.observer.solver(self.settings.core.solver());
        for index in (0..labels.len()).rev().take(QUESTIONS) {
            let mut assumptions = vec![labels[index]];
            for (other, &label) in labels.iter().enumerate() {
                if other != index {
                    assumptions.push(self.arena.not(label));
                }
            }
            match solver.check(&self.arena, &[], &assumptions, &budget) {
                Answer::Unsat => {
                    labels.remove(index);
                }
                Answer::Sat | Answer::Unknown(Reason::Interrupted(Interrupt::Conflicts)) => {}
                Answer::Unknown(reason) => return Err(reason.into()),
            }
        }
        Ok(())
    }
}
