//! TREE-IC3-BLOCK-PATH (Fig. 2): clauses for the nodes of a path that show that it cannot be executed.
//!
//! Where the paper works on a trace `F` and copies it into the tree afterwards, clauses go straight to the
//! nodes: each of them holds after the step from the label of the parent, so the tree is well-labelled all
//! the time, also when blocking ends with a counterexample. A node that cannot be reached gets the empty
//! clause and is removed with what is below it.
//!
//! Where blocking may fail and the tree should stay as it is then ([`Engine::try_to_block`]), clauses are
//! kept aside until it has succeeded.
//!
//! Obligations are a stack. The one on top was made to block the one below it, so that the stack is also the
//! rest of an execution to its bottom.

use super::Engine;
use super::art::{Clause, NodeId};
use crate::exchange::Fact;
use crate::execution::follow;
use crate::observer::Work;
use crate::outcome::Unknown;
use crate::phase::Phase;
use crate::transition::Step;
use nilas_evidence::Execution;
use nilas_program::EdgeId;
use nilas_smt::{Budget, Interrupt, Reason};
use nilas_term::{Cube, Term, Value};
use std::time::Instant;

/// Conflicts that a question may take whose answer one can do without.
pub(super) const CONFLICTS: u64 = 2_000;

/// States at a node that are to be excluded from its label.
#[derive(Clone, Debug)]
pub(super) struct Obligation {
    pub(super) node: NodeId,
    pub(super) cube: Cube,
    /// How every state of the cube leads into the next obligation's, or into the sink; none for the negation
    /// of a clause.
    step: Option<Step>,
    /// At the root: a state of the cube.
    state: Vec<(Term, Value)>,
}

/// How blocking ended.
pub(super) enum Blocking {
    /// The first obligation is excluded, or its node is removed.
    Blocked,
    /// States of the base lead into it: the obligations on the way, the first one last.
    Reached(Vec<Obligation>),
    /// It took more effort than it was allowed to.
    GivenUp,
}

impl Engine<'_> {
    /// Fig. 2 for the path from the root to a node and over an edge to a sink. Returns an execution if there
    /// is one.
    pub(super) fn block_path(&mut self, node: NodeId, edge: EdgeId) -> Result<Option<Execution>, Unknown> {
        let start = Instant::now();
        let root = self.root;
        let mut result = None;
        while result.is_none() && !self.tree.is_removed(node) && self.feasible(node, edge)? {
            let bad = self.predecessor(node, edge, &Cube::empty())?;
            if let Blocking::Reached(obligations) = self.block(bad, root)? {
                result = Some(self.counterexample(&obligations)?);
            }
        }
        self.statistics.times.spent(Phase::Block, start);
        Ok(result)
    }

    /// Lines 6–15 of Fig. 2: excludes an obligation, and all that come from it, along the path from a node
    /// above it, the base.
    pub(super) fn block(&mut self, first: Obligation, base: NodeId) -> Result<Blocking, Unknown> {
        let mut obligations = vec![first];
        while let Some(Obligation { node, cube, step, .. }) = obligations.last().cloned() {
            self.interrupted()?;
            self.report(obligations.len());
            if self.tree.is_removed(node) {
                // Nothing leads through it any more.
                return Ok(Blocking::Blocked);
            }
            if node == base {
                return Ok(Blocking::Reached(obligations));
            }
            if self.tree.node(node).subsumes(&cube) || self.is_excluded_tentatively(node, &cube) {
                obligations.pop();
                continue;
            }
            if let Some(left) = &mut self.effort {
                let Some(less) = left.checked_sub(1) else { return Ok(Blocking::GivenUp) };
                *left = less;
            }
            match self.unreachable(node, &cube, None)? {
                Some(core) => {
                    obligations.pop();
                    let excluded = match step {
                        // The negation of a clause that is wanted as it is.
                        None if !core.is_empty() => cube,
                        _ => self.generalise(node, &cube, core)?,
                    };
                    let unreachable = excluded.is_empty();
                    if let Some(clauses) = &mut self.tentative {
                        clauses.push((node, Clause::new(&mut self.arena, excluded)));
                    } else {
                        self.learn(node, excluded);
                    }
                    if unreachable {
                        return Ok(Blocking::Blocked);
                    }
                }
                None => {
                    let Some((parent, edge)) = self.tree.node(node).parent else {
                        return Err(Unknown::Internal("the base of a path is not above it".into()));
                    };
                    let before = self.predecessor(parent, edge, &cube)?;
                    obligations.push(before);
                }
            }
        }
        Ok(Blocking::Blocked)
    }

    fn is_excluded_tentatively(&self, node: NodeId, cube: &Cube) -> bool {
        let mut clauses = self.tentative.iter().flatten();
        clauses.any(|(other, clause)| *other == node && clause.cube.is_subset_of(cube))
    }

    /// Blocks an obligation with limited effort, and labels nodes only if that succeeds. Returns whether it
    /// did; `above` is set if nodes other than the obligation's were labelled.
    pub(super) fn try_to_block(
        &mut self,
        first: Obligation,
        base: NodeId,
        effort: u64,
        above: &mut bool,
    ) -> Result<bool, Unknown> {
        let goal = first.node;
        (self.effort, self.tentative) = (Some(effort), Some(Vec::new()));
        let blocking = self.block(first, base);
        let clauses = self.tentative.take().unwrap_or_default();
        self.effort = None;
        let Blocking::Blocked = blocking? else { return Ok(false) };
        for (node, clause) in clauses {
            if !self.tree.is_removed(node) && !self.tree.node(node).subsumes(&clause.cube) {
                *above |= node != goal;
                self.learn(node, clause.cube);
            }
        }
        Ok(true)
    }

    /// The states of a node from which an edge leads into a cube the way the edge's model does.
    fn predecessor(&mut self, node: NodeId, edge: EdgeId, cube: &Cube) -> Result<Obligation, Unknown> {
        self.statistics.obligations += 1;
        let (automaton, budget, root) = (self.automaton, self.budget, self.root);
        self.observer.work(self.tree.node(node).location, Work::Obligation);
        if self.observer.wants_inputs() {
            let (solver, arena, _) = self.edge(edge)?;
            let inputs = solver.inputs(arena, automaton)?;
            self.observer.inputs(inputs);
        }
        let (solver, arena, _) = self.edge(edge)?;
        let state = if node == root { solver.state(arena, automaton)? } else { Vec::new() };
        let (step, before) = solver.predecessor(arena, automaton, cube, budget)?;
        Ok(Obligation { node, cube: before, step: Some(step), state })
    }

    /// The obligation to exclude what violates a clause.
    pub(super) fn violation(node: NodeId, clause: &Clause) -> Obligation {
        Obligation { node, cube: clause.cube.clone(), step: None, state: Vec::new() }
    }

    /// Line 9 of Fig. 2: whether the cube cannot be reached at a node from the label of its parent, and a
    /// part of the cube that suffices to see it. With a limit on conflicts, `None` is also the answer when it
    /// is too hard to tell.
    pub(super) fn unreachable(
        &mut self,
        node: NodeId,
        cube: &Cube,
        conflicts: Option<u64>,
    ) -> Result<Option<Cube>, Unknown> {
        let Some((parent, edge)) = self.tree.node(node).parent else {
            return Err(Unknown::Internal("the root has no parent".into()));
        };
        self.unreachable_over(parent, edge, cube, conflicts)
    }

    /// The same for an edge from a node, whether there is a child over it or not.
    pub(super) fn unreachable_over(
        &mut self,
        parent: NodeId,
        edge: EdgeId,
        cube: &Cube,
        conflicts: Option<u64>,
    ) -> Result<Option<Cube>, Unknown> {
        let budget = Budget { conflicts, ..self.budget.clone() };
        self.statistics.checks += 1;
        let tentative = self.tentative.iter().flatten().filter(|(node, _)| *node == parent);
        let tentative: Vec<Term> = tentative.map(|(_, clause)| clause.term).collect();
        let (solver, arena, tree) = self.edge(edge)?;
        match solver.unreachable(arena, (parent, tree.node(parent)), &tentative, cube, &budget) {
            Err(Reason::Interrupted(Interrupt::Conflicts)) => Ok(None),
            answer => Ok(answer?),
        }
    }

    /// Whether an edge can be taken from the label of a node.
    pub(super) fn feasible(&mut self, node: NodeId, edge: EdgeId) -> Result<bool, Unknown> {
        Ok(self.unreachable_over(node, edge, &Cube::empty(), None)?.is_none())
    }

    /// Adds the clause that excludes a cube to the label of a node.
    pub(super) fn learn(&mut self, node: NodeId, cube: Cube) {
        let location = self.tree.node(node).location;
        self.statistics.lemmas += 1;
        self.observer.work(location, Work::Lemma);
        if cube.is_empty() {
            self.observer.event(&|| {
                let place = &self.automaton.location(location).name;
                format!("{node:?} at {place} cannot be reached")
            });
            self.remove(node);
            return;
        }
        let clause = Clause::new(&mut self.arena, cube);
        self.observer.event(&|| {
            let place = &self.automaton.location(location).name;
            let clause = nilas_term::smtlib::print_term(&self.arena, clause.term);
            format!("{node:?} at {place}: {clause}")
        });
        self.vocabulary.note(location, &clause.cube);
        self.port.publish(&mut self.arena, &Fact::Lemma(location, clause.term));
        self.tree.strengthen(node, clause);
    }

    /// Line 8 of Fig. 2: the execution that a stack of obligations up to the root describes.
    fn counterexample(&mut self, obligations: &[Obligation]) -> Result<Execution, Unknown> {
        let state = obligations.last().map(|obligation| obligation.state.clone()).unwrap_or_default();
        let steps: Vec<&Step> =
            obligations.iter().rev().filter_map(|obligation| obligation.step.as_ref()).collect();
        let transition = |edge: EdgeId| self.edges[edge.index()].as_ref().map(|solver| &solver.transition);
        follow(&self.arena, self.automaton, &transition, state, &steps)
    }
}
