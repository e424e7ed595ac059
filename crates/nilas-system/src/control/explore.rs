//! Which values of control can be met: clauses are followed from facts on.
//!
//! The values after a step are read off the clause with the values before put in. Where one still depends on
//! other things, both answers to a condition in it are followed. That meets all values that a step can have,
//! and perhaps some that it cannot have.

use super::{Control, there};
use crate::branch::branches;
use crate::system::{Clause, GoalId, PredicateId, System};
use nilas_term::{Arena, Op, Sort, Substitution, Term};
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, VecDeque};

/// More ways of one step are not looked at.
const MOST_WAYS: usize = 1_000;

/// A predicate with values of its control.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) predicate: PredicateId,
    pub(super) values: Vec<Term>,
}

/// What a clause can do at a place.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) clause: usize,
    /// The clause with the values of control before put in.
    pub(super) there: Clause,
    pub(super) from: Option<usize>,
    pub(super) to: Vec<usize>,
}

/// All places that can be met, in the order of their discovery, and all steps between them.
#[derive(Clone, Debug)]
pub(super) struct Explored {
    pub(super) places: Vec<Place>,
    pub(super) steps: Vec<Step>,
}

/// Follows the clauses; `None` if that meets more places than these, or values that are no constants.
pub(super) fn explore(
    arena: &mut Arena,
    system: &System,
    goal: GoalId,
    control: &Control,
    most: usize,
) -> Option<Explored> {
    let mut explorer = Explorer {
        arena,
        system,
        control,
        places: Vec::new(),
        numbers: FxHashMap::default(),
        open: VecDeque::new(),
        most,
    };
    let mut steps = Vec::new();
    for (number, clause) in system.clauses.iter().enumerate() {
        if clause.body.is_empty() && clause.head.as_ref().err().is_none_or(|&other| other == goal) {
            steps.push(explorer.step(number, None)?);
        }
    }
    while let Some(from) = explorer.open.pop_front() {
        let predicate = explorer.places[from].predicate;
        for (number, clause) in system.clauses.iter().enumerate() {
            let here = clause.body.first().is_some_and(|atom| atom.predicate == predicate);
            if here && clause.head.as_ref().err().is_none_or(|&other| other == goal) {
                steps.push(explorer.step(number, Some(from))?);
            }
        }
    }
    Some(Explored { places: explorer.places, steps })
}

struct Explorer<'s> {
    arena: &'s mut Arena,
    system: &'s System,
    control: &'s Control,
    places: Vec<Place>,
    numbers: FxHashMap<Place, usize>,
    open: VecDeque<usize>,
    /// More places are not looked at.
    most: usize,
}

impl Explorer<'_> {
    /// What a clause can do at a place.
    fn step(&mut self, number: usize, from: Option<usize>) -> Option<Step> {
        let place = from.map(|from| self.places[from].clone());
        let there = there(self.arena, &self.system.clauses[number], self.control, place.as_ref());
        let Ok(head) = &there.head else {
            return Some(Step { clause: number, there, from, to: Vec::new() });
        };
        let predicate = head.predicate;
        let control = &self.control[predicate.0];
        let values: Vec<Term> = control.iter().map(|&argument| head.arguments[argument]).collect();
        let terms: Vec<Term> = values.iter().copied().chain([there.constraint]).collect();
        let mut free = self.arena.free_variables_of(&terms);
        free.retain(|variable| !there.body.iter().any(|atom| atom.arguments.contains(variable)));
        let mut found = BTreeSet::new();
        let mut ways = 0;
        for branch in branches(self.arena, there.constraint, &values, &free) {
            self.ways(branch.guard, branch.head, &mut found, &mut ways)?;
        }
        let mut to: Vec<usize> = Vec::new();
        for values in found {
            to.push(self.place(Place { predicate, values })?);
        }
        Some(Step { clause: number, there, from, to })
    }

    /// The values that control can have where the guard holds.
    fn ways(
        &mut self,
        guard: Term,
        values: Vec<Term>,
        found: &mut BTreeSet<Vec<Term>>,
        ways: &mut usize,
    ) -> Option<()> {
        let mut waiting = vec![(guard, values)];
        while let Some((guard, values)) = waiting.pop() {
            if self.arena.as_bool(guard) == Some(false) {
                continue;
            }
            let Some(open) = values.iter().position(|&value| self.arena.as_value(value).is_none()) else {
                found.insert(values);
                continue;
            };
            *ways += 1;
            if *ways > MOST_WAYS {
                return None;
            }
            let condition = condition(self.arena, values[open])?;
            let opposite = self.arena.not(condition);
            for answer in [false, true] {
                let mut known = Substitution::new();
                let (holds, fails) = (self.arena.mk_bool(answer), self.arena.mk_bool(!answer));
                known.insert(opposite, fails);
                known.insert(condition, holds);
                let guard = known.apply(self.arena, guard);
                let values = values.iter().map(|&value| known.apply(self.arena, value)).collect();
                waiting.push((guard, values));
            }
        }
        Some(())
    }

    fn place(&mut self, place: Place) -> Option<usize> {
        if let Some(&number) = self.numbers.get(&place) {
            return Some(number);
        }
        let number = self.places.len();
        if number >= self.most {
            return None;
        }
        self.numbers.insert(place.clone(), number);
        self.places.push(place);
        self.open.push_back(number);
        Some(number)
    }
}

/// A condition that a value depends on: an atom in it. `None` if it is no choice between constants.
fn condition(arena: &Arena, value: Term) -> Option<Term> {
    let mut term = value;
    loop {
        let children = arena.children(term);
        let is_bool = |&child: &Term| *arena.sort(child) == Sort::Bool;
        let inner = match arena.op(term) {
            Op::Ite => Some(children[0]),
            Op::And | Op::Or | Op::Not | Op::Xor => children.first().copied(),
            Op::Eq if children.iter().all(is_bool) => {
                children.iter().copied().find(|&child| arena.as_bool(child).is_none())
            }
            _ => None,
        };
        match inner {
            Some(inner) => term = inner,
            None if *arena.sort(term) == Sort::Bool => return Some(term),
            None => return None,
        }
    }
}
