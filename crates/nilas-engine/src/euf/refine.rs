//! Refinement (§3.4, §4.4.1): an abstract counterexample is an execution, or lemmas are learnt that exclude
//! it.
//!
//! BUILDCX (Fig. 3.6a) looks at the states of the counterexample first and at its steps next, since the
//! lemmas from there are about operators and introduce no term. A state is its cube; a step is its cube and
//! what term projection has made of the edge and the cube behind it
//! ([`Trail::step`](super::instance::Trail)). Where each is possible by itself, the projected path
//! ([`path`](super::path)) is asked about as one formula (BUILDBMCCX, Alg. 10). If it cannot be executed, only
//! the literals of an unsatisfiable core are left of it, and sequence interpolants `p_i` of that give for each
//! edge the lemma `¬(p_(i-1) ∧ body ∧ ¬p_i')` (4.33), where the body are the literals of the step that are
//! needed. Their atoms become predicates that obligations decide. With these the same steps make no abstract
//! counterexample again: a state with `p_i` leads into one with `p_(i+1)` only, and no last step can be taken.
//!
//! Interpolants may not exist, or be too hard to find. Then the path is followed by one execution as far as
//! that goes, and what keeps this execution from going on is the lemma (appendix A.2).
//!
//! Every lemma was shown of values before it is asserted. If all of this finds nothing new, the
//! counterexample is consistent with all lemmas only because projection has lost something (§6.2): then the
//! terms of its steps join the vocabulary. If they have, the answer is *unknown*.

use super::EufIc3;
use super::edge::{EdgeSolver, Inputs};
use super::instance::Queue;
use super::lemmas::Source;
use super::path::{Conditions, Path};
use super::templates::instances;
use super::{Refinement, Uninterpreted};
use crate::atoms::atoms;
use crate::observer::Work;
use crate::outcome::Unknown;
use crate::path::{follow_model, limits, sequence_interpolants};
use crate::pdr::{ObligationId, Reached};
use crate::transition::Transition;
use nilas_evidence::Execution;
use nilas_program::{EdgeId, LocationId};
use nilas_smt::{Answer, Budget, Embedded, Euf, Interrupt, Solver};
use nilas_term::{Arena, Cube, Op, Substitution, Term};

/// Conflicts that a question may take whose answer one can do without.
const CONFLICTS: u64 = 5_000;

/// One step of a counterexample.
pub(super) struct Link {
    pub(super) edge: EdgeId,
    pub(super) place: LocationId,
    pub(super) cube: Cube,
    pub(super) step: Vec<Term>,
}

/// What comes of following a path.
enum Followed {
    Execution(Execution),
    /// Literals that exclude each other, by step and number.
    Core(Vec<(usize, usize)>),
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
        let Some(path) = self.projected_path(&chain)? else {
            // A step is excluded already, by what was learnt since the obligation was made.
            return Ok(Reached::Refined { relation: true });
        };
        let conditions = path.conditions(&mut self.arena);
        let core = match self.conditions_hold(&chain, &conditions)? {
            Followed::Execution(execution) => return Ok(Reached::Counterexample(execution)),
            Followed::Core(core) => core,
        };
        let mut is_new = false;
        if self.instance.refinement == Refinement::Bmc {
            is_new = self.learn_interpolants(&chain, &path, &core)?;
        }
        is_new = is_new || self.simulate(&chain, &path, &conditions)? || self.add_ground_terms(&chain);
        if !is_new {
            let why = format!(
                "no lemma excludes an abstract counterexample of {} steps that cannot be executed",
                chain.len()
            );
            return Err(Unknown::Inapplicable(why));
        }
        Ok(Reached::Refined { relation: true })
    }

    /// Line 3 of Alg. 10: an execution along the path, or the literals that there is none because of, by step
    /// and number.
    fn conditions_hold(&mut self, chain: &[Link], conditions: &Conditions) -> Result<Followed, Unknown> {
        let mut formulas: Vec<Term> = conditions.all.iter().map(|condition| condition.formula).collect();
        formulas.retain(|&formula| self.arena.as_bool(formula) != Some(true));
        formulas.sort_unstable();
        formulas.dedup();
        let mut solver: Embedded = Embedded::default();
        self.instance.concrete += 1;
        match solver.check(&self.arena, &[], &formulas, self.budget) {
            Answer::Sat => {
                let automaton = self.instance.automaton;
                let solvers =
                    chain.iter().filter_map(|link| self.instance.solvers[link.edge.index()].as_ref());
                let transitions: Vec<&Transition> = solvers.map(|solver| &solver.transition).collect();
                let inputs = &conditions.inputs;
                follow_model(&self.arena, automaton, &transitions, inputs, &mut solver)
                    .map(Followed::Execution)
            }
            Answer::Unsat => {
                let core = solver.failed().to_vec();
                let core = self.without_needless(&mut solver, core)?;
                let needed = conditions.all.iter().filter(|condition| core.contains(&condition.formula));
                Ok(Followed::Core(needed.map(|condition| (condition.step, condition.literal)).collect()))
            }
            Answer::Unknown(reason) => Err(reason.into()),
        }
    }

    /// The first two stages: states, then steps. Whether something was learnt.
    fn refine_states_and_steps(&mut self, chain: &[Link]) -> Result<bool, Unknown> {
        let mut solver: Embedded = Embedded::default();
        for link in chain {
            if let Some(core) = self.contradiction(&mut solver, link.cube.literals())? {
                self.told_of(link.place);
                if self.learn(link.edge, core, Source::State)? {
                    return Ok(true);
                }
            }
        }
        for link in chain {
            let both: Vec<Term> = link.cube.iter().chain(link.step.iter().copied()).collect();
            if let Some(core) = self.contradiction(&mut solver, &both)? {
                self.told_of(link.place);
                if self.learn(link.edge, core, Source::Transition)? {
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
    fn contradiction(
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
        let core = solver.failed().to_vec();
        self.without_needless(solver, core).map(Some)
    }

    /// Of literals that contradict each other, some that do and of which none is known to be needless.
    fn without_needless(&mut self, solver: &mut Embedded, mut core: Vec<Term>) -> Result<Vec<Term>, Unknown> {
        let budget = Budget { conflicts: Some(CONFLICTS), ..self.budget.clone() };
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
        Ok(core)
    }

    /// LEARNLEMMA (Alg. 8) from literals that contradict each other. At the edge where they were found they
    /// are excluded as they are; inputs are then eliminated by the equalities among the literals, and what
    /// has none left holds everywhere. Templates that say the same come first. Whether the lemma is new.
    fn learn(&mut self, edge: EdgeId, core: Vec<Term>, source: Source) -> Result<bool, Unknown> {
        if self.instance.templates && self.learn_templates(edge, &core)? {
            return Ok(true);
        }
        let clause: Vec<Term> = core.iter().map(|&literal| self.arena.not(literal)).collect();
        let is_new = self.add_clause(edge, &clause, source);
        let Some(EdgeSolver { inputs, .. }) = &mut self.instance.solvers[edge.index()] else {
            return Ok(is_new);
        };
        let core = without_inputs(&mut self.arena, inputs, core);
        if !core.iter().any(|&literal| inputs.occur_in(&self.arena, literal)) {
            let clause: Vec<Term> = core.iter().map(|&literal| self.arena.not(literal)).collect();
            self.instance.lemmas.share(clause);
        }
        Ok(is_new)
    }

    /// Instances of templates that exclude these literals in EUF; whether there are any, and one is new.
    fn learn_templates(&mut self, edge: EdgeId, core: &[Term]) -> Result<bool, Unknown> {
        let clauses = instances(&mut self.arena, core);
        let mut euf = Euf::computing();
        let mut activations = Vec::with_capacity(clauses.len());
        for clause in &clauses {
            let activation = euf.activation();
            let clause = self.arena.or(clause);
            euf.assert_under(&self.arena, activation, clause);
            activations.push(activation);
        }
        let budget = Budget { conflicts: Some(CONFLICTS), ..self.budget.clone() };
        match euf.check(&self.arena, &activations, core, &budget) {
            Answer::Unsat => {}
            Answer::Sat => return Ok(false),
            Answer::Unknown(reason) => return given_up(reason).map(|()| false),
        }
        let needed = euf.failed_activations().to_vec();
        let mut is_new = false;
        for (clause, _) in
            clauses.into_iter().zip(&activations).filter(|(_, activation)| needed.contains(activation))
        {
            is_new |= self.add_clause(edge, &clause, Source::Template);
            let has_inputs = match &mut self.instance.solvers[edge.index()] {
                Some(solver) => clause.iter().any(|&literal| solver.inputs.occur_in(&self.arena, literal)),
                None => true,
            };
            if !has_inputs {
                self.instance.lemmas.share(clause);
            }
        }
        Ok(is_new)
    }

    /// Adds a clause that holds of all values where this edge is taken; whether it is new.
    fn add_clause(&mut self, edge: EdgeId, clause: &[Term], source: Source) -> bool {
        let Uninterpreted { lemmas, vocabulary, solvers, .. } = &mut self.instance;
        if clause.iter().any(|&literal| self.arena.as_bool(literal) == Some(true)) {
            return false;
        }
        // The vocabulary stays as it is: a lemma about a step speaks of what is behind it, and through a loop
        // that would never end.
        let arena = &self.arena;
        let expands = clause.iter().any(|&literal| !vocabulary.covers(arena, literal));
        if !lemmas.add(arena, edge, clause.to_vec(), source, expands) {
            return false;
        }
        self.observer.event(&|| {
            let shown: Vec<String> =
                clause.iter().map(|&literal| nilas_term::smtlib::print_term(arena, literal)).collect();
            format!("refinement: {source:?}: {}", shown.join(" or "))
        });
        if let Some(solver) = &mut solvers[edge.index()] {
            solver.frame.solver.assert_clause(clause);
        }
        true
    }

    /// Phase two of Alg. 10: the lemmas (4.33) from interpolants of the literals that are needed, and their
    /// atoms as predicates; whether something is new.
    fn learn_interpolants(
        &mut self,
        chain: &[Link],
        path: &Path,
        core: &[(usize, usize)],
    ) -> Result<bool, Unknown> {
        let needed = path.with_literals(&self.arena, core);
        let (parts, states) = needed.formula(&mut self.arena, self.instance.automaton);
        let Some(found) = sequence_interpolants(&mut self.arena, &parts, &limits(), self.budget)? else {
            return Ok(false);
        };
        let mut formulas = Vec::with_capacity(states.len() + 1);
        for (state, formula) in states.iter().zip(found) {
            let mut back: Substitution = state.iter().map(|&(variable, now)| (now, variable)).collect();
            formulas.push(back.apply(&mut self.arena, formula));
        }
        formulas.push(self.arena.mk_false());
        let mut is_new = false;
        for (index, link) in chain.iter().enumerate() {
            let (before, behind) = (formulas[index], formulas[index + 1]);
            let Some(solver) = &mut self.instance.solvers[link.edge.index()] else { continue };
            let behind = solver.transition.before(&mut self.arena, behind);
            let not_behind = self.arena.not(behind);
            let mut solver: Embedded = Embedded::default();
            let body = path.steps[index].literals.iter().copied();
            let asked: Vec<Term> = body.chain([before, not_behind]).collect();
            if let Some(core) = self.contradiction(&mut solver, &asked)? {
                let clause: Vec<Term> = core.iter().map(|&literal| self.arena.not(literal)).collect();
                is_new |= self.add_clause(link.edge, &clause, Source::Interpolant);
            }
            if index > 0 {
                is_new |= self.add_predicates(link.place, before);
            }
        }
        Ok(is_new)
    }

    /// Makes the atoms of a formula predicates of a location; whether one is new. Solvers of its edges give
    /// them truth values from now on: each is in a clause with a new variable, which says nothing.
    fn add_predicates(&mut self, place: LocationId, formula: Term) -> bool {
        if place == self.instance.automaton.entry {
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
            for edge in &self.instance.outgoing[place.index()] {
                if let Some(solver) = &mut self.instance.solvers[edge.index()] {
                    solver.frame.solver.assert_clause(&[free, atom]);
                }
            }
        }
        if is_new {
            self.told_of(place);
        }
        is_new
    }

    /// Appendix A.2: follows the path by an execution. What keeps the state that is reached from going on is a
    /// lemma; whether it is new.
    fn simulate(&mut self, chain: &[Link], path: &Path, conditions: &Conditions) -> Result<bool, Unknown> {
        let mut solver: Embedded = Embedded::default();
        for (index, link) in chain.iter().enumerate() {
            let here = conditions.all.iter().filter(|condition| condition.step == index);
            let wanted: Vec<Term> = here.map(|condition| condition.formula).collect();
            self.instance.concrete += 1;
            match solver.check(&self.arena, &[], &wanted, self.budget) {
                Answer::Sat => wanted.into_iter().for_each(|formula| solver.assert(&self.arena, formula)),
                Answer::Unknown(reason) => return given_up(reason).map(|()| false),
                Answer::Unsat => {
                    let literals = &path.steps[index].literals;
                    return self.learn_from_state(&mut solver, link, literals, &conditions.states[index]);
                }
            }
        }
        Ok(false)
    }

    /// The lemma about a state that a solver has for the beginning of a path, and that the next step does not
    /// lead on from.
    fn learn_from_state(
        &mut self,
        reached: &mut Embedded,
        link: &Link,
        step: &[Term],
        reads: &[(Term, Term)],
    ) -> Result<bool, Unknown> {
        // The model of the beginning is asked for again: the last question had none.
        match reached.check(&self.arena, &[], &[], self.budget) {
            Answer::Sat => {}
            Answer::Unsat => return Ok(false),
            Answer::Unknown(reason) => return given_up(reason).map(|()| false),
        }
        let mut state = Vec::with_capacity(reads.len());
        for &(variable, now) in reads {
            let value = reached.value(&self.arena, now)?;
            let value = self.arena.constant(value);
            state.push(self.arena.eq(variable, value));
        }
        let mut solver: Embedded = Embedded::default();
        let asked = [step, state.as_slice()].concat();
        let Some(core) = self.contradiction(&mut solver, &asked)? else { return Ok(false) };
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
}

/// Literals that contradict each other as these do, with fewer inputs: an equality of an input with a term
/// without inputs replaces the input.
fn without_inputs(arena: &mut Arena, inputs: &mut Inputs, given: Vec<Term>) -> Vec<Term> {
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
fn given_up(reason: nilas_smt::Reason) -> Result<(), Unknown> {
    match reason {
        nilas_smt::Reason::Interrupted(Interrupt::Conflicts) => Ok(()),
        reason => Err(reason.into()),
    }
}
