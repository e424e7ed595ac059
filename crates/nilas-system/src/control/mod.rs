//! The control of a system as locations.
//!
//! A transition relation that was made from a program has the program counter in its state: a truth value per
//! location, bits, or a number. Engines that know locations gain much where it becomes one again. So the
//! *control* arguments of a predicate, those that only ever hold few constants, are taken out of it: `R(c, x)`
//! becomes a predicate `R_κ(x)` for every value `κ` of `c` that can be met, and a clause becomes its instances
//! for the values before and after.
//!
//! Which values can be met is found by following the clauses from facts on, by simplification alone
//! ([`explore`]). Nothing rests on that: the automaton that proofs are checked on ([`Unfolded::plain`]) has, for
//! every clause and value before, one more instance, which leads to the goal wherever the values after it are
//! none of those that were found. So it derives the goal wherever the clauses as read do. Of its clauses only
//! definitions are put in ([`one_point`]). A derivation is carried back, and evaluated against the clauses as
//! read.

mod candidates;
mod explore;
mod one_point;

use crate::automaton::{Layout, to_automaton, to_plain_automaton};
use crate::derivation::{Derivation, Fact};
use crate::model::Interpretation;
use crate::system::{Atom, Clause, Goal, GoalId, Predicate, PredicateId, System};
use explore::{Explored, Place, Step};
use nilas_evidence::{Evidence, Execution, Invariant};
use nilas_program::Program;
use nilas_term::{Arena, Importer, Sort, Substitution, Term, Value};
use one_point::one_point;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The control arguments of each predicate: their positions, in order.
type Control = Vec<Vec<usize>>;

/// A system whose control is locations, see the module's text.
#[derive(Clone, Debug)]
pub struct Unfolded {
    system: System,
    layout: Layout,
    plain: Program,
    control: Control,
    /// What each predicate stands for.
    places: Vec<Place>,
    /// The clause as read of each clause.
    origins: Vec<usize>,
    goal: GoalId,
}

impl Unfolded {
    /// The clauses for a goal with control as locations; `None` if there is none worth it.
    #[must_use]
    pub fn new(system: &System, goal: GoalId) -> Option<Self> {
        let mut arena = system.arena.clone();
        let (control, explored) = candidates::choose(&mut arena, system, goal)?;
        Some(Unfolded::of(system, goal, arena, control, explored))
    }

    /// The clauses with this control, at the places that were found.
    fn of(system: &System, goal: GoalId, mut arena: Arena, control: Control, explored: Explored) -> Self {
        let Explored { places, steps } = explored;
        let mut whole = System {
            form: system.form,
            arena: Arena::new(),
            predicates: places.iter().map(|place| predicate(system, &arena, &control, place)).collect(),
            clauses: Vec::new(),
            goals: vec![Goal { name: system.goals[goal.0].name.clone(), span: system.goals[goal.0].span }],
            inputs: system.inputs.clone(),
            undecided: system.undecided.clone(),
        };
        let (mut origins, mut lost) = (Vec::new(), Vec::new());
        for step in &steps {
            let Step { there, from, .. } = step;
            let atom = |place: usize, arguments| Atom { predicate: PredicateId(place), arguments };
            let body: Vec<Atom> = match (from, there.body.first()) {
                (Some(from), Some(before)) => vec![atom(*from, others(&control, before))],
                _ => Vec::new(),
            };
            let (span, goal) = (there.span, Err(GoalId(0)));
            let Ok(head) = &there.head else {
                whole.clauses.push(Clause { body, constraint: there.constraint, head: goal, span });
                origins.push(step.clause);
                continue;
            };
            let before = there.body.iter().flat_map(|atom| atom.arguments.iter().copied());
            let given: FxHashSet<Term> =
                arena.free_variables_of(&before.collect::<Vec<_>>()).into_iter().collect();
            for &to in &step.to {
                let (constraint, arguments) =
                    arrive(&mut arena, there.constraint, head, &given, &control, &places[to]);
                if arena.as_bool(constraint) != Some(false) {
                    let head = Ok(atom(to, arguments));
                    whole.clauses.push(Clause { body: body.clone(), constraint, head, span });
                    origins.push(step.clause);
                }
            }
            let constraint = elsewhere(&mut arena, there.constraint, head, &control, &step.to, &places);
            if arena.as_bool(constraint) != Some(false) {
                lost.push(Clause { body, constraint, head: goal, span });
            }
        }
        whole.arena = arena;
        let layout = to_automaton(&whole, None);
        let mut complete = whole.clone();
        let clauses = whole.clauses.iter().chain(&lost);
        complete.clauses = clauses.map(|clause| one_point(&mut complete.arena, clause)).collect();
        let plain = to_plain_automaton(&complete, None).program;
        Unfolded { system: whole, layout, plain, control, places, origins, goal }
    }

    /// The automaton for engines.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.layout.program
    }

    /// The automaton that proofs are checked on.
    #[must_use]
    pub fn plain(&self) -> &Program {
        &self.plain
    }

    /// The locations and arguments of both automata.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The derivation by the clauses as read that an execution means; `None` if it means none.
    #[must_use]
    pub fn derivation(&self, system: &System, execution: &Execution) -> Option<Derivation> {
        let steps = Derivation::new(&self.system, &self.layout, execution)?.facts;
        let mut facts = Vec::with_capacity(steps.len());
        for step in steps {
            let holds = match step.holds {
                Ok((id, values)) => {
                    let place = self.places.get(id.0)?;
                    Ok((place.predicate, self.joined(place, values)?))
                }
                Err(_) => Err(self.goal),
            };
            let clause = *self.origins.get(step.clause)?;
            facts.push(Fact { holds, clause, premises: Vec::new(), inputs: step.inputs });
        }
        Derivation::chain(system, facts)
    }

    /// The arguments of the predicate as read: the values of control, and the others.
    fn joined(&self, place: &Place, others: Vec<Value>) -> Option<Vec<Value>> {
        let control = &self.control[place.predicate.0];
        let mut others = others.into_iter();
        let mut values = place.values.iter();
        let count = control.len() + others.len();
        (0..count)
            .map(|index| match control.binary_search(&index) {
                Ok(_) => self.system.arena.as_value(*values.next()?).cloned(),
                Err(_) => others.next(),
            })
            .collect()
    }

    /// Evidence of safety as evidence about the automaton of the clauses as read: control has one of the values
    /// that can be met, and for each of them holds what holds there. `None` if formulas are missing, or say
    /// something about all values of something.
    #[must_use]
    pub fn evidence(&self, layout: &Layout, evidence: &Evidence) -> Option<Evidence> {
        let whole = Interpretation::new(&self.layout, evidence)?.evidence(&self.layout)?;
        let Evidence::Invariant(invariant) = whole else { return None };
        let mut arena = layout.program.arena.clone();
        let (mut importer, mut constants) = (Importer::new(), Importer::new());
        let mut cases: Vec<Vec<Term>> = vec![Vec::new(); layout.locations.len()];
        for (index, place) in self.places.iter().enumerate() {
            let formula = *invariant.formulas.get(&self.layout.locations[index])?;
            let formula = importer.import(&mut arena, &invariant.arena, formula).ok()?;
            let slots = &layout.arguments[place.predicate.0];
            let (control, own) = (&self.control[place.predicate.0], &self.layout.arguments[index]);
            let others = (0..slots.len()).filter(|argument| control.binary_search(argument).is_err());
            let mut renamed = Substitution::new();
            for (argument, &slot) in others.zip(own) {
                let mine = self.layout.program.automaton.variable(slot);
                let mine = arena.variable(&mine.name, &mine.sort).ok()?;
                renamed.insert(mine, layout.program.automaton.variable(slots[argument]).term);
            }
            let mut conjuncts = vec![renamed.apply(&mut arena, formula)];
            for (&argument, &value) in control.iter().zip(&place.values) {
                let value = constants.import(&mut arena, &self.system.arena, value).ok()?;
                let slot = layout.program.automaton.variable(slots[argument]).term;
                conjuncts.push(arena.eq(slot, value));
            }
            cases[place.predicate.0].push(arena.and(&conjuncts));
        }
        let mut formulas = BTreeMap::new();
        for (&location, cases) in layout.locations.iter().zip(&cases) {
            formulas.insert(location, arena.or(cases));
        }
        Some(Evidence::Invariant(Invariant { arena, formulas, ..Invariant::default() }))
    }
}

/// The predicate of a place, named for what its control is.
fn predicate(system: &System, arena: &Arena, control: &Control, place: &Place) -> Predicate {
    let origin = system.predicate(place.predicate);
    let control = &control[place.predicate.0];
    let mut name = origin.name.clone();
    for (&argument, &value) in control.iter().zip(&place.values) {
        let variable = &origin.parameters[argument].0;
        // Writing to a string does not fail.
        let _ = match arena.as_value(value) {
            Some(Value::Bool(true)) => write!(name, " {variable}"),
            Some(Value::Bool(false)) | None => Ok(()),
            Some(Value::BitVec(number)) => write!(name, " {variable}={number}"),
            Some(_) => write!(name, " {variable}"),
        };
    }
    let parameters: Vec<(String, Sort)> = origin
        .parameters
        .iter()
        .enumerate()
        .filter(|(index, _)| control.binary_search(index).is_err())
        .map(|(_, parameter)| parameter.clone())
        .collect();
    Predicate { name, parameters, span: origin.span }
}

/// The arguments that are no control.
fn others(control: &Control, atom: &Atom) -> Vec<Term> {
    let control = &control[atom.predicate.0];
    let arguments = atom.arguments.iter().enumerate();
    arguments.filter(|(index, _)| control.binary_search(index).is_err()).map(|(_, &term)| term).collect()
}

/// A clause with the values of control before it put in.
fn there(arena: &mut Arena, clause: &Clause, control: &Control, place: Option<&Place>) -> Clause {
    let mut known = Substitution::new();
    let mut conjuncts = vec![clause.constraint];
    if let (Some(atom), Some(place)) = (clause.body.first(), place) {
        for (&argument, &value) in control[atom.predicate.0].iter().zip(&place.values) {
            fix(arena, &mut known, &mut conjuncts, &FxHashSet::default(), atom.arguments[argument], value);
        }
    }
    let constraint = arena.and(&conjuncts);
    let mut put = |atom: &Atom| Atom {
        predicate: atom.predicate,
        arguments: atom.arguments.iter().map(|&argument| known.apply(arena, argument)).collect(),
    };
    let body = clause.body.iter().map(&mut put).collect();
    let head = clause.head.as_ref().map(&mut put).map_err(|&goal| goal);
    Clause { body, constraint: known.apply(arena, constraint), head, span: clause.span }
}

/// The constraint of a clause that leads to these values of control, and the other arguments of its head.
fn arrive(
    arena: &mut Arena,
    constraint: Term,
    head: &Atom,
    given: &FxHashSet<Term>,
    control: &Control,
    place: &Place,
) -> (Term, Vec<Term>) {
    let mut known = Substitution::new();
    let mut conjuncts = vec![constraint];
    for (&argument, &value) in control[head.predicate.0].iter().zip(&place.values) {
        fix(arena, &mut known, &mut conjuncts, given, head.arguments[argument], value);
    }
    let constraint = arena.and(&conjuncts);
    let arguments = others(control, head);
    let arguments = arguments.into_iter().map(|argument| known.apply(arena, argument)).collect();
    (known.apply(arena, constraint), arguments)
}

/// An argument has a value: a variable is replaced; one that is given, and anything else, becomes an equation.
fn fix(
    arena: &mut Arena,
    known: &mut Substitution,
    conjuncts: &mut Vec<Term>,
    given: &FxHashSet<Term>,
    argument: Term,
    value: Term,
) {
    let is_open = arena.as_variable(argument).is_some() && !given.contains(&argument);
    if is_open && known.get(argument).is_none() {
        known.insert(argument, value);
    } else {
        conjuncts.push(arena.eq(argument, value));
    }
}

/// The constraint of a clause that leads to none of these places.
fn elsewhere(
    arena: &mut Arena,
    constraint: Term,
    head: &Atom,
    control: &Control,
    found: &[usize],
    places: &[Place],
) -> Term {
    let mut conjuncts = vec![constraint];
    for &to in found {
        let mut differs = Vec::new();
        for (&argument, &value) in control[head.predicate.0].iter().zip(&places[to].values) {
            let same = arena.eq(head.arguments[argument], value);
            differs.push(arena.not(same));
        }
        conjuncts.push(arena.or(&differs));
    }
    arena.and(&conjuncts)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::read_vmt;
    use nilas_term::{BitVec, Evaluator, Model};

    /// A loop with its counter in two bits, a number that is its state and one that is data.
    const LOOP: &str = "
(declare-fun a () Bool) (declare-fun a+ () Bool) (declare-fun b () Bool) (declare-fun b+ () Bool)
(declare-fun s () (_ BitVec 8)) (declare-fun s+ () (_ BitVec 8))
(declare-fun x () (_ BitVec 8)) (declare-fun x+ () (_ BitVec 8)) (declare-fun go () Bool)
(define-fun .0 () Bool (! a :next a+)) (define-fun .1 () Bool (! b :next b+))
(define-fun .2 () (_ BitVec 8) (! s :next s+)) (define-fun .3 () (_ BitVec 8) (! x :next x+))
(define-fun .i () Bool (! (and (not a) (not b) (= x #x00) (= s #x05)) :init true))
(define-fun .t () Bool (! (and
  (= a+ (and (not b) (or (not a) go))) (= b+ (and a (not go)))
  (= s+ (ite a (ite (= s #x05) #x07 (ite (= s #x07) #x09 #x05)) s))
  (= x+ (ite a (bvadd x #x01) x))) :trans true))
(define-fun .p () Bool (! (not (and b (= s #x09) (= x #x07))) :invar-property 0))";

    fn explored(text: &str) -> (System, Arena, Control, Explored) {
        let system = read_vmt(text).unwrap();
        let mut arena = system.arena.clone();
        let (control, explored) = candidates::choose(&mut arena, &system, GoalId(0)).unwrap();
        (system, arena, control, explored)
    }

    #[test]
    fn counters_and_states_are_control_and_data_is_not() {
        let (system, arena, control, explored) = explored(LOOP);
        let names = control[0].iter().map(|&index| system.predicates[0].parameters[index].0.as_str());
        assert_eq!(names.collect::<Vec<_>>(), ["a", "b", "s"]);
        let unfolded = Unfolded::of(&system, GoalId(0), arena, control, explored);
        let mut names: Vec<&str> = unfolded.system.predicates.iter().map(|it| it.name.as_str()).collect();
        names.sort_unstable();
        // After one iteration of the loop the state differs, and from the end it starts again.
        assert!(names.contains(&"state s=#x05") && names.contains(&"state a s=#x07"), "{names:?}");
        assert!(names.contains(&"state b s=#x09") && names.len() == 9, "{names:?}");
        assert!(unfolded.system.predicates.iter().all(|predicate| predicate.parameters.len() == 1));
    }

    /// What is no control may become control: that it has that value is kept as a condition.
    #[test]
    fn data_that_becomes_control() {
        let text = "
(declare-fun a () Bool) (declare-fun a+ () Bool) (declare-fun d () Bool) (declare-fun d+ () Bool)
(define-fun .0 () Bool (! a :next a+)) (define-fun .1 () Bool (! d :next d+))
(define-fun .i () Bool (! (not a) :init true)) (define-fun .t () Bool (! (and (= a+ d) (= d+ d)) :trans true))
(define-fun .p () Bool (! (not a) :invar-property 0))";
        let system = read_vmt(text).unwrap();
        let mut arena = system.arena.clone();
        let control = vec![vec![0]];
        let explored = explore::explore(&mut arena, &system, GoalId(0), &control, 10).unwrap();
        let unfolded = Unfolded::of(&system, GoalId(0), arena, control, explored);
        for clause in unfolded.system.clauses.iter().filter(|clause| clause.head.is_ok()) {
            let [atom] = &clause.body[..] else { continue };
            let mentioned = unfolded.system.arena.free_variables(clause.constraint);
            assert!(mentioned.contains(&atom.arguments[0]), "a step to a value of `a` asks for that of `d`");
        }
    }

    /// Whether a formula over truth values and bytes has a model in which bytes have one of these values.
    fn possible(arena: &Arena, formula: Term) -> bool {
        let bytes = [0, 1, 5, 7, 9].map(|number| Value::BitVec(BitVec::new(8, number)));
        let values = |variable: Term| match arena.sort(variable) {
            Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
            _ => bytes.to_vec(),
        };
        let mut models = vec![Vec::new()];
        for variable in arena.free_variables(formula) {
            let longer = models.iter().flat_map(|model: &Vec<(Term, Value)>| {
                values(variable).into_iter().map(|value| {
                    let mut model = model.clone();
                    model.push((variable, value));
                    model
                })
            });
            models = longer.collect();
        }
        models.into_iter().any(|model| {
            let mut evaluator = Evaluator::new(Model::new());
            model.into_iter().for_each(|(variable, value)| evaluator.set(variable, value));
            evaluator.holds(arena, formula) == Ok(true)
        })
    }

    #[test]
    fn a_place_that_was_not_found_leads_to_the_goal() {
        let (_, mut arena, control, explored) = explored(LOOP);
        let Explored { places, steps } = explored;
        let step = steps.iter().find(|step| step.to.len() > 1).unwrap();
        let Step { there, to, .. } = step;
        let head = there.head.as_ref().unwrap();
        let lost = elsewhere(&mut arena, there.constraint, head, &control, to, &places);
        assert!(!possible(&arena, lost));
        for missing in 0..to.len() {
            let mut found = to.clone();
            found.remove(missing);
            let lost = elsewhere(&mut arena, there.constraint, head, &control, &found, &places);
            assert!(possible(&arena, lost), "nothing leads to place {missing}");
        }
    }
}
