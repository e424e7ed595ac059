//! Implicit predicate abstraction on location-local frames (IC3IA: Cimatti, Griggio, Mover, Tonetta, TACAS 2014; CTIGAR:
//! Birgmeier, Bradley, Weissenbacher, CAV 2014).
//!
//! Every location has its own predicates. An obligation is replaced by what the predicates of its location say about the state
//! that was found, so there are only finitely many at a level. Relative inductiveness is asked with the
//! exact transition relation and the abstract cube, as in CTIGAR: lemmas are as sound as any. But only some states of an
//! abstract cube lead into the next one. So when a chain with one reaches the entry, its edges are tried as a
//! path: either that can be executed, or its sequence interpolants give new predicates for the locations along it, as in
//! IC3IA. Where that yields none, obligations are not abstracted any more in this run, so that there is always progress.

use super::Ic3Cfa;
use super::obligation::{ObligationId, Queue};
use super::statistics::Phase;
use super::technique::Technique;
use crate::execution::ExecutionBuilder;
use crate::outcome::Unknown;
use nilas_evidence::Execution;
use nilas_program::{EdgeId, LocationId};
use nilas_smt::interpolate::{InterpolateOptions, sequence};
use nilas_smt::{Answer, Embedded, Interrupt, Reason, Solver};
use nilas_term::{Arena, Cube, Op, Sort, Substitution, Term, Value};
use std::time::Instant;

/// Predicates larger than this many nodes of Boolean structure are taken as they are, not taken apart.
const LARGEST_STRUCTURE: usize = 64;

/// The predicates of all locations.
#[derive(Debug, Default)]
pub(super) struct Predicates {
    of: Vec<Vec<Term>>,
    /// Set when refinement has failed: obligations stay as they are from then on.
    given_up: bool,
}

impl Predicates {
    pub(super) fn new(locations: usize) -> Self {
        Predicates { of: vec![Vec::new(); locations], given_up: false }
    }

    /// Adds the atoms of a formula; whether one is new.
    fn add(&mut self, arena: &Arena, location: LocationId, formula: Term) -> bool {
        let known = &mut self.of[location.index()];
        let mut new = false;
        for atom in atoms(arena, formula) {
            if !known.contains(&atom) {
                known.push(atom);
                new = true;
            }
        }
        new
    }
}

/// The formulas that a formula is a Boolean combination of.
fn atoms(arena: &Arena, formula: Term) -> Vec<Term> {
    let (mut found, mut stack, mut nodes) = (Vec::new(), vec![formula], 0);
    while let Some(term) = stack.pop() {
        nodes += 1;
        if nodes > LARGEST_STRUCTURE {
            return vec![formula];
        }
        let boolean = |term: &Term| *arena.sort(*term) == Sort::Bool;
        match arena.op(term) {
            Op::And | Op::Or | Op::Not => stack.extend_from_slice(arena.children(term)),
            Op::Eq | Op::Ite if arena.children(term).iter().all(boolean) => {
                stack.extend_from_slice(arena.children(term));
            }
            Op::Const(_) => {}
            _ if !found.contains(&term) => found.push(term),
            _ => {}
        }
    }
    found.reverse();
    found
}

/// What has come of a path that abstract obligations suggest.
pub(super) enum Path {
    /// It can be executed.
    Feasible(Execution),
    /// It cannot: predicates were added that exclude it, or abstraction was given up.
    Infeasible,
}

impl Ic3Cfa<'_> {
    /// What the predicates of a location say about the state in the edge's solver, and whether that is less than the cube says.
    pub(super) fn abstracted(&mut self, edge: EdgeId, cube: &Cube) -> Result<Option<Cube>, Unknown> {
        let location = self.automaton.edge(edge).source;
        if !self.settings.techniques.contains(Technique::Predicates)
            || self.predicates.given_up
            || location == self.automaton.entry
        {
            return Ok(None);
        }
        if self.automaton.is_sink(self.automaton.edge(edge).target) {
            // What decides about the property is a predicate from the start.
            for literal in cube.iter() {
                self.predicates.add(&self.arena, location, literal);
            }
        }
        let predicates = self.predicates.of[location.index()].clone();
        let (solver, arena) = self.solver(edge)?;
        let mut literals = Vec::with_capacity(predicates.len());
        for predicate in predicates {
            let holds = super::edge::holds(&mut *solver.solver, arena, predicate)?;
            literals.push(if holds { predicate } else { arena.not(predicate) });
        }
        let result = Cube::new(literals);
        Ok((!cube.is_subset_of(&result)).then_some(result))
    }

    /// Whether a chain of obligations needs to be tried as a path.
    pub(super) fn is_abstract(queue: &Queue, first: ObligationId) -> bool {
        queue.chain(first).iter().any(|obligation| obligation.is_abstract)
    }

    /// Tries the edges of a chain that begins at the entry as a path, and learns from it if it is none.
    pub(super) fn try_path(&mut self, queue: &Queue, first: ObligationId) -> Result<Path, Unknown> {
        let start = Instant::now();
        let edges: Vec<EdgeId> =
            queue.chain(first).iter().filter_map(|link| link.step.as_ref().map(|step| step.edge)).collect();
        let path = self.try_edges(&edges);
        self.statistics.spent(Phase::Abstract, start);
        path
    }

    fn try_edges(&mut self, edges: &[EdgeId]) -> Result<Path, Unknown> {
        let automaton = self.automaton;
        // The state at the start is the program's variables themselves; each step has fresh variables for its inputs and
        // for the state behind it.
        let mut states: Vec<Vec<Term>> = vec![automaton.variables.iter().map(|v| v.term).collect()];
        let mut inputs: Vec<Vec<(Term, Term)>> = Vec::new();
        let mut formulas: Vec<Vec<Term>> = Vec::new();
        for &edge in edges {
            let mut here = Substitution::new();
            for (variable, &now) in automaton.variables.iter().zip(&states[states.len() - 1]) {
                here.insert(variable.term, now);
            }
            let (solver, arena) = self.solver(edge)?;
            let encoding = &solver.encoding;
            let mut renamed = Vec::with_capacity(encoding.inputs.len());
            for input in &encoding.inputs {
                let sort = arena.sort(input.variable).clone();
                let fresh = arena.fresh_variable("input", &sort);
                here.insert(input.variable, fresh);
                renamed.push((input.variable, fresh));
            }
            let mut formula = vec![here.apply(arena, encoding.guard)];
            let mut after = Vec::with_capacity(automaton.variables.len());
            for id in automaton.variable_ids() {
                let variable = automaton.variable(id);
                let next = here.apply(arena, encoding.next.get(id));
                let fresh = arena.fresh_variable(&variable.name, &variable.sort);
                formula.push(arena.eq(fresh, next));
                after.push(fresh);
            }
            inputs.push(renamed);
            states.push(after);
            formulas.push(formula);
        }
        let mut solver: Embedded = Embedded::default();
        for &formula in formulas.iter().flatten() {
            solver.assert(&self.arena, formula);
        }
        self.statistics.relative_checks += 1;
        match solver.check(&self.arena, &[], &[], self.budget) {
            Answer::Sat => Ok(Path::Feasible(self.follow(edges, &states[0], &inputs, &mut solver)?)),
            Answer::Unsat => {
                self.refine(edges, &states, &formulas)?;
                Ok(Path::Infeasible)
            }
            Answer::Unknown(reason) => Err(reason.into()),
        }
    }

    /// The execution that a model of a path describes.
    fn follow(
        &mut self,
        edges: &[EdgeId],
        initial: &[Term],
        inputs: &[Vec<(Term, Term)>],
        model: &mut Embedded,
    ) -> Result<Execution, Unknown> {
        let automaton = self.automaton;
        let mut builder = ExecutionBuilder::new(automaton);
        let mut state: Vec<(Term, Value)> = Vec::with_capacity(initial.len());
        for &variable in initial {
            let value = model.value(&self.arena, variable)?;
            builder.initial(variable, value.clone());
            state.push((variable, value));
        }
        for (&edge, inputs) in edges.iter().zip(inputs) {
            let mut values = Vec::with_capacity(inputs.len());
            for &(input, fresh) in inputs {
                values.push((input, model.value(&self.arena, fresh)?));
            }
            let (solver, arena) = self.solver(edge)?;
            let step = solver.execute(arena, automaton, &state, &values)?;
            builder.step(edge, step.arcs, step.havocs);
            state = step.after;
        }
        Ok(builder.finish())
    }

    /// Adds the atoms of the interpolants of an infeasible path to the predicates of its locations.
    fn refine(
        &mut self,
        edges: &[EdgeId],
        states: &[Vec<Term>],
        formulas: &[Vec<Term>],
    ) -> Result<(), Unknown> {
        let options = InterpolateOptions::default();
        let found = match sequence(&mut self.arena, formulas, &options, self.budget) {
            Ok(found) => found,
            Err(Reason::Interrupted(why)) if why != Interrupt::Conflicts => {
                return Err(Unknown::Interrupted(why));
            }
            Err(_) => None,
        };
        let mut new = false;
        for (index, interpolant) in found.into_iter().flatten().enumerate() {
            if index == 0 || index >= edges.len() {
                continue;
            }
            let mut back = Substitution::new();
            for (variable, &now) in self.automaton.variables.iter().zip(&states[index]) {
                back.insert(now, variable.term);
            }
            let predicate = back.apply(&mut self.arena, interpolant);
            let location = self.automaton.edge(edges[index]).source;
            new |= self.predicates.add(&self.arena, location, predicate);
        }
        self.statistics.count(Technique::Predicates, 0);
        self.predicates.given_up |= !new;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::atoms;
    use nilas_term::{Arena, Sort};

    #[test]
    fn formulas_fall_apart_into_atoms() {
        let mut arena = Arena::new();
        let [x, y] = ["x", "y"].map(|name| arena.variable(name, &Sort::BitVec(8)).expect("a new name"));
        let less = arena.bv_ult(x, y);
        let equal = arena.eq(x, y);
        let not = arena.not(equal);
        let both = arena.and(&[less, not]);
        let mut found = atoms(&arena, both);
        found.sort_unstable();
        let mut expected = vec![less, equal];
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
}
