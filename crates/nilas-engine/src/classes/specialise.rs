//! A large edge from one state: what the state says is put into the edge's terms before anything is asked.
//!
//! One edge of a state machine is its whole loop: hundreds of branches, of which a state takes a few. A solver
//! that is told the state by assumptions still propagates through all of them. So where the class of a variable
//! is a single value, that is put into the terms; and so are the answers of comparisons with constants, which
//! are the same for all values of a class. What is left of the edge is small, and has a solver of its own. It
//! enumerates the successors of the state, and is told of states that were reached elsewhere only when it has
//! found many of them: most states have few successors.

use super::cuts::Cuts;
use super::{CONFLICTS, Enumeration, give_up};
use crate::outcome::Unknown;
use crate::phase::add_solver;
use nilas_program::{EdgeId, LocationId, VarId};
use nilas_smt::{Answer, Budget, Solver};
use nilas_term::{Arena, Substitution, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// Edges with fewer terms are asked as they are.
const LARGE: usize = 500;
/// A state must leave no more than one part in so many of an edge.
const PART: usize = 4;
/// After so many states that left more, one after the other, it is not tried with the edge any more.
const TRIES: u32 = 8;
/// So many steps lead to states that are known until the solver is told of all of them.
const MOST_KNOWN: usize = 16;
/// The arena for what is left of edges begins anew when it has grown by so many terms.
const MOST_TERMS: usize = 400_000;

/// A comparison of a variable with a constant: true of all values of a class, or of none.
pub(super) type Comparison = (Term, VarId);

/// What a state leaves of an edge.
struct Specialised {
    solver: Box<dyn Solver>,
    /// From each variable that is tracked at the target to its value there.
    after: Substitution,
}

/// How many terms these are made of.
pub(super) fn size(arena: &Arena, mut stack: Vec<Term>) -> usize {
    let mut seen = FxHashSet::default();
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            stack.extend_from_slice(arena.children(term));
        }
    }
    seen.len()
}

/// The comparisons in terms, if these are many; else none are needed.
pub(super) fn comparisons(arena: &Arena, cuts: &Cuts, size: usize, mut stack: Vec<Term>) -> Vec<Comparison> {
    let (mut seen, mut found) = (FxHashSet::default(), Vec::new());
    while let Some(term) = stack.pop().filter(|_| size >= LARGE) {
        if seen.insert(term) {
            found.extend(cuts.comparison(arena, term).map(|(variable, _, _)| (term, variable)));
            stack.extend_from_slice(arena.children(term));
        }
    }
    found
}

impl Enumeration<'_> {
    /// Makes all states that come after one over an edge, if the state leaves little of it. Whether it did.
    pub(super) fn successors_of_large(&mut self, node: usize, edge: EdgeId) -> Result<bool, Unknown> {
        let target = self.automaton.edge(edge).target;
        let Some(mut rest) = self.specialise(node, edge) else { return Ok(false) };
        let mut known = 0;
        while self.can_step(&mut rest)? {
            let mut classes = Vec::with_capacity(self.tracked[target.index()].len());
            for &id in &self.tracked[target.index()] {
                let after = rest.after.apply(&mut self.scratch, self.automaton.variable(id).term);
                let value = rest.solver.value(&self.scratch, after)?;
                let Some(class) = self.cuts.class(id, &value) else {
                    return give_up("a value that is in no class");
                };
                classes.push(class);
            }
            self.exclude_state(&mut rest, target, &classes);
            if !self.known.contains(&(target, classes.clone())) {
                self.reach(target, classes, (node, edge))?;
                continue;
            }
            known += 1;
            if known == MOST_KNOWN {
                let at_target = self.nodes.iter().filter(|node| node.location == target);
                let all: Vec<Vec<u32>> = at_target.map(|node| node.classes.clone()).collect();
                all.iter().for_each(|classes| self.exclude_state(&mut rest, target, classes));
            }
        }
        add_solver(&mut self.counters, rest.solver.stats());
        Ok(true)
    }

    /// Whether a state can take an edge to a sink; `None` if the state leaves much of the edge.
    pub(super) fn step_over_large(&mut self, node: usize, edge: EdgeId) -> Result<Option<bool>, Unknown> {
        let Some(mut rest) = self.specialise(node, edge) else { return Ok(None) };
        let answer = self.can_step(&mut rest)?;
        add_solver(&mut self.counters, rest.solver.stats());
        Ok(Some(answer))
    }

    /// What a state leaves of an edge, if the edge is large and that is little.
    fn specialise(&mut self, node: usize, edge: EdgeId) -> Option<Specialised> {
        let Enumeration { automaton, arena, scratch, cuts, tracked, nodes, core, observer, .. } = self;
        let edge_solver = self.solvers[edge.index()].as_mut()?;
        let size_before = edge_solver.size;
        if size_before < LARGE || edge_solver.in_vain >= TRIES || nodes[node].classes.is_empty() {
            return None;
        }
        if scratch.len() > arena.len() + MOST_TERMS {
            *scratch = arena.clone();
        }
        let (source, target) = (automaton.edge(edge).source, automaton.edge(edge).target);
        let mut known = Substitution::new();
        // One value of each class.
        let mut values = FxHashMap::default();
        let mut literals = Vec::new();
        for (&id, &class) in tracked[source.index()].iter().zip(&nodes[node].classes) {
            let (value, is_only) = cuts.value(scratch, automaton, id, class)?;
            values.insert(id, value);
            if is_only {
                known.insert(automaton.variable(id).term, value);
            } else {
                literals.extend(cuts.literals(scratch, automaton, id, (class, class)));
            }
        }
        for &(comparison, id) in &edge_solver.comparisons {
            if let Some(&value) = values.get(&id) {
                let mut put = Substitution::from_iter([(automaton.variable(id).term, value)]);
                let answer = put.apply(scratch, comparison);
                known.insert(comparison, answer);
            }
        }
        let encoding = &edge_solver.transition.encoding;
        let guard = known.apply(scratch, encoding.guard);
        let mut after = Substitution::new();
        let mut left = vec![guard];
        for &id in &tracked[target.index()] {
            let value = known.apply(scratch, encoding.next.get(id));
            after.insert(automaton.variable(id).term, value);
            left.push(value);
        }
        if size(scratch, left) > size_before / PART {
            edge_solver.in_vain += 1;
            return None;
        }
        edge_solver.in_vain = 0;
        self.specialised += 1;
        let mut solver = observer.solver(core.solver());
        solver.assert(scratch, guard);
        literals.iter().for_each(|&literal| solver.assert(scratch, literal));
        Some(Specialised { solver, after })
    }

    fn can_step(&mut self, rest: &mut Specialised) -> Result<bool, Unknown> {
        let budget = Budget { conflicts: Some(CONFLICTS), ..self.budget.clone() };
        match rest.solver.check(&self.scratch, &[], &[], &budget) {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown(reason) => match self.budget.exhausted() {
                Some(why) => Err(Unknown::Interrupted(why)),
                None => give_up(&format!("steps between states are too hard: {reason}")),
            },
        }
    }

    /// No step has to lead to a state any more.
    fn exclude_state(&mut self, rest: &mut Specialised, target: LocationId, classes: &[u32]) {
        let mut other = Vec::new();
        for (&id, &class) in self.tracked[target.index()].iter().zip(classes) {
            for literal in self.cuts.literals(&mut self.scratch, self.automaton, id, (class, class)) {
                let after = rest.after.apply(&mut self.scratch, literal);
                other.push(self.scratch.not(after));
            }
        }
        let other = self.scratch.or(&other);
        rest.solver.assert(&self.scratch, other);
    }
}
