//! Explicit enumeration: the executions of a command, and all reachable states of an automaton. It shares
//! nothing with the interpreter but the evaluator.

use nilas_program::{ArcId, Automaton, Basic, Command, LocationId, NodeId, Program};
use nilas_term::{Arena, BitVec, Evaluator, Model, Sort, Term, Value};
use std::collections::{BTreeMap, BTreeSet};

/// A value for each variable.
pub(crate) type Store = Vec<Value>;

/// All values of a Boolean or bit-vector sort.
pub(crate) fn values(sort: &Sort) -> Vec<Value> {
    match sort {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::BitVec(width) => (0..1 << width).map(|bits| Value::BitVec(BitVec::new(*width, bits))).collect(),
        other => panic!("no enumeration of {other}"),
    }
}

/// All choices of a value for each sort.
pub(crate) fn assignments(sorts: &[Sort]) -> Vec<Vec<Value>> {
    let mut all = vec![Vec::new()];
    for sort in sorts {
        let values = values(sort);
        all = all
            .iter()
            .flat_map(|front: &Vec<Value>| {
                values.iter().map(move |value| front.iter().cloned().chain([value.clone()]).collect())
            })
            .collect();
    }
    all
}

pub(crate) fn stores(automaton: &Automaton) -> Vec<Store> {
    let sorts: Vec<Sort> = automaton.variables.iter().map(|variable| variable.sort.clone()).collect();
    assignments(&sorts)
}

pub(crate) fn evaluator(automaton: &Automaton, store: &[Value]) -> Evaluator {
    let pairs = automaton.variables.iter().zip(store).map(|(variable, value)| (variable.term, value.clone()));
    Evaluator::new(pairs.collect::<Model>())
}

pub(crate) fn eval(arena: &Arena, automaton: &Automaton, store: &[Value], term: Term) -> Value {
    evaluator(automaton, store).eval(arena, term).unwrap()
}

/// Which values a `havoc` is tried with.
pub(crate) type Candidates<'a> = dyn Fn(&Sort) -> Vec<Value> + 'a;

fn successors(program: &Program, basic: Basic, store: &Store, candidates: &Candidates<'_>) -> Vec<Store> {
    let (arena, automaton) = (&program.arena, &program.automaton);
    let with = |index: usize, value: Value| {
        let mut next = store.clone();
        next[index] = value;
        next
    };
    match basic {
        Basic::Skip => vec![store.clone()],
        Basic::Assume(term) if eval(arena, automaton, store, term) == Value::Bool(true) => {
            vec![store.clone()]
        }
        Basic::Assume(_) => Vec::new(),
        Basic::Assign(variable, term) => vec![with(variable.index(), eval(arena, automaton, store, term))],
        Basic::Havoc(variable, _) => {
            let all = candidates(&automaton.variable(variable).sort);
            all.into_iter().map(|value| with(variable.index(), value)).collect()
        }
    }
}

/// The stores in which a command can end.
pub(crate) fn outcomes(program: &Program, command: &Command, store: &Store) -> BTreeSet<Store> {
    outcomes_with(program, command, store, &values)
}

/// The stores in which a command can end with some values for its `havoc`s.
pub(crate) fn outcomes_with(
    program: &Program,
    command: &Command,
    store: &Store,
    candidates: &Candidates<'_>,
) -> BTreeSet<Store> {
    let mut at: Vec<BTreeSet<Store>> = vec![BTreeSet::new(); command.nodes()];
    at[0].insert(store.clone());
    for node in 0..command.nodes() {
        for (_, arc) in command.outgoing(NodeId::new(node)) {
            for store in at[node].clone() {
                at[arc.target.index()].extend(successors(program, arc.basic, &store, candidates));
            }
        }
    }
    at.pop().unwrap()
}

/// The paths of a command from start to end.
pub(crate) fn paths(command: &Command) -> Vec<Vec<ArcId>> {
    let mut whole = Vec::new();
    let mut stack = vec![(command.start(), Vec::new())];
    while let Some((node, path)) = stack.pop() {
        if node == command.end() {
            whole.push(path);
            continue;
        }
        for (id, arc) in command.outgoing(node) {
            let mut longer = path.clone();
            longer.push(id);
            stack.push((arc.target, longer));
        }
    }
    whole
}

/// The stores with which each location can be reached.
pub(crate) fn reachable(program: &Program) -> BTreeMap<LocationId, BTreeSet<Store>> {
    let automaton = &program.automaton;
    let mut reached: BTreeMap<LocationId, BTreeSet<Store>> = BTreeMap::new();
    let mut queue: Vec<(LocationId, Store)> =
        stores(automaton).into_iter().map(|store| (automaton.entry, store)).collect();
    reached.insert(automaton.entry, stores(automaton).into_iter().collect());
    while let Some((location, store)) = queue.pop() {
        for edge in automaton.edges.iter().filter(|edge| edge.source == location) {
            for next in outcomes(program, &edge.command, &store) {
                if reached.entry(edge.target).or_default().insert(next.clone()) {
                    queue.push((edge.target, next));
                }
            }
        }
    }
    reached
}
