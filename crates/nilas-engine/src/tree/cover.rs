//! Covering (NODE COVERING of Fig. 3, CLOSE of lazy abstraction with interpolants): is the label of a node
//! implied by another's?

use super::Engine;
use super::art::NodeId;
use super::block::CONFLICTS;
use super::edge::Labels;
use crate::observer::Work;
use crate::outcome::Unknown;
use crate::phase::Phase;
use nilas_smt::{Answer, Budget, Interrupt, Reason, Solver, SolverStats};
use nilas_term::{Cube, Term};
use rustc_hash::FxHashMap;
use std::time::Instant;

/// How many older nodes are tried to be made cover a node, the newest first.
const FORCED: usize = 4;

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
    /// CLOSE: looks for an older node that covers this one, strengthening it where that helps. Returns
    /// whether it is covered now, or gone.
    pub(super) fn close(&mut self, node: NodeId) -> Result<bool, Unknown> {
        if self.cover(node)? {
            return Ok(true);
        }
        if self.strengthen(node)? && (!self.tree.is_active(node) || self.cover(node)?) {
            return Ok(true);
        }
        if std::mem::take(&mut self.path_changed) {
            self.close_path(node)?;
            if !self.tree.is_active(node)
                || self.strengthen(node)? && (!self.tree.is_active(node) || self.cover(node)?)
            {
                return Ok(true);
            }
        }
        self.force_cover(node)
    }

    /// Forced covering of lazy abstraction with interpolants, over one edge: if all clauses of an older node
    /// hold after the step from the parent, the node gets those that its label does not imply, and is
    /// covered.
    fn force_cover(&mut self, node: NodeId) -> Result<bool, Unknown> {
        let location = self.tree.node(node).location;
        let older = self.tree.at(location).iter().copied().take_while(|&other| other < node);
        let mut candidates: Vec<NodeId> = older.filter(|&other| self.tree.is_active(other)).collect();
        candidates.reverse();
        candidates.truncate(FORCED);
        let Some((parent, _)) = self.tree.node(node).parent else { return Ok(false) };
        for other in candidates {
            let versions = (self.tree.node(parent).clauses.len(), self.tree.node(other).clauses.len());
            if self.forced.insert((node, other), versions) == Some(versions) {
                continue;
            }
            let Some(missing) = self.missing(node, other)? else { continue };
            for cube in missing {
                self.statistics.forced += 1;
                self.learn(node, cube);
            }
            return self.cover(node);
        }
        Ok(false)
    }

    /// What the clauses of another node exclude and the label of this one does not, if none of it can be
    /// reached from the parent.
    fn missing(&mut self, node: NodeId, other: NodeId) -> Result<Option<Vec<Cube>>, Unknown> {
        let label: Vec<(Cube, Term)> =
            self.tree.node(other).label().map(|clause| (clause.cube.clone(), clause.term)).collect();
        let mut missing = Vec::new();
        for (cube, clause) in label {
            if !self.implies_clause(node, &cube, clause)? {
                if self.unreachable(node, &cube, Some(CONFLICTS))?.is_none() {
                    return Ok(None);
                }
                missing.push(cube);
            }
        }
        Ok(Some(missing))
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
        self.statistics.times.spent(Phase::Cover, start);
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
