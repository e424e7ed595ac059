//! What a path to a sink that the abstraction allows teaches.
//!
//! Either the path can be executed, or its sequence interpolants give predicates for the locations along it. Their atoms are enough for the Boolean
//! abstraction, and their conjuncts for the Cartesian one; which is why the conjuncts come when the atoms are all there already. If interpolation fails,
//! the weakest preconditions of the last steps give predicates. The states of the path are said in live variables only, because predicates are.
//!
//! Refinement is lazy: the tree is cut at the first node of the path that lacks one of its predicates, and explored anew from there.

use super::art::NodeId;
use super::{PredAbs, Task};
use crate::atoms::atoms;
use crate::observer::Work;
use crate::outcome::Unknown;
use crate::path::PathFormula;
use crate::transition::Transition;
use nilas_evidence::Execution;
use nilas_program::{EdgeId, LocationId};
use nilas_term::{Arena, Op, Term};
use std::time::Instant;

impl PredAbs<'_> {
    /// Tries the path to a node and over an edge to a sink. Returns the execution if there is one, else the tree is refined.
    pub(super) fn try_path(&mut self, node: NodeId, edge: EdgeId) -> Result<Option<Execution>, Unknown> {
        let start = Instant::now();
        let nodes = self.tree.path(node);
        let mut edges: Vec<EdgeId> =
            nodes.iter().filter_map(|&node| Some(self.tree.node(node).parent?.1)).collect();
        edges.push(edge);
        let transitions: Vec<&Transition> = edges
            .iter()
            .filter_map(|edge| self.solvers[edge.index()].as_ref().map(|it| &it.transition))
            .collect();
        let mut path = PathFormula::new(&mut self.arena, self.automaton, &transitions);
        for (edge, step) in edges.iter().zip(&mut path.steps) {
            // The guard comes first, then an equation for each variable.
            let target = self.automaton.edge(*edge).target;
            let live = |index: usize| {
                index == 0 || {
                    let id = nilas_program::VarId::new(index - 1);
                    self.live.contains(target, id)
                }
            };
            let kept: Vec<Term> =
                step.iter().enumerate().filter(|(index, _)| live(*index)).map(|(_, &term)| term).collect();
            *step = kept;
        }
        self.statistics.path_checks += 1;
        let execution = path.execution(&self.arena, self.automaton, &transitions, self.budget)?;
        if execution.is_none() {
            self.refine(&nodes, &edges, &path)?;
        }
        self.statistics.refining += start.elapsed();
        Ok(execution)
    }

    fn refine(&mut self, nodes: &[NodeId], edges: &[EdgeId], path: &PathFormula) -> Result<(), Unknown> {
        self.statistics.refinements += 1;
        let found = path.interpolants(&mut self.arena, self.automaton, self.budget)?;
        let mut pivot = None;
        if let Some(found) = &found {
            // What holds before each step; the first one is at the root, where nothing is to be said.
            let found: Vec<Term> = found[..nodes.len()].to_vec();
            let of_atoms: Vec<Vec<Term>> = found.iter().map(|&formula| atoms(&self.arena, formula)).collect();
            pivot = self.add_predicates(nodes, &of_atoms);
            if pivot.is_none() {
                let of_conjuncts: Vec<Vec<Term>> =
                    found.iter().map(|&formula| conjuncts(&self.arena, formula)).collect();
                pivot = self.add_predicates(nodes, &of_conjuncts);
            }
        }
        if pivot.is_none() {
            let preconditions = self.preconditions(edges)?;
            pivot = self.add_predicates(nodes, &preconditions);
        }
        let Some(pivot) = pivot else {
            let why = format!("no predicate was found that excludes a path of {} edges", edges.len());
            return Err(Unknown::Inapplicable(why));
        };
        let location = self.tree.node(pivot).location;
        self.observer.work(location, Work::Refinement);
        self.observer.event(&|| {
            let place = &self.automaton.location(location).name;
            format!("path of {} edges excluded, from {place} on", edges.len())
        });
        let parent = self.tree.node(pivot).parent;
        for open in self.tree.remove(pivot) {
            self.tasks.push(Task::Visit(open));
        }
        if let Some((parent, edge)) = parent {
            self.tasks.push(Task::Post(parent, edge));
        }
        Ok(())
    }

    /// Adds predicates to the locations of a path. Returns the first node whose state was computed without one of them.
    fn add_predicates(&mut self, nodes: &[NodeId], predicates: &[Vec<Term>]) -> Option<NodeId> {
        let mut pivot = None;
        for (&id, predicates) in nodes.iter().zip(predicates).skip(1) {
            let node = self.tree.node(id);
            let (location, precision) = (node.location, node.precision);
            for &predicate in predicates {
                if !self.speaks_of_live(location, predicate) {
                    continue;
                }
                let known = &mut self.predicates[location.index()];
                let place = known.iter().position(|&other| other == predicate).unwrap_or_else(|| {
                    known.push(predicate);
                    self.statistics.predicates += 1;
                    known.len() - 1
                });
                if place >= precision && pivot.is_none() {
                    pivot = Some(id);
                }
            }
        }
        pivot
    }

    /// Whether a predicate mentions nothing but live variables of its location.
    fn speaks_of_live(&self, location: LocationId, predicate: Term) -> bool {
        self.arena.as_bool(predicate).is_none()
            && self.arena.free_variables(predicate).iter().all(|variable| {
                self.variables.get(variable).is_some_and(|&variable| self.live.contains(location, variable))
            })
    }

    /// The atoms of what leads along the rest of the path, before each step. Those about inputs are left out.
    fn preconditions(&mut self, edges: &[EdgeId]) -> Result<Vec<Vec<Term>>, Unknown> {
        let mut formula = self.arena.mk_true();
        let mut found = Vec::with_capacity(edges.len());
        for &edge in edges.iter().rev() {
            let (solver, arena) = self.solver(edge)?;
            let before = solver.transition.before(arena, formula);
            formula = arena.and(&[solver.transition.encoding.guard, before]);
            found.push(atoms(arena, formula));
        }
        found.reverse();
        Ok(found)
    }
}

/// The conjuncts of a formula.
fn conjuncts(arena: &Arena, formula: Term) -> Vec<Term> {
    match arena.op(formula) {
        Op::And => arena.children(formula).to_vec(),
        _ => vec![formula],
    }
}
