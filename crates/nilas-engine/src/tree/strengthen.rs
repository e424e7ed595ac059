//! STRENGTHENING (Fig. 3): clauses of an ancestor at the same location that hold again after the path from it.
//!
//! Whether a clause does is asked of the formula of the path, with the labels of the nodes between. Then those labels are
//! strengthened by blocking its negation along the path, so that it follows from the parent's label, and it is added. Clause by clause, some of an ancestor's clauses come
//! along though others do not; monolithically (forced covering) all come or none.

use super::art::{Clause, NodeId};
use super::block::{Blocking, CONFLICTS};
use super::statistics::Phase;
use super::subpath::Subpath;
use super::{Engine, Strengthening, Variant};
use crate::outcome::Unknown;
use crate::path::PathFormula;
use nilas_program::EdgeId;
use nilas_smt::{Budget, Interrupt, Reason};
use nilas_term::Term;
use std::time::Instant;

impl Engine<'_> {
    /// Strengthens an active node by its ancestors at the same location. Returns whether its label has changed (it may even be gone).
    pub(super) fn strengthen(&mut self, node: NodeId) -> Result<bool, Unknown> {
        let start = Instant::now();
        let location = self.tree.node(node).location;
        let ancestors: Vec<NodeId> = self
            .tree
            .upwards(node)
            .skip(1)
            .filter(|&above| self.tree.node(above).location == location)
            .collect();
        let nearest = ancestors.first().copied();
        let oldest = ancestors.last().copied().filter(|_| ancestors.len() > 1);
        let mut changed = false;
        for ancestor in nearest.into_iter().chain(oldest) {
            let version = self.tree.node(ancestor).clauses.len();
            if self.strengthened.insert((ancestor, node), version) == Some(version) {
                continue;
            }
            changed |= self.strengthen_by(node, ancestor)?;
            if self.tree.is_removed(node) {
                break;
            }
        }
        self.statistics.spent(Phase::Strengthen, start);
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
        let holding = self.holding(node, ancestor, missing)?;
        if holding.is_empty() {
            return Ok(false);
        }
        if self.variant == Variant::TreeItp && self.interpolate_between(ancestor, node, &holding)? {
            self.statistics.strengthened += holding.len() as u64;
            return Ok(true);
        }
        let mut changed = false;
        for clause in holding {
            if self.tree.is_removed(node) {
                break;
            }
            if !self.tree.node(node).subsumes(&clause.cube)
                && let Blocking::Blocked = self.block(Self::violation(node, &clause), ancestor)?
            {
                self.statistics.strengthened += 1;
                changed = true;
            }
        }
        Ok(changed)
    }

    /// Those of an ancestor's clauses that hold after the path from it to the node; monolithically, none unless all do.
    fn holding(
        &mut self,
        node: NodeId,
        ancestor: NodeId,
        clauses: Vec<Clause>,
    ) -> Result<Vec<Clause>, Unknown> {
        let monolithic = self.strengthening() == Strengthening::Monolithic;
        let mut subpath = None;
        let mut holding = Vec::with_capacity(clauses.len());
        for clause in clauses {
            // What follows from the parent's label needs no path.
            let mut holds = self.unreachable(node, &clause.cube, Some(CONFLICTS))?.is_some();
            if !holds && self.tree.node(node).parent.is_none_or(|(parent, _)| parent != ancestor) {
                let path = match subpath.take() {
                    Some(path) => path,
                    None => self.subpath(ancestor, node, self.tree.edges(ancestor, node))?,
                };
                holds = self.excluded_by(subpath.insert(path), &clause)?;
            }
            if holds {
                holding.push(clause);
            } else if monolithic {
                holding.clear();
                break;
            }
        }
        if let Some(subpath) = subpath {
            self.subpaths.put(self.tree.edges(ancestor, node), subpath);
        }
        Ok(holding)
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
        edges: Vec<EdgeId>,
    ) -> Result<Subpath, Unknown> {
        let mut subpath = match self.subpaths.take(&edges) {
            Some(subpath) => subpath,
            None => {
                let solver = self.observer.solver(self.settings.core.solver());
                let formula = self.path_formula(&edges)?;
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
