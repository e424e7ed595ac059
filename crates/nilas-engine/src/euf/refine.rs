//! Refinement (§3.4, §4.4.1): an abstract counterexample is an execution, or lemmas are learnt that exclude
//! it.
//!
//! BUILDCX (Fig. 3.6a) looks at the states of the counterexample first and at its steps next, since the
//! lemmas from there are about operators and introduce no term. A state is its cube; a step is its cube and
//! what term projection has made of the edge and the cube behind it
//! ([`Trail::step`](super::instance::Trail)). Where each is possible by itself, the counterexample is asked
//! about as one formula, and interpolants give lemmas and predicates ([`bmc`](super::bmc)).
//!
//! Interpolants may not exist, or be too hard to find. Then the counterexample is followed by one
//! execution as far as that goes, and what keeps this execution from going on is the lemma (appendix
//! A.2).
//!
//! Every lemma was shown of values before it is asserted. If all of this finds nothing new, the
//! counterexample is consistent with all lemmas only because projection has lost something (§6.2): then the
//! terms of its steps join the vocabulary; then obligations at its places say all equalities of their models.
//! If they do already, the answer is *unknown*.

use super::EufIc3;
use super::bmc::Feasibility;
use super::edge::{EdgeSolver, Inputs};
use super::instance::Queue;
use super::lemmas::Source;
use super::{Refinement, Uninterpreted};
use crate::atoms::atoms;
use crate::observer::Work;
use crate::outcome::Unknown;
use crate::path::{PathFormula, Taken};
use crate::pdr::{Map, ObligationId, Reached};
use nilas_evidence::Execution;
use nilas_program::{EdgeId, LocationId};
use nilas_smt::{Answer, Budget, Embedded, Interrupt, Solver};
use nilas_term::{Arena, Cube, Op, Substitution, Term};

/// Conflicts that a question may take whose answer one can do without.
pub(super) const CONFLICTS: u64 = 5_000;

/// One step of a counterexample.
pub(super) struct Link {
    pub(super) edge: EdgeId,
    pub(super) place: LocationId,
    pub(super) cube: Cube,
    pub(super) step: Vec<Term>,
}

/// Where an execution along a counterexample ends.
struct Stopped<'c> {
    link: &'c Link,
    taken: &'c Taken,
    next: Option<&'c Link>,
}

impl EufIc3<'_, '_> {
    /// BUILDCX, on a chain of obligations that begins at the entry.
    pub(super) fn build_counterexample(
        &mut self,
        queue: &Queue,
        first: ObligationId,
    ) -> Result<Reached<Execution>, Unknown> {
        let chain: Vec<Link> = queue
            .chain(first)
            .into_iter()
            .map(|link| Link {
                edge: link.trail.edge,
                place: link.place,
                cube: link.cube.clone(),
                step: link.trail.step.clone(),
            })
            .collect();
        if self.refine_states_and_steps(&chain)? {
            return Ok(Reached::Refined { relation: true });
        }
        let Some(taken) = self.steps_taken(&chain)? else {
            // What was learnt in the meantime excludes it.
            return Ok(Reached::Refined { relation: true });
        };
        let automaton = self.instance.map.automaton;
        let path = PathFormula::along(&mut self.arena, automaton, &taken);
        let core = match self.feasibility(&chain, &path, &taken)? {
            Feasibility::Execution(execution) => return Ok(Reached::Counterexample(execution)),
            Feasibility::Contradiction(core) => core,
        };
        let is_new = self.instance.refinement == Refinement::Bmc
            && self.refine_with_interpolants(&chain, &path, &taken, &core)?
            || self.simulate(&chain, &path, &taken)?
            || self.add_ground_terms(&chain)
            || self.take_whole_models(&chain);
        if !is_new {
            let why = format!(
                "no lemma excludes an abstract counterexample of {} steps that cannot be executed",
                chain.len()
            );
            return Err(Unknown::Inapplicable(why));
        }
        Ok(Reached::Refined { relation: true })
    }

    /// The first two stages: states, then steps. Whether something was learnt.
    fn refine_states_and_steps(&mut self, chain: &[Link]) -> Result<bool, Unknown> {
        let mut solver: Embedded = Embedded::default();
        for link in chain {
            if let Some(core) = self.contradiction(&mut solver, link.cube.literals())? {
                self.told_of(link.place);
                if self.learn(link.edge, core, Source::State) {
                    return Ok(true);
                }
            }
        }
        for link in chain {
            let both: Vec<Term> = link.cube.iter().chain(link.step.iter().copied()).collect();
            if let Some(core) = self.contradiction(&mut solver, &both)? {
                self.told_of(link.place);
                if self.learn(link.edge, core, Source::Transition) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn told_of(&mut self, place: LocationId) {
        self.observer.work(place, Work::Refinement);
    }

    /// A few literals that contradict each other, if these do: none can be left out. `None` also if that is
    /// too hard to tell.
    pub(super) fn contradiction(
        &mut self,
        solver: &mut Embedded,
        literals: &[Term],
    ) -> Result<Option<Vec<Term>>, Unknown> {
        self.instance.concrete += 1;
        let budget = Budget { conflicts: Some(CONFLICTS), ..self.budget.clone() };
        match solver.check(&self.arena, &[], literals, &budget) {
            Answer::Sat => return Ok(None),
            Answer::Unsat => {}
            Answer::Unknown(reason) => return given_up(reason).map(|()| None),
        }
        let mut core = solver.failed().to_vec();
        let mut index = 0;
        while index < core.len() {
            let mut fewer = core.clone();
            fewer.remove(index);
            match solver.check(&self.arena, &[], &fewer, &budget) {
                Answer::Unsat => {
                    let failed = solver.failed().to_vec();
                    core = fewer;
                    core.retain(|literal| failed.contains(literal));
                }
                Answer::Sat => index += 1,
                Answer::Unknown(reason) => {
                    given_up(reason)?;
                    index += 1;
                }
            }
        }
        Ok(Some(core))
    }

    /// LEARNLEMMA (Alg. 8) from literals that contradict each other. At the edge where they were found they
    /// are excluded as they are; inputs are then eliminated by the equalities among the literals, and what
    /// has none left holds everywhere. Whether the lemma is new.
    pub(super) fn learn(&mut self, edge: EdgeId, core: Vec<Term>, source: Source) -> bool {
        let clause: Vec<Term> = core.iter().map(|&literal| self.arena.not(literal)).collect();
        let is_new = self.add_clause(edge, &clause, source);
        let Some(EdgeSolver { inputs, .. }) = &mut self.instance.map.solvers[edge.index()] else {
            return is_new;
        };
        let core = without_inputs(&mut self.arena, inputs, core);
        if !core.iter().any(|&literal| inputs.occur_in(&self.arena, literal)) {
            let clause: Vec<Term> = core.iter().map(|&literal| self.arena.not(literal)).collect();
            self.instance.lemmas.share(clause);
        }
        is_new
    }

    /// Adds a clause that holds of all values where this edge is taken; whether it is new.
    pub(super) fn add_clause(&mut self, edge: EdgeId, clause: &[Term], source: Source) -> bool {
        let Uninterpreted { lemmas, vocabulary, map: Map { solvers, .. }, .. } = &mut self.instance;
        // The vocabulary stays as it is: a lemma about a step speaks of what is behind it, and through a loop
        // that would never end.
        let arena = &self.arena;
        let expands = clause.iter().any(|&literal| !vocabulary.covers(arena, literal));
        if !lemmas.add(arena, edge, clause.to_vec(), source, expands) {
            return false;
        }
        lemmas.concrete.needed(arena, clause);
        self.observer.event(&|| {
            let shown: Vec<String> =
                clause.iter().map(|&literal| nilas_term::smtlib::print_term(arena, literal)).collect();
            format!("refinement: {source:?}: {}", shown.join(" or "))
        });
        if let Some(solver) = &mut solvers[edge.index()] {
            solver.assert_clause(&mut self.arena, clause);
        }
        true
    }

    /// Makes the atoms of a formula predicates of a location; whether one is new. Solvers of its edges give
    /// them truth values from now on: each is in a clause with a new variable, which says nothing.
    pub(super) fn add_predicates(&mut self, place: LocationId, formula: Term) -> bool {
        if place == self.instance.map.automaton.entry {
            return false;
        }
        let mut is_new = false;
        for atom in atoms(&self.arena, formula) {
            if self.instance.predicates[place.index()].contains(&atom) {
                continue;
            }
            is_new = true;
            self.instance.predicates[place.index()].push(atom);
            self.instance.vocabulary.add(&self.arena, atom);
            let free = self.arena.fresh_variable("decided", &nilas_term::Sort::Bool);
            // Models decide the older literal: states without the predicate are more.
            let without = self.arena.not(atom);
            for edge in &self.instance.map.outgoing[place.index()] {
                if let Some(solver) = &mut self.instance.map.solvers[edge.index()] {
                    solver.assert_clause(&mut self.arena, &[without, free]);
                }
            }
        }
        if is_new {
            self.told_of(place);
        }
        is_new
    }

    /// Appendix A.2: follows the counterexample by an execution, step by step as it was taken. What keeps the
    /// state that is reached from going on is a lemma; whether it is new.
    fn simulate(&mut self, chain: &[Link], path: &PathFormula, taken: &[Taken]) -> Result<bool, Unknown> {
        let automaton = self.instance.map.automaton;
        let mut solver: Embedded = Embedded::default();
        for index in 0..chain.len() {
            let mut wanted = path.steps[index].clone();
            if let Some(next) = chain.get(index + 1) {
                let cube = next.cube.to_term(&mut self.arena);
                wanted.push(path.at(&mut self.arena, automaton, index + 1, cube));
            }
            self.instance.concrete += 1;
            match solver.check(&self.arena, &[], &wanted, self.budget) {
                Answer::Sat => {
                    for formula in wanted {
                        solver.assert(&self.arena, formula);
                    }
                }
                Answer::Unknown(reason) => return given_up(reason).map(|()| false),
                Answer::Unsat => {
                    let stopped =
                        Stopped { link: &chain[index], taken: &taken[index], next: chain.get(index + 1) };
                    return self.learn_from_state(&mut solver, &stopped, &path.states[index]);
                }
            }
        }
        Ok(false)
    }

    /// The lemma about a state that a solver has for the beginning of a path, and that the next step does not
    /// take into the next cube.
    fn learn_from_state(
        &mut self,
        reached: &mut Embedded,
        stopped: &Stopped<'_>,
        variables: &[Term],
    ) -> Result<bool, Unknown> {
        let automaton = self.instance.map.automaton;
        let Stopped { link, taken, next } = stopped;
        // The model of the beginning is asked for again: the last question had none.
        match reached.check(&self.arena, &[], &[], self.budget) {
            Answer::Sat => {}
            Answer::Unsat => return Ok(false),
            Answer::Unknown(reason) => return given_up(reason).map(|()| false),
        }
        let mut state = Vec::with_capacity(variables.len());
        for (variable, &now) in automaton.variables.iter().zip(variables) {
            let value = reached.value(&self.arena, now)?;
            let value = self.arena.constant(value);
            state.push(self.arena.eq(variable.term, value));
        }
        let Some(edge) = &mut self.instance.map.solvers[link.edge.index()] else { return Ok(false) };
        let behind = match next {
            Some(next) => edge.transition.preconditions(&mut self.arena, &next.cube),
            None => Vec::new(),
        };
        let asked = [state.clone(), taken.formulas.clone(), behind].concat();
        let Some(core) = self.contradiction(&mut Embedded::default(), &asked)? else { return Ok(false) };
        let clause: Vec<Term> = core.iter().map(|&literal| self.arena.not(literal)).collect();
        let mut is_new = self.add_clause(link.edge, &clause, Source::Simulation);
        for literal in core.into_iter().filter(|literal| state.contains(literal)) {
            is_new |= self.add_predicates(link.place, literal);
        }
        Ok(is_new)
    }

    /// Adds the terms of all steps to the vocabulary; whether one is new.
    fn add_ground_terms(&mut self, chain: &[Link]) -> bool {
        let mut is_new = false;
        for &literal in chain.iter().flat_map(|link| &link.step) {
            is_new |= self.instance.vocabulary.add(&self.arena, literal);
        }
        self.instance.grounded += u64::from(is_new);
        is_new
    }

    /// From now on obligations at the places of a counterexample say all equalities of their models, wherever
    /// something is dropped; whether they did not.
    fn take_whole_models(&mut self, chain: &[Link]) -> bool {
        let whole = &mut self.instance.whole;
        let is_new = chain.iter().any(|link| !whole[link.place.index()]);
        for link in chain {
            whole[link.place.index()] = true;
        }
        self.instance.grounded += u64::from(is_new);
        is_new
    }
}

/// Literals that contradict each other as these do, with fewer inputs: an equality of an input with a term
/// without inputs replaces the input.
pub(super) fn without_inputs(arena: &mut Arena, inputs: &mut Inputs, given: Vec<Term>) -> Vec<Term> {
    let mut core = given.clone();
    loop {
        let definition = core.iter().enumerate().find_map(|(index, &literal)| {
            if arena.op(literal) != Op::Eq {
                return None;
            }
            let &[left, right] = arena.children(literal) else { return None };
            [(left, right), (right, left)]
                .into_iter()
                .find(|&(input, term)| inputs.contains(input) && !inputs.occur_in(arena, term))
                .map(|(input, term)| (index, input, term))
        });
        let Some((index, input, term)) = definition else { return core };
        core.remove(index);
        let mut by_term: Substitution = [(input, term)].into_iter().collect();
        core = core.into_iter().map(|literal| by_term.apply(arena, literal)).collect();
        core.retain(|&literal| arena.as_bool(literal) != Some(true));
        if core.iter().any(|&literal| arena.as_bool(literal).is_some()) {
            // The simplifier knows this contradiction; EUF does not.
            return given;
        }
    }
}

/// Too hard is no reason to end; what else ended the question is.
pub(super) fn given_up(reason: nilas_smt::Reason) -> Result<(), Unknown> {
    match reason {
        nilas_smt::Reason::Interrupted(Interrupt::Conflicts) => Ok(()),
        reason => Err(reason.into()),
    }
}
