//! Labels by interpolation (§5): sequence interpolants of a path that cannot be executed.
//!
//! The paper interpolates the whole path. Here the last edges of it are tried first, with the labels that
//! their nodes have, and twice as many if that does not contradict itself: interpolants of a short path are
//! found sooner and say less about where it came from.
//!
//! TREE-IC3+ITP takes interpolants apart into clauses ([`cnf`](super::cnf)), and uses none of a path's if
//! those are too large. TREE-ITP attaches them as they are, each as a clause of one literal. Where
//! interpolation finds nothing within its limits, paths are blocked as in Fig. 2 by all variants: its clauses
//! are a sequence of interpolants too (§5).

use super::art::{Clause, NodeId};
use super::cnf;
use super::edge::EdgeSolver;
use super::{Engine, Variant};
use crate::outcome::Unknown;
use crate::path::sequence_interpolants;
use crate::phase::Phase;
use nilas_program::EdgeId;
use nilas_smt::interpolate::{InterpolateOptions, Method, Style};
use nilas_smt::{Budget, Interrupt, Reason};
use nilas_term::{Cube, Term};
use std::time::Instant;

/// What interpolation may cost.
struct Limits {
    /// Different terms that the edges of a path may have together.
    terms: usize,
    /// How often a path may have been at the location of its last node.
    visits: usize,
    /// Solver checks that the word-level way may take per interpolant.
    checks: u32,
    /// Which interpolants are looked for.
    style: Style,
    method: Method,
}

/// Where there is another way to label a path, long tries do not pay, and interpolants that have not closed a
/// loop by now will not do so later.
const HYBRID: Limits = Limits { terms: 400, visits: 3, checks: 20, style: Style::Post, method: Method::Auto };
/// Without another way, interpolants from the error back are better than those from the entry on, which
/// describe where a path came from, and than those of a proof, which are in bits.
const ALONE: Limits =
    Limits { terms: 20_000, visits: usize::MAX, checks: 60, style: Style::Pre, method: Method::Word };

/// Conflicts that one of those checks may take.
const CHECK_CONFLICTS: u64 = 300;
/// Conflicts that a proof may take, and nodes that an interpolant from it may have.
const CONFLICTS: u64 = 2_000;
const NODES: usize = 500;

/// What a path ends in.
#[derive(Clone, Copy)]
enum End<'a> {
    /// An edge to a sink.
    Edge(EdgeId),
    /// A state of the last node that violates one of these clauses.
    Violation(&'a [Clause]),
}

impl Engine<'_> {
    /// Labels nodes on the path to a node and over an edge to a sink by interpolants, if there are good ones.
    pub(super) fn interpolate_path(&mut self, node: NodeId, edge: EdgeId) -> Result<(), Unknown> {
        let start = Instant::now();
        let path = self.tree.path(node);
        let location = self.tree.node(node).location;
        let visits = path.iter().filter(|&&other| self.tree.node(other).location == location).count();
        if visits > self.limits().visits {
            self.statistics.not_tried += 1;
            return Ok(());
        }
        let mut length = 1;
        while length < path.len() {
            let first = path[path.len() - 1 - length];
            if !self.is_small(&self.tree.edges(first, node)) {
                self.statistics.not_tried += 1;
                break;
            }
            if self.is_infeasible(first, node, edge)? {
                let found = self.interpolants(first, node, End::Edge(edge))?;
                if let Some(interpolants) = found {
                    self.attach(&path[path.len() - length..], &interpolants);
                } else {
                    self.statistics.not_found += 1;
                }
                break;
            }
            length = if length + 1 == path.len() { path.len() } else { (2 * length).min(path.len() - 1) };
        }
        self.statistics.times.spent(Phase::Interpolate, start);
        Ok(())
    }

    fn limits(&self) -> Limits {
        if self.variant == Variant::TreeItp { ALONE } else { HYBRID }
    }

    /// Whether a path is small enough to be interpolated.
    fn is_small(&self, edges: &[EdgeId]) -> bool {
        let sizes = edges.iter().filter_map(|edge| self.edges[edge.index()].as_ref()).map(EdgeSolver::size);
        sizes.sum::<usize>() <= self.limits().terms
    }

    /// Forced covering: a node whose label can be strengthened by clauses of an ancestor, all of which hold
    /// again, gets them, and the nodes between get interpolants. Returns whether that was so.
    pub(super) fn interpolate_between(
        &mut self,
        ancestor: NodeId,
        node: NodeId,
        clauses: &[Clause],
    ) -> Result<bool, Unknown> {
        if !self.is_small(&self.tree.edges(ancestor, node)) {
            self.statistics.not_tried += 1;
            return Ok(false);
        }
        let start = Instant::now();
        let found = self.interpolants(ancestor, node, End::Violation(clauses))?;
        let mut attached = false;
        if let Some(mut interpolants) = found {
            let mut path: Vec<NodeId> =
                self.tree.upwards(node).take_while(|&above| above != ancestor).collect();
            path.reverse();
            // The last interpolant implies the clauses.
            interpolants.pop();
            attached = self.attach(&path[..path.len() - 1], &interpolants);
            for clause in clauses {
                if attached && !self.tree.is_removed(node) {
                    self.learn(node, clause.cube.clone());
                }
            }
        } else {
            self.statistics.not_found += 1;
        }
        self.statistics.times.spent(Phase::Interpolate, start);
        Ok(attached)
    }

    /// Whether the end of a path cannot be executed from the label of its first node; no if it is too hard to
    /// tell.
    fn is_infeasible(&mut self, first: NodeId, node: NodeId, edge: EdgeId) -> Result<bool, Unknown> {
        let mut edges = self.tree.edges(first, node);
        edges.push(edge);
        let mut subpath = self.subpath(first, node, &edges)?;
        let budget = Budget { conflicts: Some(CONFLICTS), ..self.budget.clone() };
        let answer = subpath.excludes(&mut self.arena, self.automaton, &Cube::empty(), &budget);
        self.subpaths.put(edges, subpath);
        match answer {
            Err(Reason::Interrupted(Interrupt::Conflicts)) => Ok(false),
            answer => Ok(answer?),
        }
    }

    /// What holds at each node behind `first`, from the labels on the path, such that the end of the path
    /// contradicts it.
    fn interpolants(
        &mut self,
        first: NodeId,
        node: NodeId,
        end: End<'_>,
    ) -> Result<Option<Vec<Term>>, Unknown> {
        let automaton = self.automaton;
        let mut edges = self.tree.edges(first, node);
        if let End::Edge(edge) = end {
            edges.push(edge);
        }
        let formula = self.path_formula(&edges)?;
        let labels = self.labels(first, node);
        let mut parts = formula.steps.clone();
        if let End::Violation(clauses) = end {
            let clauses: Vec<Term> = clauses.iter().map(|clause| clause.term).collect();
            let all = self.arena.and(&clauses);
            let violated = self.arena.not(all);
            parts.push(vec![formula.at(&mut self.arena, automaton, edges.len(), violated)]);
        }
        for (index, label) in labels.iter().enumerate() {
            for &clause in label {
                parts[index].push(formula.at(&mut self.arena, automaton, index, clause));
            }
        }
        let limits = self.limits();
        let options = InterpolateOptions {
            method: limits.method,
            style: limits.style,
            checks: limits.checks,
            check_conflicts: CHECK_CONFLICTS,
            conflicts: CONFLICTS,
            nodes: NODES,
            ..InterpolateOptions::default()
        };
        let budget = Budget { conflicts: Some(CONFLICTS), ..self.budget.clone() };
        let found = sequence_interpolants(&mut self.arena, &parts, &options, &budget)?;
        // The ends, *true* and *false*, belong to no node.
        Ok(found.map(|formulas| {
            let inner = formulas[1..formulas.len() - 1].iter().enumerate();
            inner.map(|(index, &term)| formula.back(&mut self.arena, automaton, index + 1, term)).collect()
        }))
    }

    /// Adds interpolants to the labels of the nodes of a path, unless their clauses are too large. Returns
    /// whether they were added.
    fn attach(&mut self, path: &[NodeId], interpolants: &[Term]) -> bool {
        let mut labels: Vec<Vec<Cube>> = Vec::with_capacity(interpolants.len());
        for &interpolant in interpolants {
            let cubes = if self.variant == Variant::TreeItp {
                // The constants are no literals.
                match self.arena.as_bool(interpolant) {
                    Some(true) => Some(Vec::new()),
                    Some(false) => Some(vec![Cube::empty()]),
                    None => Some(vec![Cube::new([self.arena.not(interpolant)])]),
                }
            } else {
                let limit = self.settings.largest_clauses * cnf::size(&self.arena, interpolant);
                cnf::clauses(&mut self.arena, interpolant, limit)
            };
            let Some(cubes) = cubes else {
                self.statistics.too_large += 1;
                return false;
            };
            labels.push(cubes);
        }
        self.statistics.interpolated += interpolants.len() as u64;
        for (&node, cubes) in path.iter().zip(labels) {
            for cube in cubes {
                if self.tree.is_removed(node) {
                    return true;
                }
                if !self.tree.node(node).subsumes(&cube) {
                    self.learn(node, cube);
                }
            }
        }
        true
    }
}
