//! What a path to a sink that the abstraction allows teaches.
//!
//! The last edges of the path are tried first, from the abstract state before them, and twice as many if they
//! can be taken: a short path is excluded sooner. Either the whole path can be executed, or the sequence
//! interpolants of its end give predicates for the locations along that. Their atoms are enough for the
//! Boolean abstraction, and their conjuncts for the Cartesian one; which is why the conjuncts come when the
//! atoms are all there already. If interpolation finds nothing, the weakest preconditions along the way that
//! a model picks give predicates: the atoms of a cube that cannot be reached, and if they are all there
//! already the cube as one predicate, which is always enough to exclude it. The states of the path are said
//! in live variables only, because predicates are.
//!
//! Refinement is lazy: the tree is cut at the first node of the path that lacks one of its predicates, and
//! explored anew from there.

use super::art::NodeId;
use super::{EdgeSolver, PredAbs, Refinement, Task};
use crate::atoms::atoms;
use crate::exchange::Fact;
use crate::observer::Work;
use crate::outcome::Unknown;
use crate::path::PathFormula;
use crate::phase::Phase;
use crate::transition::Transition;
use nilas_evidence::Execution;
use nilas_program::{EdgeId, LocationId};
use nilas_term::{Arena, Cube, Op, Term};
use std::time::Instant;

impl PredAbs<'_> {
    /// Tries the path to a node and over an edge to a sink. Returns the execution if there is one, else the
    /// tree is refined.
    pub(super) fn try_path(&mut self, node: NodeId, edge: EdgeId) -> Result<Option<Execution>, Unknown> {
        let start = Instant::now();
        let nodes = self.tree.path(node);
        let mut edges: Vec<EdgeId> =
            nodes.iter().filter_map(|&node| Some(self.tree.node(node).parent?.1)).collect();
        edges.push(edge);
        // That the last edge alone can be taken is known.
        let mut length = 2.min(nodes.len());
        let execution = loop {
            let first = nodes.len() - length;
            let (nodes, edges) = (&nodes[first..], &edges[first..]);
            let path = self.path_formula(nodes, edges);
            self.statistics.path_checks += 1;
            let transitions = self.transitions(edges);
            let execution = path.execution(&self.arena, self.automaton, &transitions, self.budget)?;
            match execution {
                None => {
                    self.refine(nodes, edges, &path)?;
                    break None;
                }
                Some(execution) if first == 0 => break Some(execution),
                Some(_) => length = (2 * length).min(length + first),
            }
        };
        self.statistics.times.spent(Phase::Refine, start);
        Ok(execution)
    }

    fn transitions(&self, edges: &[EdgeId]) -> Vec<&Transition> {
        let solvers = edges.iter().filter_map(|edge| self.solvers[edge.index()].as_ref());
        solvers.map(|solver| &solver.transition).collect()
    }

    /// The path over edges from nodes, with the states of the nodes, in live variables.
    fn path_formula(&mut self, nodes: &[NodeId], edges: &[EdgeId]) -> PathFormula {
        let solvers = edges.iter().filter_map(|edge| self.solvers[edge.index()].as_ref());
        let transitions: Vec<&Transition> = solvers.map(|solver| &solver.transition).collect();
        let mut path = PathFormula::new(&mut self.arena, self.automaton, &transitions);
        path.keep_live(self.automaton, edges, &self.live);
        for (index, &node) in nodes.iter().enumerate() {
            let state = path.at(&mut self.arena, self.automaton, index, self.tree.node(node).state);
            path.steps[index].push(state);
        }
        path
    }

    /// Adds predicates that exclude a path which cannot be executed, and cuts the tree where they are
    /// missing.
    fn refine(&mut self, nodes: &[NodeId], edges: &[EdgeId], path: &PathFormula) -> Result<(), Unknown> {
        self.statistics.refinements += 1;
        let mut pivot = None;
        if self.settings.refinement == Refinement::Interpolants
            && let Some(found) = path.interpolants(&mut self.arena, self.automaton, self.budget)?
        {
            let of_atoms: Vec<Vec<Term>> = found.iter().map(|&formula| atoms(&self.arena, formula)).collect();
            pivot = self.add_predicates(nodes, &of_atoms);
            if pivot.is_none() {
                let of_conjuncts: Vec<Vec<Term>> =
                    found.iter().map(|&formula| conjuncts(&self.arena, formula)).collect();
                pivot = self.add_predicates(nodes, &of_conjuncts);
            }
        }
        if pivot.is_none() {
            self.statistics.without_interpolants += 1;
            if let Some((index, cube)) = self.excluded_cube(nodes, edges)? {
                let mut predicates = vec![Vec::new(); nodes.len()];
                predicates[index] = cube.iter().flat_map(|&literal| atoms(&self.arena, literal)).collect();
                pivot = self.add_predicates(nodes, &predicates);
                if pivot.is_none() {
                    // Also the Cartesian abstraction finds that it does not hold.
                    predicates[index] = vec![self.arena.and(&cube)];
                    pivot = self.add_predicates(nodes, &predicates);
                }
            }
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

    /// A cube of states from which the rest of the path can be taken, at the first node from the end that
    /// none of them is reached at: it is carried back, along the way that a model picks, until no state of
    /// the node before leads into it.
    fn excluded_cube(
        &mut self,
        nodes: &[NodeId],
        edges: &[EdgeId],
    ) -> Result<Option<(usize, Vec<Term>)>, Unknown> {
        let mut cube = Cube::empty();
        for (index, (&node, &edge)) in nodes.iter().zip(edges).enumerate().rev() {
            let (state, automaton) = (self.tree.node(node).state, self.automaton);
            let (solver, arena) = self.solver(edge)?;
            let behind = solver.transition.preconditions(arena, &cube);
            if !self.ask(state, edge, &behind, None)? {
                let (solver, _) = self.solver(edge)?;
                let failed = solver.solver.failed();
                let needed = cube.iter().zip(&behind).filter(|(_, behind)| failed.contains(behind));
                let needed: Vec<Term> = needed.map(|(literal, _)| literal).collect();
                return Ok((index + 1 < nodes.len()).then_some((index + 1, needed)));
            }
            let (EdgeSolver { transition, solver }, arena) = self.solver(edge)?;
            (_, cube, _) = transition.predecessor(arena, automaton, &mut **solver, &cube, true)?;
        }
        Ok(None)
    }

    /// Adds predicates to the locations of a path. Returns the first node whose state was computed without
    /// one of them.
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
                    self.port.publish(&mut self.arena, &Fact::Predicate(location, predicate));
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
}

/// The conjuncts of a formula.
fn conjuncts(arena: &Arena, formula: Term) -> Vec<Term> {
    match arena.op(formula) {
        Op::And => arena.children(formula).to_vec(),
        _ => vec![formula],
    }
}
