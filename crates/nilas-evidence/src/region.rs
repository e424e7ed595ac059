//! One formula for all the ways from a cut location to the next ones.
//!
//! The part of the automaton between cut locations is acyclic. It is executed symbolically, each location
//! once, in topological order; where ways meet, their states are merged with if-then-else, so the result
//! is linear in the size of the region and nothing is ever enumerated path by path.
//!
//! Wherever several ways leave a place, fresh Boolean *selectors* say which one is taken. So one
//! assignment of variables, `havoc` inputs and selectors determines one execution, the conditions under which
//! ways arrive somewhere exclude each other, and merging loses nothing.

use crate::cutset::Cutset;
use nilas_program::{Automaton, Basic, Command, LocationId};
use nilas_smt::{Budget, Reason};
use nilas_term::{Arena, Op, Sort, Substitution, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A condition, and the values of all variables (by index) where it holds.
#[derive(Clone)]
pub(crate) struct Arrival {
    pub(crate) condition: Term,
    pub(crate) values: Rc<Vec<Term>>,
}

impl Arrival {
    /// Everywhere, with every variable holding itself.
    pub(crate) fn anywhere(arena: &mut Arena, automaton: &Automaton) -> Arrival {
        let values = automaton.variables.iter().map(|variable| variable.term).collect();
        Arrival { condition: arena.mk_true(), values: Rc::new(values) }
    }

    /// Everywhere where the formulas hold. A formula that gives the value of a variable, or says that two
    /// variables are equal, becomes part of the state; the others are returned, each with what it is read
    /// in that state. So what is known is known before anything is built from it.
    pub(crate) fn where_hold(
        arena: &mut Arena,
        automaton: &Automaton,
        names: &Names,
        formulas: Vec<Term>,
    ) -> (Arrival, Vec<(Term, Term)>) {
        let mut start = Arrival::anywhere(arena, automaton);
        let mut others = Vec::new();
        for given in formulas {
            // The state maps every variable to a value or to a variable that stands for itself; reading the
            // formula there keeps it so.
            let formula = start.read(arena, names, given);
            match fixes(arena, names, formula) {
                Some((variable, value)) => {
                    for old in Rc::make_mut(&mut start.values).iter_mut().filter(|old| **old == variable) {
                        *old = value;
                    }
                }
                None => others.push((given, formula)),
            }
        }
        let read = |(given, formula)| (given, start.read(arena, names, formula));
        let others = others.into_iter().map(read).collect();
        (start, others)
    }

    /// A formula over the automaton's variables, read in this state.
    pub(crate) fn read(&self, arena: &mut Arena, names: &Names, formula: Term) -> Term {
        let mut substitution = Substitution::new();
        for variable in arena.free_variables(formula) {
            if let Some(&index) = names.0.get(&variable) {
                substitution.insert(variable, self.values[index]);
            }
        }
        substitution.apply(arena, formula)
    }
}

/// The variable and the constant or other variable that a formula says it is equal to.
fn fixes(arena: &mut Arena, names: &Names, formula: Term) -> Option<(Term, Term)> {
    let children = arena.children(formula).to_vec();
    match (arena.op(formula), &children[..]) {
        (Op::Var(_), _) if names.contains(formula) => Some((formula, arena.mk_true())),
        (Op::Not, &[child]) if names.contains(child) => Some((child, arena.mk_false())),
        (Op::Eq, &[left, right]) => {
            let plain = |term: Term| names.contains(term) || arena.as_value(term).is_some();
            match (names.contains(left), names.contains(right)) {
                (true, _) if plain(right) => Some((left, right)),
                (_, true) if plain(left) => Some((right, left)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Which variable of the automaton a term is.
pub(crate) struct Names(FxHashMap<Term, usize>);

impl Names {
    pub(crate) fn new(automaton: &Automaton) -> Self {
        Names(
            automaton.variables.iter().enumerate().map(|(index, variable)| (variable.term, index)).collect(),
        )
    }

    pub(crate) fn contains(&self, variable: Term) -> bool {
        self.0.contains_key(&variable)
    }
}

/// All arrivals at one place as one. Their conditions exclude each other.
pub(crate) fn merge(arena: &mut Arena, arrivals: &[Arrival]) -> Option<Arrival> {
    let (last, others) = arrivals.split_last()?;
    if others.is_empty() {
        return Some(last.clone());
    }
    let conditions: Vec<Term> = arrivals.iter().map(|arrival| arrival.condition).collect();
    let condition = arena.or(&conditions);
    let mut values = (*last.values).clone();
    for (index, value) in values.iter_mut().enumerate() {
        for arrival in others.iter().rev() {
            let other = arrival.values[index];
            if other != *value {
                *value = arena.ite(arrival.condition, other, *value);
            }
        }
    }
    Some(Arrival { condition, values: Rc::new(values) })
}

/// Executes the region that starts at `cut` in the state `start`; what arrives at cut locations and sinks.
pub(crate) fn execute(
    arena: &mut Arena,
    automaton: &Automaton,
    names: &Names,
    cutset: &Cutset,
    cut: LocationId,
    start: Arrival,
    budget: &Budget,
) -> Result<BTreeMap<LocationId, Vec<Arrival>>, Reason> {
    let mut results: BTreeMap<LocationId, Vec<Arrival>> = BTreeMap::new();
    let mut waiting: BTreeMap<usize, Vec<Arrival>> = BTreeMap::new();
    let mut current = Some((cut, start));
    while let Some((location, state)) = current.take() {
        if let Some(why) = budget.exhausted() {
            return Err(Reason::Interrupted(why));
        }
        let edges = cutset.outgoing(location);
        let ways = select(arena, state.condition, edges.len());
        for (&edge, condition) in edges.iter().zip(ways) {
            let edge = automaton.edge(edge);
            let state = Arrival { condition, values: Rc::clone(&state.values) };
            let Some(arrival) = execute_command(arena, automaton, names, &edge.command, state) else {
                continue;
            };
            if cutset.is_cut(edge.target) || automaton.is_sink(edge.target) {
                results.entry(edge.target).or_default().push(arrival);
            } else {
                waiting.entry(cutset.position(edge.target)).or_default().push(arrival);
            }
        }
        if let Some((position, arrivals)) = waiting.pop_first() {
            current = merge(arena, &arrivals).map(|state| (cutset.at(position), state));
        }
    }
    Ok(results)
}

/// Executes a command; `None` if its end cannot be reached.
fn execute_command(
    arena: &mut Arena,
    automaton: &Automaton,
    names: &Names,
    command: &Command,
    start: Arrival,
) -> Option<Arrival> {
    let mut arrivals: Vec<Vec<Arrival>> = vec![Vec::new(); command.nodes()];
    arrivals[command.start().index()].push(start);
    for node in 0..command.nodes() - 1 {
        let Some(state) = merge(arena, &std::mem::take(&mut arrivals[node])) else {
            continue;
        };
        let arcs: Vec<_> = command.outgoing(nilas_program::NodeId::new(node)).collect();
        let ways = select(arena, state.condition, arcs.len());
        for ((_, arc), condition) in arcs.into_iter().zip(ways) {
            let mut next = Arrival { condition, values: Rc::clone(&state.values) };
            match arc.basic {
                Basic::Skip => {}
                Basic::Assume(formula) => {
                    let formula = state.read(arena, names, formula);
                    next.condition = arena.and(&[condition, formula]);
                }
                Basic::Assign(variable, term) => {
                    let value = state.read(arena, names, term);
                    Rc::make_mut(&mut next.values)[variable.index()] = value;
                }
                Basic::Havoc(variable, _) => {
                    let input = arena.fresh_variable("check.havoc", &automaton.variable(variable).sort);
                    Rc::make_mut(&mut next.values)[variable.index()] = input;
                }
            }
            if arena.as_bool(next.condition) != Some(false) {
                arrivals[arc.target.index()].push(next);
            }
        }
    }
    merge(arena, &std::mem::take(&mut arrivals[command.end().index()]))
}

/// Splits a condition into `ways` conditions that exclude each other and together cover it, by fresh
/// selectors.
fn select(arena: &mut Arena, condition: Term, ways: usize) -> Vec<Term> {
    let mut result = Vec::with_capacity(ways);
    let mut rest = condition;
    for _ in 1..ways {
        let selector = arena.fresh_variable("check.select", &Sort::Bool);
        result.push(arena.and(&[rest, selector]));
        let unselected = arena.not(selector);
        rest = arena.and(&[rest, unselected]);
    }
    if ways > 0 {
        result.push(rest);
    }
    result
}
