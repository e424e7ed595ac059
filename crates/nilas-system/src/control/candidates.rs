//! Which arguments are control.
//!
//! Truth values come first: program counters are often made of them. Where they meet too many values, those
//! that the clauses mention least are given up, and so are those that are data. Then come numbers, those with
//! the most values first, if all that is ever assigned to them are constants and other such numbers; each is
//! taken if that does not make too many places.

use super::Control;
use super::explore::{Explored, explore};
use crate::branch::branches;
use crate::system::{GoalId, PredicateId, System};
use nilas_term::{Arena, Op, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// More places are not made of truth values.
const MOST_BY_TRUTH: usize = 1_000;
/// More places are not made of numbers beside them; a number may make so many of each place, or so many in all.
const MOST_BY_NUMBERS: usize = 400;
const FACTOR: usize = 4;
const LEAST_PLACES: usize = 64;
/// So many numbers are tried.
const MOST_NUMBERS: usize = 3;
/// Numbers with fewer values are flags, and no control.
const LEAST_VALUES: usize = 3;
/// How often something else is tried.
const MOST_TRIES: usize = 10;

/// An argument: which predicate's, and its position.
type Argument = (PredicateId, usize);

/// Control, and the places it has; `None` if there is none worth it.
pub(super) fn choose(arena: &mut Arena, system: &System, goal: GoalId) -> Option<(Control, Explored)> {
    if !system.is_linear() {
        return None;
    }
    let mut control = arguments(system, |sort| *sort == Sort::Bool);
    let mut best = None;
    let mentioned = mentioned(arena, system, &control);
    for _ in 0..MOST_TRIES {
        if control.iter().all(Vec::is_empty) {
            break;
        }
        match explore(arena, system, goal, &control, MOST_BY_TRUTH) {
            Some(explored) if !without_data(&mut control, &explored, &mentioned) => {
                best = Some(explored);
                break;
            }
            Some(_) => {}
            None => give_up(&mut control, &mentioned),
        }
    }
    if best.is_none() {
        control = vec![Vec::new(); system.predicates.len()];
    }
    for (PredicateId(predicate), argument) in numbers(arena, system).into_iter().take(MOST_NUMBERS) {
        let places = best.as_ref().map_or(1, |explored| explored.places.len());
        let most = (FACTOR * places).clamp(LEAST_PLACES, MOST_BY_NUMBERS);
        let mut more = control.clone();
        let place = more[predicate].partition_point(|&other| other < argument);
        more[predicate].insert(place, argument);
        if let Some(explored) = explore(arena, system, goal, &more, most) {
            (control, best) = (more, Some(explored));
        }
    }
    let found = best.filter(|explored| explored.places.len() > system.predicates.len());
    found.map(|explored| (control, explored))
}

/// The arguments of such sorts.
fn arguments(system: &System, fits: impl Fn(&Sort) -> bool) -> Control {
    let positions = |parameters: &[(String, Sort)]| {
        let parameters = parameters.iter().enumerate();
        parameters.filter(|(_, (_, sort))| fits(sort)).map(|(index, _)| index).collect()
    };
    system.predicates.iter().map(|predicate| positions(&predicate.parameters)).collect()
}

/// How many terms of the clauses mention each of these arguments directly.
fn mentioned(arena: &Arena, system: &System, control: &Control) -> FxHashMap<Argument, usize> {
    let mut counts: FxHashMap<Argument, usize> = FxHashMap::default();
    for clause in &system.clauses {
        let Some(atom) = clause.body.first() else { continue };
        let mut uses: FxHashMap<Term, usize> = FxHashMap::default();
        let head = clause.head.as_ref().map_or(&[][..], |atom| &atom.arguments[..]);
        let mut stack: Vec<Term> = head.iter().copied().chain([clause.constraint]).collect();
        let mut seen = FxHashSet::default();
        while let Some(term) = stack.pop() {
            if seen.insert(term) {
                for &child in arena.children(term) {
                    *uses.entry(child).or_default() += 1;
                    stack.push(child);
                }
            }
        }
        for &argument in &control[atom.predicate.0] {
            let count = uses.get(&atom.arguments[argument]).copied().unwrap_or_default();
            *counts.entry((atom.predicate, argument)).or_default() += count;
        }
    }
    counts
}

/// Gives up the quarter of the arguments that is mentioned least, at least one.
fn give_up(control: &mut Control, mentioned: &FxHashMap<Argument, usize>) {
    let all = control.iter().enumerate().flat_map(|(predicate, arguments)| {
        arguments.iter().map(move |&argument| (PredicateId(predicate), argument))
    });
    let mut all: Vec<Argument> = all.collect();
    all.sort_by_key(|argument| (mentioned.get(argument).copied().unwrap_or_default(), *argument));
    for (predicate, argument) in all.iter().take(all.len().div_ceil(4)) {
        control[predicate.0].retain(|other| other != argument);
    }
}

/// Gives up truth values that are data: nearly every place has them both ways, and the clauses mention them less
/// than half as often as others. Whether there were some.
fn without_data(control: &mut Control, explored: &Explored, mentioned: &FxHashMap<Argument, usize>) -> bool {
    let most = mentioned.values().copied().max().unwrap_or_default();
    let mut data: Vec<Argument> = Vec::new();
    for (predicate, arguments) in control.iter().enumerate() {
        let here = || explored.places.iter().filter(|place| place.predicate.0 == predicate);
        for (position, &argument) in arguments.iter().enumerate() {
            let without = |values: &[Term]| {
                let others = values.iter().enumerate().filter(|&(index, _)| index != position);
                others.map(|(_, &value)| value).collect::<Vec<Term>>()
            };
            let others: FxHashSet<Vec<Term>> = here().map(|place| without(&place.values)).collect();
            let count = mentioned.get(&(PredicateId(predicate), argument)).copied().unwrap_or_default();
            if here().count() * 10 >= others.len() * 17 && count * 2 < most {
                data.push((PredicateId(predicate), argument));
            }
        }
    }
    for (predicate, argument) in &data {
        control[predicate.0].retain(|other| other != argument);
    }
    !data.is_empty()
}

/// Numbers that are only ever assigned constants and each other, those with the most values first.
fn numbers(arena: &mut Arena, system: &System) -> Vec<Argument> {
    let mut control = arguments(system, |sort| matches!(sort, Sort::BitVec(_)));
    // What is assigned to an argument by a clause: the leaves of its value.
    let mut assigned: Vec<(Argument, usize, Vec<Term>)> = Vec::new();
    for (number, clause) in system.clauses.iter().enumerate() {
        let Ok(head) = &clause.head else { continue };
        let given: FxHashSet<Term> =
            clause.body.iter().flat_map(|atom| atom.arguments.iter().copied()).collect();
        let terms: Vec<Term> = head.arguments.iter().copied().chain([clause.constraint]).collect();
        let mut free = arena.free_variables_of(&terms);
        free.retain(|variable| !given.contains(variable));
        for branch in branches(arena, clause.constraint, &head.arguments, &free) {
            for &argument in &control[head.predicate.0] {
                assigned.push(((head.predicate, argument), number, leaves(arena, branch.head[argument])));
            }
        }
    }
    let fits = |arena: &Arena, control: &Control, number: usize, leaf: Term| {
        arena.as_value(leaf).is_some()
            || system.clauses[number].body.first().is_some_and(|atom| {
                control[atom.predicate.0].iter().any(|&argument| atom.arguments[argument] == leaf)
            })
    };
    // One that does not fit may have been what another relied on.
    loop {
        let misfit = assigned.iter().find(|((predicate, argument), number, leaves)| {
            control[predicate.0].binary_search(argument).is_ok()
                && !leaves.iter().all(|&leaf| fits(arena, &control, *number, leaf))
        });
        let Some(&((predicate, argument), ..)) = misfit else { break };
        control[predicate.0].retain(|&other| other != argument);
    }
    let mut values: FxHashMap<Argument, FxHashSet<Term>> = FxHashMap::default();
    for (argument, _, leaves) in &assigned {
        let constants = leaves.iter().filter(|&&leaf| arena.as_value(leaf).is_some());
        values.entry(*argument).or_default().extend(constants);
    }
    let all = control.iter().enumerate().flat_map(|(predicate, arguments)| {
        arguments.iter().map(move |&argument| (PredicateId(predicate), argument))
    });
    let count = |argument: &Argument| values.get(argument).map_or(0, FxHashSet::len);
    let mut all: Vec<Argument> = all.filter(|argument| count(argument) >= LEAST_VALUES).collect();
    all.sort_by_key(|argument| (std::cmp::Reverse(count(argument)), *argument));
    all
}

/// What a value is in the end, whatever the conditions are.
fn leaves(arena: &Arena, value: Term) -> Vec<Term> {
    let (mut seen, mut leaves, mut stack) = (FxHashSet::default(), Vec::new(), vec![value]);
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        match (arena.op(term), arena.children(term)) {
            (Op::Ite, &[_, yes, no]) => stack.extend([yes, no]),
            _ => leaves.push(term),
        }
    }
    leaves
}
