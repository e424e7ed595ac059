//! An inductive invariant from the states that were enumerated.
//!
//! The disjunction of all states is one, but to check it takes a case for every state. Mostly far less is
//! enough: few clauses that no reached state violates. They are learnt from counterexamples to induction, as
//! in ICE (Garg, Löding, Madhusudan, Neider, CAV 2014), with the states as the teacher: a state that leads to
//! a sink, or out of a lemma, is none of them, since every step from a reached state leads to one. The cube of
//! its classes is widened, variable by variable, as long as no reached state is in it; that it is not is the
//! lemma. Every lemma excludes an abstract state that was not excluded before, so this ends.

use super::{EdgeSolver, Enumeration, give_up};
use crate::outcome::{Unknown, invariant};
use nilas_evidence::Invariant;
use nilas_program::{EdgeId, LocationId, VarId};
use nilas_smt::Answer;
use nilas_term::Term;

/// Classes of the variables that are tracked at a location, from one to another each.
type Ranges = Vec<(u32, u32)>;

/// A cube that no reached state is in.
struct Excluded {
    location: LocationId,
    literals: Vec<Term>,
}

impl Enumeration<'_> {
    /// Lemmas that exclude the sinks and are inductive together.
    pub(super) fn invariant(&mut self) -> Result<Invariant, Unknown> {
        self.start_solvers();
        let mut lemmas: Vec<Excluded> = Vec::new();
        let to_sinks = self.automaton.edge_ids().filter(|&edge| {
            let target = self.automaton.edge(edge).target;
            self.solvers[edge.index()].is_some() && self.automaton.is_sink(target)
        });
        for edge in to_sinks.collect::<Vec<_>>() {
            self.exclude(edge, &[], &mut lemmas)?;
        }
        let mut next = 0;
        while next < lemmas.len() {
            let Excluded { location, literals } = &lemmas[next];
            let (edges, literals) = (self.relevant.incoming[location.index()].clone(), literals.clone());
            for edge in edges {
                self.exclude(edge, &literals, &mut lemmas)?;
            }
            next += 1;
        }
        self.lemmas = lemmas.len() as u64;
        let mut formulas: Vec<Vec<Term>> = vec![Vec::new(); self.automaton.locations.len()];
        for Excluded { location, literals } in &lemmas {
            let cube = self.arena.and(literals);
            formulas[location.index()].push(self.arena.not(cube));
        }
        let locations = self.automaton.location_ids().filter(|&location| !self.automaton.is_sink(location));
        let locations: Vec<LocationId> = locations.collect();
        let formula = |location: LocationId| (location, self.arena.and(&formulas[location.index()]));
        let formulas: Vec<(LocationId, Term)> = locations.into_iter().map(formula).collect();
        invariant(&self.arena, formulas)
    }

    /// Learns lemmas until no state that they allow leads over an edge into a cube.
    fn exclude(&mut self, edge: EdgeId, cube: &[Term], lemmas: &mut Vec<Excluded>) -> Result<(), Unknown> {
        let source = self.automaton.edge(edge).source;
        let Some(EdgeSolver { next, .. }) = &mut self.solvers[edge.index()] else { return Ok(()) };
        let after: Vec<Term> = cube.iter().map(|&it| next.apply(&mut self.arena, it)).collect();
        loop {
            if let Some(why) = self.budget.exhausted() {
                return Err(Unknown::Interrupted(why));
            }
            let Some(EdgeSolver { solver, .. }) = &mut self.solvers[edge.index()] else { return Ok(()) };
            match solver.check(&self.arena, &[], &after, self.budget) {
                Answer::Unsat => return Ok(()),
                Answer::Unknown(reason) => return Err(reason.into()),
                Answer::Sat => {}
            }
            let mut classes = Vec::new();
            for &id in &self.tracked[source.index()] {
                let value = solver.value(&self.arena, self.automaton.variable(id).term)?;
                let Some(class) = self.cuts.class(id, &value) else {
                    return give_up("a value that is in no class");
                };
                classes.push(class);
            }
            let widened = self.widened(source, &classes)?;
            let mut literals = Vec::new();
            for (&id, &range) in self.tracked[source.index()].iter().zip(&widened) {
                if !self.is_all(id, range) {
                    literals.extend(self.cuts.literals(&mut self.arena, self.automaton, id, range));
                }
            }
            let violated = self.arena.and(&literals);
            let lemma = self.arena.not(violated);
            self.observer.lemmas(source, &self.arena, &[lemma]);
            for &edge in &self.relevant.outgoing[source.index()] {
                if let Some(EdgeSolver { solver, .. }) = &mut self.solvers[edge.index()] {
                    solver.assert(&self.arena, lemma);
                }
            }
            lemmas.push(Excluded { location: source, literals });
        }
    }

    fn is_all(&self, variable: VarId, (low, high): (u32, u32)) -> bool {
        low == 0 && high + 1 == self.cuts.count(self.automaton, variable)
    }

    /// The classes of a state that is not reached, widened as far as no reached state is among them.
    fn widened(&self, location: LocationId, classes: &[u32]) -> Result<Ranges, Unknown> {
        let reached: Vec<&[u32]> = self
            .nodes
            .iter()
            .filter(|node| node.location == location)
            .map(|node| &node.classes[..])
            .collect();
        let is_free = |ranges: &[(u32, u32)]| {
            let is_in =
                |state: &[u32]| state.iter().zip(ranges).all(|(it, (low, high))| low <= it && it <= high);
            !reached.iter().any(|state| is_in(state))
        };
        let mut ranges: Ranges = classes.iter().map(|&class| (class, class)).collect();
        if !is_free(&ranges) {
            return Err(Unknown::Internal("a reached state leads where no reached state is".to_owned()));
        }
        let tracked = &self.tracked[location.index()];
        // Whole variables first: what is not said at all makes the shortest lemmas.
        for (index, &id) in tracked.iter().enumerate() {
            let before = ranges[index];
            ranges[index] = (0, self.cuts.count(self.automaton, id) - 1);
            if !is_free(&ranges) {
                ranges[index] = before;
            }
        }
        for (index, &id) in tracked.iter().enumerate() {
            let last = self.cuts.count(self.automaton, id) - 1;
            while ranges[index].1 < last {
                ranges[index].1 += 1;
                if !is_free(&ranges) {
                    ranges[index].1 -= 1;
                    break;
                }
            }
            while ranges[index].0 > 0 {
                ranges[index].0 -= 1;
                if !is_free(&ranges) {
                    ranges[index].0 += 1;
                    break;
                }
            }
        }
        Ok(ranges)
    }
}
