//! The invariants of the tree, asked of solvers of their own. Slow: for finding bugs.

use super::Engine;
use super::art::NodeId;
use crate::outcome::Unknown;
use nilas_smt::{Answer, Embedded, Solver};
use nilas_term::Term;

impl Engine<'_> {
    /// The tree is well-labelled: labels hold after every step from the parent's label, edges without a child
    /// cannot be taken, and covered nodes are covered by active, older ones whose labels they imply.
    pub(super) fn check_tree(&mut self) -> Result<(), Unknown> {
        let ids: Vec<NodeId> = self.tree.ids().collect();
        for id in ids {
            self.check_steps(id)?;
            let Some(by) = self.tree.node(id).covered_by else { continue };
            let same = self.tree.node(id).location == self.tree.node(by).location;
            if !(same && by < id && self.tree.is_active(by)) {
                return Err(Unknown::Internal(format!("{by:?} may not cover {id:?}")));
            }
            let (label, clauses) = (self.label(id), self.label(by));
            for clause in clauses {
                self.check_implied(&label, clause, &|| format!("{id:?} is not covered by {by:?}"))?;
            }
        }
        Ok(())
    }

    fn label(&self, id: NodeId) -> Vec<Term> {
        self.tree.node(id).label().map(|clause| clause.term).collect()
    }

    fn check_steps(&mut self, id: NodeId) -> Result<(), Unknown> {
        let location = self.tree.node(id).location.index();
        let edges = self.outgoing[location].iter().chain(&self.sink_edges[location]).copied();
        for edge in edges.collect::<Vec<_>>() {
            let mut children = self.tree.node(id).children.iter().copied();
            let child = children.find(|&child| self.tree.node(child).parent == Some((id, edge)));
            let to_target = !self.automaton.is_sink(self.automaton.edge(edge).target)
                || self.sinks.left().contains(&self.automaton.edge(edge).target);
            let clauses = match child {
                Some(child) => self.label(child),
                None if self.tree.is_expanded(id) && to_target => vec![self.arena.mk_false()],
                None => Vec::new(),
            };
            for clause in clauses {
                let mut premises = self.label(id);
                let (solver, arena, _) = self.edge(edge)?;
                premises.push(solver.transition.encoding.guard);
                let clause = solver.transition.before(arena, clause);
                self.check_implied(&premises, clause, &|| {
                    format!("{edge:?} leads out of the label of {child:?} below {id:?}")
                })?;
            }
        }
        Ok(())
    }

    fn check_implied(
        &mut self,
        premises: &[Term],
        conclusion: Term,
        what: &dyn Fn() -> String,
    ) -> Result<(), Unknown> {
        let mut solver: Embedded = Embedded::default();
        for &premise in premises {
            solver.assert(&self.arena, premise);
        }
        let negated = self.arena.not(conclusion);
        solver.assert(&self.arena, negated);
        match solver.check(&self.arena, &[], &[], self.budget) {
            Answer::Unsat => Ok(()),
            Answer::Sat => Err(Unknown::Internal(what())),
            Answer::Unknown(reason) => Err(reason.into()),
        }
    }
}
