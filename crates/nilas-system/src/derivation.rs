//! Derivations: what an execution of the automaton says about the clauses.
//!
//! The steps of an execution are carried out here once more, arc by arc on values, so that every fact has
//! all of its arguments. Then every step is checked against its clause as it was read: the constraint and all
//! arguments are evaluated.

use crate::automaton::Layout;
use crate::system::{GoalId, PredicateId, System};
use nilas_evidence::{Execution, Trace, replay};
use nilas_program::{Basic, EdgeId, VarId};
use nilas_smt::Budget;
use nilas_term::{Evaluator, Model, Term, Value};
use std::collections::{BTreeSet, VecDeque};

/// One fact of a derivation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What is derived: a predicate of values, or the goal.
    pub holds: Result<(PredicateId, Vec<Value>), GoalId>,
    /// The clause that derives it.
    pub clause: usize,
    /// The earlier facts that it follows from, one for each predicate of the clause's body.
    pub premises: Vec<usize>,
    /// Inputs that the step chooses, by name.
    pub inputs: Vec<(String, Value)>,
}

/// Facts, each of which follows from earlier ones by a clause; the last is the goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derivation {
    /// The facts.
    pub facts: Vec<Fact>,
}

impl Derivation {
    /// The derivation of an execution; `None` if it does not reach the error.
    #[must_use]
    pub fn new(system: &System, layout: &Layout, execution: &Execution) -> Option<Self> {
        let program = &layout.program;
        let trace = replay(program, execution, &Budget::unlimited()).ok()?;
        let Trace { initial, steps, .. } = trace;
        let mut evaluator = Evaluator::new(Model::new()).with_defaults();
        let mut values = initial;
        for (variable, value) in program.automaton.variables.iter().zip(&values) {
            evaluator.set(variable.term, value.clone());
        }
        let mut facts = Vec::new();
        for step in &steps {
            let edge = program.automaton.edge(step.edge);
            let clause = *layout.clauses.get(step.edge.index())?;
            let mut choices: VecDeque<&Value> = step.inputs.iter().map(|(_, value)| value).collect();
            let mut possible = None;
            for &arc in &step.arcs {
                match edge.command.arc(arc).basic {
                    Basic::Skip => {}
                    Basic::Assume(condition) => {
                        if !evaluator.holds(&program.arena, condition).ok()? {
                            return None;
                        }
                        possible.get_or_insert_with(|| ways(layout, step.edge, &mut evaluator));
                    }
                    Basic::Assign(variable, term) => {
                        possible.get_or_insert_with(|| ways(layout, step.edge, &mut evaluator));
                        let value = evaluator.eval(&program.arena, term).ok()?;
                        evaluator.set(program.automaton.variable(variable).term, value.clone());
                        values[variable.index()] = value;
                    }
                    Basic::Havoc(variable, _) => {
                        let value = choices.pop_front()?.clone();
                        evaluator.set(program.automaton.variable(variable).term, value.clone());
                        values[variable.index()] = value;
                    }
                }
            }
            // An edge may have neither to be told by.
            possible.get_or_insert_with(|| ways(layout, step.edge, &mut evaluator));
            let fits = |way: &Possible| way.head.iter().all(|(slot, value)| values[slot.index()] == *value);
            let taken = possible.into_iter().flatten().find(fits);
            let inputs = taken.map(|way| way.inputs).unwrap_or_default();
            let holds = match layout.predicate(edge.target) {
                Some(predicate) => {
                    let arguments = &layout.arguments[predicate.0];
                    Ok((predicate, arguments.iter().map(|slot| values[slot.index()].clone()).collect()))
                }
                None => Err(system.clauses.get(clause)?.head.as_ref().err().copied()?),
            };
            facts.push(Fact { holds, clause, premises: Vec::new(), inputs });
        }
        Derivation::chain(system, facts)
    }

    /// A derivation in which each fact follows from the one before.
    pub(crate) fn chain(system: &System, mut facts: Vec<Fact>) -> Option<Self> {
        for (number, fact) in facts.iter_mut().enumerate() {
            fact.premises = number.checked_sub(1).into_iter().collect();
        }
        Derivation::of(system, facts)
    }

    /// Facts that are a derivation: each follows from earlier ones, and the last is the goal.
    pub(crate) fn of(system: &System, facts: Vec<Fact>) -> Option<Self> {
        for (number, fact) in facts.iter().enumerate() {
            let earlier = &facts[..number];
            let premises = fact.premises.iter().map(|&premise| earlier.get(premise));
            if !follows(system, fact, &premises.collect::<Option<Vec<_>>>()?)? {
                return None;
            }
        }
        facts.last().is_some_and(|fact| fact.holds.is_err()).then_some(Derivation { facts })
    }
}

/// Whether a fact follows from others by its clause; `None` if that cannot be evaluated.
fn follows(system: &System, fact: &Fact, premises: &[&Fact]) -> Option<bool> {
    let arena = &system.arena;
    let clause = system.clauses.get(fact.clause)?;
    let nothing: &[Value] = &[];
    if clause.body.len() != premises.len() {
        return Some(false);
    }
    let mut given: Vec<&Value> = Vec::new();
    for (atom, premise) in clause.body.iter().zip(premises) {
        match &premise.holds {
            Ok((predicate, values))
                if atom.predicate == *predicate && atom.arguments.len() == values.len() =>
            {
                given.extend(values);
            }
            _ => return Some(false),
        }
    }
    let derived = match (&clause.head, &fact.holds) {
        (Ok(atom), Ok((predicate, values))) if atom.predicate == *predicate => &values[..],
        (Err(goal), Err(derived)) if goal == derived => nothing,
        _ => return Some(false),
    };
    let body: Vec<Term> = clause.body.iter().flat_map(|atom| atom.arguments.iter().copied()).collect();
    let head = clause.head.as_ref().map_or(&[][..], |atom| &atom.arguments[..]);
    let mut evaluator = Evaluator::new(Model::new()).with_defaults();
    let terms: Vec<Term> = body.iter().chain(head).copied().chain([clause.constraint]).collect();
    let mut known = BTreeSet::new();
    for variable in arena.free_variables_of(&terms) {
        let chosen = fact.inputs.iter().find(|(name, _)| arena.name(variable) == Some(name.as_str()));
        if let Some((_, value)) = chosen {
            evaluator.set(variable, value.clone());
            known.insert(variable);
        }
    }
    // What an argument is has the value of that argument.
    for (&argument, value) in body.iter().zip(given.iter().copied()).chain(head.iter().zip(derived)) {
        if arena.as_variable(argument).is_some() && known.insert(argument) {
            evaluator.set(argument, value.clone());
        }
    }
    if !evaluator.holds(arena, clause.constraint).ok()? {
        return Some(false);
    }
    for (&argument, value) in body.iter().zip(given.iter().copied()).chain(head.iter().zip(derived)) {
        if evaluator.eval(arena, argument).ok()? != *value {
            return Some(false);
        }
    }
    Some(true)
}

/// A branch that can be taken: what the arguments hold afterwards, and the inputs.
struct Possible {
    head: Vec<(VarId, Value)>,
    inputs: Vec<(String, Value)>,
}

/// The branches of an edge whose guard holds, once everything is chosen and nothing is assigned.
fn ways(layout: &Layout, edge: EdgeId, evaluator: &mut Evaluator) -> Vec<Possible> {
    let arena = &layout.program.arena;
    let mut possible = Vec::new();
    for way in layout.ways.get(edge.index()).into_iter().flatten() {
        if evaluator.holds(arena, way.guard) != Ok(true) {
            continue;
        }
        let head =
            way.head.iter().filter_map(|&(slot, term)| Some((slot, evaluator.eval(arena, term).ok()?)));
        let head = head.collect();
        let inputs = way
            .inputs
            .iter()
            .filter_map(|(name, term)| Some((name.clone(), evaluator.eval(arena, *term).ok()?)));
        possible.push(Possible { head, inputs: inputs.collect() });
    }
    possible
}
