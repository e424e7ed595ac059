//! STRENGTHENING (Fig. 3): clauses of an ancestor at the same location that hold again after the path from
//! it.
//!
//! Clause by clause, some of an ancestor's clauses come along though others do not. The paper asks the
//! formula of the path whether a clause holds, and then blocks its negation along the path, so that it
//! follows from the parent's label. Blocking answers the question too, and on long paths of large blocks it
//! is the cheaper way by far, so its negation is blocked at once, with a limit on effort; nodes on the way
//! are labelled only if that succeeds.
//!
//! Monolithically (forced covering) all clauses come or none, so the formula of the path is asked first. In
//! TREE-ITP the nodes between then get interpolants.
//!
//! Only the nearest ancestor at the location is tried: what an older one has and the nearest has not did not
//! hold again before.

use super::art::{Clause, NodeId};
use super::block::{Blocking, CONFLICTS};
use super::subpath::Subpath;
use super::{Engine, Strengthening, Variant};
use crate::outcome::Unknown;
use crate::path::PathFormula;
use crate::phase::Phase;
use nilas_program::EdgeId;
use nilas_smt::{Budget, Interrupt, Reason};
use nilas_term::{Cube, Term};
use std::time::Instant;

/// Obligations that blocking the negation of a clause may make, for each edge of the path.
const EFFORT: u64 = 6;

impl Engine<'_> {
    /// Strengthens an active node by its ancestors at the same location. Returns whether its label has
    /// changed (it may even be gone).
    pub(super) fn strengthen(&mut self, node: NodeId) -> Result<bool, Unknown> {
        let start = Instant::now();
        let location = self.tree.node(node).location;
        let nearest =
            self.tree.upwards(node).skip(1).find(|&above| self.tree.node(above).location == location);
        let mut changed = false;
        if let Some(ancestor) = nearest {
            let version = self.tree.node(ancestor).clauses.len();
            if self.strengthened.insert(node, version) != Some(version) {
                changed = self.strengthen_by(node, ancestor)?;
            }
        }
        self.statistics.times.spent(Phase::Strengthen, start);
        Ok(changed)
    }

    /// Strengthens a node by one of its ancestors.
    fn strengthen_by(&mut self, node: NodeId, ancestor: NodeId) -> Result<bool, Unknown> {
        let mut missing: Vec<Clause> = Vec::new();
        for clause in self.tree.node(ancestor).label().cloned().collect::<Vec<_>>() {
            if !self.implies_clause(node, &clause.cube, clause.term)? {
                missing.push(clause);
            }
        }
        if missing.is_empty() {
            return Ok(false);
        }
        match self.strengthening() {
            Strengthening::ByClause => self.strengthen_by_clause(node, ancestor, &missing),
            Strengthening::Monolithic => {
                Ok(self.all_hold(node, ancestor, &missing)? && self.force(node, ancestor, &missing)?)
            }
        }
    }

    /// Adds those clauses that hold again.
    fn strengthen_by_clause(
        &mut self,
        node: NodeId,
        ancestor: NodeId,
        clauses: &[Clause],
    ) -> Result<bool, Unknown> {
        let length = self.tree.node(node).depth - self.tree.node(ancestor).depth;
        let (mut changed, mut above) = (false, false);
        for clause in clauses {
            if self.tree.is_removed(node) {
                break;
            }
            let holds = if length == 1 {
                let core = self.unreachable(node, &clause.cube, Some(CONFLICTS))?;
                if let Some(core) = &core {
                    self.learn(node, if core.is_empty() { Cube::empty() } else { clause.cube.clone() });
                }
                core.is_some()
            } else {
                self.try_to_block(Self::violation(node, clause), ancestor, EFFORT * length, &mut above)?
            };
            if holds {
                self.statistics.strengthened += 1;
                changed = true;
            }
        }
        self.path_changed |= above;
        Ok(changed)
    }

    /// Adds clauses that hold again, all of them.
    fn force(&mut self, node: NodeId, ancestor: NodeId, clauses: &[Clause]) -> Result<bool, Unknown> {
        if self.variant == Variant::TreeItp && self.interpolate_between(ancestor, node, clauses)? {
            self.statistics.strengthened += clauses.len() as u64;
            return Ok(true);
        }
        let mut changed = false;
        for clause in clauses {
            if !self.tree.is_removed(node)
                && let Blocking::Blocked = self.block(Self::violation(node, clause), ancestor)?
            {
                self.statistics.strengthened += 1;
                changed = true;
            }
        }
        Ok(changed)
    }

    /// Whether all of an ancestor's clauses hold after the path from it to the node; no if it is too hard to
    /// tell.
    fn all_hold(&mut self, node: NodeId, ancestor: NodeId, clauses: &[Clause]) -> Result<bool, Unknown> {
        let edges = self.tree.edges(ancestor, node);
        let mut subpath = None;
        let mut all = true;
        for clause in clauses {
            // What follows from the parent's label needs no path.
            if self.unreachable(node, &clause.cube, Some(CONFLICTS))?.is_none() {
                if edges.len() > 1 && subpath.is_none() {
                    subpath = Some(self.subpath(ancestor, node, &edges)?);
                }
                all = match &mut subpath {
                    Some(subpath) => self.excluded_by(subpath, clause)?,
                    None => false,
                };
            }
            if !all {
                break;
            }
        }
        if let Some(subpath) = subpath {
            self.subpaths.put(edges, subpath);
        }
        Ok(all)
    }

    fn excluded_by(&mut self, subpath: &mut Subpath, clause: &Clause) -> Result<bool, Unknown> {
        let budget = Budget { conflicts: Some(CONFLICTS), ..self.budget.clone() };
        match subpath.excludes(&mut self.arena, self.automaton, &clause.cube, &budget) {
            Err(Reason::Interrupted(Interrupt::Conflicts)) => Ok(false),
            answer => Ok(answer?),
        }
    }

    /// A path that begins at a node, goes to one below it, and perhaps on, with the labels of those nodes.
    pub(super) fn subpath(
        &mut self,
        first: NodeId,
        node: NodeId,
        edges: &[EdgeId],
    ) -> Result<Subpath, Unknown> {
        let mut subpath = match self.subpaths.take(edges) {
            Some(subpath) => subpath,
            None => {
                let solver = self.observer.solver(self.settings.core.solver());
                let formula = self.path_formula(edges)?;
                Subpath::new(&self.arena, formula, solver)
            }
        };
        let labels = self.labels(first, node);
        subpath.set_labels(&mut self.arena, self.automaton, &labels);
        Ok(subpath)
    }

    /// The formula of the path over these edges.
    pub(super) fn path_formula(&mut self, edges: &[EdgeId]) -> Result<PathFormula, Unknown> {
        let mut transitions = Vec::with_capacity(edges.len());
        for edge in edges {
            let Some(solver) = &self.edges[edge.index()] else {
                return Err(Unknown::Internal(format!("{edge:?} is on a path, but cannot matter")));
            };
            transitions.push(&solver.transition);
        }
        Ok(PathFormula::new(&mut self.arena, self.automaton, &transitions))
    }

    /// The labels of the nodes from one to another below it.
    pub(super) fn labels(&self, first: NodeId, node: NodeId) -> Vec<Vec<Term>> {
        let count = self.tree.node(node).depth - self.tree.node(first).depth + 1;
        let nodes = self.tree.upwards(node).take(usize::try_from(count).unwrap_or(usize::MAX));
        let mut labels: Vec<Vec<Term>> =
            nodes.map(|above| self.tree.node(above).label().map(|clause| clause.term).collect()).collect();
        labels.reverse();
        labels
    }
}
