//! Horn clauses as one transition relation: the functional re-encoding of the EUFORIA thesis (ch. 4.2,
//! Alg. 9).
//!
//! The state has a Boolean `ℓ_R` for every predicate `R` (which one was derived last) and a *place* `P_R,j`
//! for each of its arguments. A step applies one clause: `act_i` says that it is the `i`-th, exactly one of
//! them holds (one-hot), and `act_i ⇒ g_i`, where the guard `g_i` has `ℓ_A` for the body `A` and the
//! constraint. What the state holds afterwards is a term, `ite(act_i, …)` over all clauses with that head
//! (lines 4 and 6). All `ℓ` are false at first; the goal is a predicate `U` like others, and the property is
//! `¬ℓ_U`.
//!
//! Two things differ from the thesis, and neither changes which `ℓ` can be reached:
//!
//! - A clause is taken in the branches that [`crate::branch`] makes of it, an `act_i` for each: equations are
//!   solved, so that fewer inputs are left.
//! - A place that a step does not set holds anything afterwards, where Alg. 9 keeps its value (`β(P) = P`).
//!   Nothing reads it: a step reads the places of the predicate that was derived last, which the step before
//!   has set. So an invariant, which holds whatever stands there, gives an interpretation without
//!   quantifiers: any value may be put for the places of the other predicates.
//!
//! Evidence is carried back to the clauses: an invariant to the locations of their automaton, an execution to
//! a derivation. Nothing here is believed; both are checked against the clauses as read.

use crate::automaton::{Layout, Way, to_plain_automaton};
use crate::derivation::{Derivation, Fact};
use crate::system::{Atom, Clause, Form, Goal, GoalId, Predicate, PredicateId, System};
use nilas_evidence::{Evidence, Execution, Invariant, Unwinding};
use nilas_program::{LocationId, Program, Span};
use nilas_term::{Arena, Evaluator, Model, Sort, Substitution, Term, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A way to apply a clause.
#[derive(Clone, Debug)]
struct Activation {
    clause: usize,
    /// What it derives: a predicate, or the goal.
    head: Option<PredicateId>,
    /// The input that says that it is applied.
    act: Term,
    /// Variables of the clause by name, with their values over places and inputs.
    inputs: Vec<(String, Term)>,
}

/// Clauses as one relation, see the module's text.
#[derive(Clone, Debug)]
pub struct Functional {
    system: System,
    layout: Layout,
    goal: GoalId,
    /// `ℓ_R` of each predicate, then `ℓ_U`: places in the state.
    relations: Vec<usize>,
    /// `P_R,j` of each predicate: places in the state.
    places: Vec<Vec<usize>>,
    activations: Vec<Activation>,
}

/// State variables while they are collected.
struct StateVariables {
    parameters: Vec<(String, Sort)>,
    current: Vec<Term>,
}

impl StateVariables {
    fn push(&mut self, arena: &mut Arena, name: &str, sort: &Sort) -> usize {
        let term = arena.fresh_variable(name, sort);
        self.parameters.push((arena.name(term).unwrap_or(name).to_owned(), sort.clone()));
        self.current.push(term);
        self.current.len() - 1
    }
}

impl Functional {
    /// The relation of the clauses for a goal, of which the automaton is given.
    #[must_use]
    pub fn new(system: &System, layout: &Layout, goal: GoalId) -> Self {
        let automaton = &layout.program.automaton;
        let mut arena = layout.program.arena.clone();
        let mut state = StateVariables { parameters: Vec::new(), current: Vec::new() };
        let (mut relations, mut places): (Vec<usize>, Vec<Vec<usize>>) = (Vec::new(), Vec::new());
        for predicate in &system.predicates {
            let name = plain(&predicate.name);
            relations.push(state.push(&mut arena, &format!("at.{name}"), &Sort::Bool));
            let arguments = predicate.parameters.iter().enumerate();
            let arguments = arguments
                .map(|(index, (_, sort))| state.push(&mut arena, &format!("{name}.{index}"), sort))
                .collect();
            places.push(arguments);
        }
        relations.push(state.push(&mut arena, "at.goal", &Sort::Bool));
        // β of Alg. 9, for relation variables and places.
        let falsehood = arena.mk_false();
        let mut beta: Vec<Term> = state
            .parameters
            .iter()
            .map(|(name, sort)| arena.fresh_variable(&format!("{name}.any"), sort))
            .collect();
        for &relation in &relations {
            beta[relation] = falsehood;
        }
        let (mut activations, mut relation) = (Vec::new(), Vec::new());
        for ((edge, ways), &clause) in automaton.edges.iter().zip(&layout.ways).zip(&layout.clauses) {
            let (body, head) = (layout.predicate(edge.source), layout.predicate(edge.target));
            for way in ways {
                let act = arena.fresh_variable("act", &Sort::Bool);
                let mut renamed = renaming(&mut arena, layout, body, way, &|place| {
                    let (PredicateId(predicate), argument) = place;
                    state.current[places[predicate][argument]]
                });
                // Line 7.
                let mut guard = vec![renamed.apply(&mut arena, way.guard)];
                guard.extend(body.map(|body| state.current[relations[body.0]]));
                let guard = arena.and(&guard);
                // Line 8.
                relation.push(arena.implies(act, guard));
                // Lines 4 to 6.
                let truth = arena.mk_true();
                let at = relations[head.map_or(system.predicates.len(), |head| head.0)];
                beta[at] = arena.ite(act, truth, beta[at]);
                if let Some(head) = head {
                    for (&(_, value), &place) in way.head.iter().zip(&places[head.0]) {
                        let value = renamed.apply(&mut arena, value);
                        beta[place] = arena.ite(act, value, beta[place]);
                    }
                }
                let mut inputs = Vec::new();
                for (name, value) in &way.inputs {
                    inputs.push((name.clone(), renamed.apply(&mut arena, *value)));
                }
                activations.push(Activation { clause, head, act, inputs });
            }
        }
        // Line 11.
        let acts: Vec<Term> = activations.iter().map(|activation| activation.act).collect();
        relation.push(one_hot(&mut arena, &acts));
        let relation = arena.and(&relation);
        let none: Vec<Term> = relations.iter().map(|&at| state.current[at]).collect();
        let none = none.into_iter().map(|at| arena.not(at)).collect::<Vec<_>>();
        let initial = arena.and(&none);
        let reached = state.current[relations[system.predicates.len()]];
        let atom = |arguments: &[Term]| Atom { predicate: PredicateId(0), arguments: arguments.to_vec() };
        let current = atom(&state.current);
        let span = Span::default();
        let clauses = vec![
            Clause { body: Vec::new(), constraint: initial, head: Ok(current.clone()), span },
            Clause { body: vec![current.clone()], constraint: relation, head: Ok(atom(&beta)), span },
            Clause { body: vec![current], constraint: reached, head: Err(GoalId(0)), span },
        ];
        let whole = System {
            form: Form::Vmt,
            arena,
            predicates: vec![Predicate { name: "state".into(), parameters: state.parameters, span }],
            clauses,
            goals: vec![Goal { name: system.goals[goal.0].name.clone(), span: system.goals[goal.0].span }],
            inputs: Vec::new(),
            undecided: system.undecided.clone(),
        };
        let layout = to_plain_automaton(&whole, None);
        Functional { system: whole, layout, goal, relations, places, activations }
    }

    /// The automaton with one location, where the relation is one edge.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.layout.program
    }

    /// Evidence of safety, as evidence about the automaton of the clauses. `None` if it is none.
    #[must_use]
    pub fn evidence(&self, layout: &Layout, evidence: &Evidence) -> Option<Evidence> {
        let state = *self.layout.locations.first()?;
        match evidence {
            Evidence::Invariant(invariant) => {
                let &formula = invariant.formulas.get(&state)?;
                let mut arena = invariant.arena.clone();
                let mut formulas = BTreeMap::new();
                for (index, &location) in layout.locations.iter().enumerate() {
                    let formula = self.at(&mut arena, layout, PredicateId(index), formula)?;
                    formulas.insert(location, formula);
                }
                let induction = invariant.induction;
                Some(Evidence::Invariant(Invariant { arena, formulas, induction, ..Invariant::default() }))
            }
            Evidence::Unwinding(unwinding) => {
                let &visits = unwinding.visits.get(&state)?;
                let visits: BTreeMap<LocationId, u64> =
                    layout.locations.iter().map(|&location| (location, visits)).collect();
                Some(Evidence::Unwinding(Unwinding { visits }))
            }
            Evidence::Run => Some(Evidence::Run),
            Evidence::Contracts(_) | Evidence::Execution(_) => None,
        }
    }

    /// What a formula of the state says of a predicate's arguments.
    fn at(&self, arena: &mut Arena, layout: &Layout, predicate: PredicateId, formula: Term) -> Option<Term> {
        let automaton = &self.layout.program.automaton;
        let mut known = Substitution::new();
        let arguments = self.layout.arguments.first()?;
        let mut own: FxHashMap<usize, Term> = FxHashMap::default();
        own.insert(self.relations[predicate.0], arena.mk_true());
        for (&place, &slot) in self.places[predicate.0].iter().zip(&layout.arguments[predicate.0]) {
            let slot = layout.program.automaton.variable(slot);
            own.insert(place, arena.variable(&slot.name, &slot.sort).ok()?);
        }
        for id in automaton.variable_ids() {
            let variable = automaton.variable(id);
            let Ok(term) = arena.variable(&variable.name, &variable.sort) else { continue };
            let place = arguments.iter().position(|&argument| argument == id);
            let value = match place.and_then(|place| own.get(&place)) {
                Some(&value) => value,
                // Of the other relation variables none holds, and the default of a Boolean is *false*.
                None => arena.constant(Value::default_of(&variable.sort)),
            };
            known.insert(term, value);
        }
        Some(known.apply(arena, formula))
    }

    /// The derivation by the clauses that an execution means; `None` if it means none.
    #[must_use]
    pub fn derivation(&self, system: &System, execution: &Execution) -> Option<Derivation> {
        let steps = Derivation::new(&self.system, &self.layout, execution)?.facts;
        let arena = &self.system.arena;
        let step = &self.system.clauses[1];
        let head = step.head.as_ref().map_or(&[][..], |atom| &atom.arguments[..]);
        let terms: Vec<Term> = head.iter().copied().chain([step.constraint]).collect();
        let chosen = arena.free_variables_of(&terms).into_iter();
        let chosen = chosen.filter_map(|input| Some((arena.name(input)?, input))).collect();
        let mut facts = Vec::new();
        let mut before: &[Value] = &[];
        for (number, step) in steps.iter().enumerate() {
            // The last step finds that the goal holds.
            let Ok((_, after)) = &step.holds else { break };
            if number > 0 {
                facts.push(self.fact(&chosen, before, step, after)?);
            }
            before = after;
        }
        Derivation::chain(system, facts)
    }

    fn fact(
        &self,
        chosen: &FxHashMap<&str, Term>,
        before: &[Value],
        step: &Fact,
        after: &[Value],
    ) -> Option<Fact> {
        let arena = &self.system.arena;
        let mut evaluator = Evaluator::new(Model::new()).with_defaults();
        let state = self.system.clauses[1].body.first()?;
        for (&variable, value) in state.arguments.iter().zip(before) {
            evaluator.set(variable, value.clone());
        }
        for (name, value) in &step.inputs {
            if let Some(&input) = chosen.get(name.as_str()) {
                evaluator.set(input, value.clone());
            }
        }
        let mut taken = |activation: &&Activation| evaluator.holds(arena, activation.act) == Ok(true);
        let activation = self.activations.iter().find(|activation| taken(activation))?;
        let holds = match activation.head {
            Some(predicate) => {
                let values = self.places[predicate.0].iter().map(|&place| after.get(place).cloned());
                Ok((predicate, values.collect::<Option<Vec<Value>>>()?))
            }
            None => Err(self.goal),
        };
        let mut inputs = Vec::new();
        for (name, term) in &activation.inputs {
            inputs.push((name.clone(), evaluator.eval(arena, *term).ok()?));
        }
        Some(Fact { holds, clause: activation.clause, inputs, premises: Vec::new() })
    }
}

/// From the variables of the automaton that a way mentions to places of the body and to inputs.
fn renaming(
    arena: &mut Arena,
    layout: &Layout,
    body: Option<PredicateId>,
    way: &Way,
    place: &dyn Fn((PredicateId, usize)) -> Term,
) -> Substitution {
    let automaton = &layout.program.automaton;
    let arguments = body.into_iter().flat_map(|body| {
        layout.arguments[body.0].iter().enumerate().map(move |(index, &slot)| (slot, (body, index)))
    });
    let mut known: FxHashMap<Term, Term> = FxHashMap::default();
    for (slot, argument) in arguments {
        // What is chosen in the place of an argument is not that argument any more.
        if !way.chosen.contains(&slot) {
            known.insert(automaton.variable(slot).term, place(argument));
        }
    }
    let values = way.head.iter().map(|&(_, value)| value);
    let terms: Vec<Term> =
        values.chain(way.inputs.iter().map(|&(_, value)| value)).chain([way.guard]).collect();
    let mut renamed = Substitution::new();
    for variable in arena.free_variables_of(&terms) {
        let sort = arena.sort(variable).clone();
        let name = known.get(&variable).copied();
        renamed.insert(variable, name.unwrap_or_else(|| arena.fresh_variable("y", &sort)));
    }
    renamed
}

/// Exactly one of these holds: one of the first half and none of the other, or the other way round.
fn one_hot(arena: &mut Arena, all: &[Term]) -> Term {
    // Of every range, from the shorter to the longer: that one holds, and that none does.
    let mut level: Vec<(Term, Term)> = all.iter().map(|&act| (act, arena.not(act))).collect();
    while level.len() > 1 {
        let mut longer = Vec::with_capacity(level.len().div_ceil(2));
        for pair in level.chunks(2) {
            longer.push(match *pair {
                [(one, none), (other_one, other_none)] => {
                    let left = arena.and(&[one, other_none]);
                    let right = arena.and(&[none, other_one]);
                    (arena.or(&[left, right]), arena.and(&[none, other_none]))
                }
                _ => pair[0],
            });
        }
        level = longer;
    }
    level.first().map_or_else(|| arena.mk_false(), |&(one, _)| one)
}

/// A name without what automata cannot have in theirs.
fn plain(name: &str) -> String {
    name.replace(['|', '\\', '\''], "_")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::automaton::to_automaton;
    use crate::read_horn;
    use nilas_term::smtlib::print_term;

    /// Example 4.2 of the thesis, over bytes.
    const EXAMPLE: &str = "(set-logic HORN)
        (declare-fun E () Bool) (declare-fun L ((_ BitVec 8)) Bool) (declare-fun M ((_ BitVec 8)) Bool)
        (assert E)
        (assert (=> E (L #x00)))
        (assert (forall ((x (_ BitVec 8))) (=> (and (L x) (bvult x #x05)) (L (bvadd x #x03)))))
        (assert (forall ((x (_ BitVec 8))) (=> (and (L x) (not (bvult x #x05))) (M x))))
        (assert (forall ((x (_ BitVec 8))) (=> (and (M x) (not (bvult x #x07))) false)))";

    fn functional(text: &str) -> Functional {
        let system = read_horn(text).unwrap();
        let layout = to_automaton(&system, Some(GoalId(0)));
        Functional::new(&system, &layout, GoalId(0))
    }

    /// What Example 4.4 has: (4.17) to (4.27), but that what is not set holds anything.
    #[test]
    fn the_example_of_the_thesis() {
        let functional = functional(EXAMPLE);
        let arena = &functional.system.arena;
        let [initial, step, bad] = &functional.system.clauses[..] else { panic!("three clauses") };
        let short = |term: Term| {
            let mut text = print_term(arena, term);
            let names = functional.system.predicates[0].parameters.iter().map(|(name, _)| name.clone());
            let acts = functional.activations.iter().map(|it| arena.name(it.act).unwrap().to_owned());
            for (index, act) in acts.enumerate() {
                text = text.replace(&act, &format!("act{}", index + 1));
            }
            for name in names {
                text = text.replace(&name, name.split('!').next().unwrap());
            }
            text.split('!').next().unwrap().to_owned()
        };
        assert_eq!(functional.activations.len(), 5);
        assert_eq!(short(bad.constraint), "at.goal");
        assert_eq!(short(initial.constraint), "(and (not at.L) (not at.M) (not at.E) (not at.goal))");
        let after = step.head.as_ref().unwrap().arguments.iter().map(|&term| short(term));
        let after: Vec<String> = after.collect();
        let expected = [
            "act1",
            "(or act2 act3)",
            "(ite act3 (bvadd L.0 #x03) (ite act2 #x00 L.0.any",
            "act4",
            "(ite act4 L.0 M.0.any",
            "act5",
        ];
        assert_eq!(after, expected);
        // Exactly one clause, whose guard holds.
        let at = |name: &str| {
            let parameters = &functional.system.predicates[0].parameters;
            let index = parameters.iter().position(|(known, _)| known.starts_with(name)).unwrap();
            step.body.first().unwrap().arguments[index]
        };
        let possible = |state: &[(&str, Value)], acts: &[usize]| {
            let mut evaluator = Evaluator::new(Model::new()).with_defaults();
            for (name, value) in state {
                evaluator.set(at(name), value.clone());
            }
            for &act in acts {
                evaluator.set(functional.activations[act - 1].act, Value::Bool(true));
            }
            evaluator.holds(arena, step.constraint).unwrap()
        };
        let byte = |number: u64| Value::BitVec(nilas_term::BitVec::new(8, number));
        assert!(possible(&[], &[1]) && !possible(&[], &[]) && !possible(&[], &[2]));
        assert!(possible(&[("at.E", Value::Bool(true))], &[2]));
        assert!(!possible(&[("at.E", Value::Bool(true))], &[1, 2]));
        for number in 0..20 {
            let state = [("at.L", Value::Bool(true)), ("L.0", byte(number))];
            assert_eq!((possible(&state, &[3]), possible(&state, &[4])), (number < 5, number >= 5));
        }
    }

    #[test]
    fn exactly_one() {
        for count in 0..9_u32 {
            let mut arena = Arena::new();
            let acts: Vec<Term> = (0..count).map(|_| arena.fresh_variable("act", &Sort::Bool)).collect();
            let formula = one_hot(&mut arena, &acts);
            for bits in 0..1_u32 << count {
                let mut evaluator = Evaluator::new(Model::new());
                for (index, &act) in acts.iter().enumerate() {
                    evaluator.set(act, Value::Bool(bits >> index & 1 == 1));
                }
                assert_eq!(
                    evaluator.holds(&arena, formula),
                    Ok(bits.count_ones() == 1),
                    "{bits:b} of {count}"
                );
            }
        }
    }

    /// A variable that is chosen in the place of an argument is an input, not that argument.
    #[test]
    fn choices_in_the_place_of_an_argument() {
        let functional = functional(
            "(set-logic HORN) (declare-fun P ((_ BitVec 8)) Bool) (assert (P #x00))
             (assert (forall ((x (_ BitVec 8)) (z (_ BitVec 8))) (=> (and (P x) (bvult z #x05)) (P z))))
             (assert (not (P #x04)))",
        );
        let step = &functional.system.clauses[1];
        let place = step.body.first().unwrap().arguments[1];
        let free = functional.system.arena.free_variables(step.head.as_ref().unwrap().arguments[1]);
        assert!(!free.contains(&place), "the place is set by every clause, never from itself");
    }
}
