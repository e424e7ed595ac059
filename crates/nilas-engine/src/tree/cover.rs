//! Covering (NODE COVERING of Fig. 3, CLOSE of lazy abstraction with interpolants): is the label of a node implied by another's?

use super::Engine;
use super::art::NodeId;
use super::block::CONFLICTS;
use super::edge::Labels;
use super::statistics::Phase;
use crate::observer::Work;
use crate::outcome::Unknown;
use nilas_smt::{Answer, Budget, Interrupt, Reason, Solver, SolverStats};
use nilas_term::{Cube, Term};
use rustc_hash::FxHashMap;
use std::time::Instant;

/// What labels imply, at one location.
pub(super) struct Implications {
    solver: Box<dyn Solver>,
    labels: Labels,
    /// Clauses that a node's label does not imply, and how many clauses the label had then.
    refuted: FxHashMap<(NodeId, Term), usize>,
}

impl Implications {
    pub(super) fn new(solver: Box<dyn Solver>) -> Self {
        Implications { solver, labels: Labels::default(), refuted: FxHashMap::default() }
    }

    pub(super) fn forget(&mut self, id: NodeId) {
        self.labels.forget(&mut *self.solver, id);
    }

    pub(super) fn stats(&self) -> SolverStats {
        self.solver.stats()
    }
}

impl Engine<'_> {
    /// CLOSE: looks for an older node that covers this one, strengthening it where that helps. Returns whether it is covered now, or gone.
    pub(super) fn close(&mut self, node: NodeId) -> Result<bool, Unknown> {
        if self.cover(node)? {
            return Ok(true);
        }
        if self.strengthen(node)? {
            return Ok(!self.tree.is_active(node) || self.cover(node)?);
        }
        Ok(false)
    }

    /// Covers an active node by an older one if its label allows it.
    pub(super) fn cover(&mut self, node: NodeId) -> Result<bool, Unknown> {
        let start = Instant::now();
        let location = self.tree.node(node).location;
        let candidates: Vec<NodeId> =
            self.tree.at(location).iter().copied().take_while(|&other| other < node).collect();
        let mut covered = false;
        for other in candidates {
            if self.tree.is_active(other) && self.implies(node, other)? {
                self.observer.event(&|| format!("{node:?} is covered by {other:?}"));
                self.observer.work(location, Work::Covering);
                self.statistics.coverings += 1;
                self.tree.cover(node, other);
                covered = true;
                break;
            }
        }
        self.statistics.spent(Phase::Cover, start);
        Ok(covered)
    }

    /// Whether the label of a node implies another's.
    fn implies(&mut self, node: NodeId, other: NodeId) -> Result<bool, Unknown> {
        let cubes: Vec<(Cube, Term)> = {
            let here = self.tree.node(node);
            let missing = self.tree.node(other).label().filter(|clause| !here.subsumes(&clause.cube));
            missing.map(|clause| (clause.cube.clone(), clause.term)).collect()
        };
        for (cube, clause) in cubes {
            if !self.implies_clause(node, &cube, clause)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the label of a node implies the clause that excludes a cube; no if it is too hard to tell.
    pub(super) fn implies_clause(
        &mut self,
        node: NodeId,
        cube: &Cube,
        clause: Term,
    ) -> Result<bool, Unknown> {
        let label = self.tree.node(node);
        if label.clauses.is_empty() {
            return Ok(false);
        }
        if label.subsumes(cube) {
            return Ok(true);
        }
        let budget = Budget { conflicts: Some(CONFLICTS), ..self.budget.clone() };
        let location = label.location.index();
        if self.implications[location].is_none() {
            let solver = self.observer.solver(self.settings.core.solver());
            self.implications[location] = Some(Implications::new(solver));
        }
        let Some(Implications { solver, labels, refuted }) = &mut self.implications[location] else {
            return Ok(false);
        };
        let version = label.clauses.len();
        if refuted.get(&(node, clause)) == Some(&version) {
            return Ok(false);
        }
        let activation = labels.activation(&mut **solver, &self.arena, node, label);
        match solver.check(&self.arena, &[activation], cube.literals(), &budget) {
            Answer::Unsat => Ok(true),
            Answer::Sat | Answer::Unknown(Reason::Interrupted(Interrupt::Conflicts)) => {
                refuted.insert((node, clause), version);
                Ok(false)
            }
            Answer::Unknown(reason) => Err(reason.into()),
        }
    }
}
