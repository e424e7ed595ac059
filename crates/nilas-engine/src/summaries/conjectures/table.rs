//! Tables of what procedures do: each is evaluated once for given control values, with its data left open.
//!
//! An evaluation follows the one rule whose guard holds; where that is not decided, or there are several, it
//! is given up. Calls are looked up in the table, or evaluated first. So a recursion costs as much as it has
//! different control values, not as much as it has calls. Where a line of points has a closed form
//! ([`fit`](super::fit)), a call on it is not evaluated at all. Nothing here is trusted: what tables say are
//! conjectures.

use super::super::rules::{PlaceId, Rules};
use super::fit::{Fit, fits};
use super::shape::Shape;
use nilas_smt::Budget;
use nilas_term::{Arena, Substitution, Term};
use std::collections::{BTreeMap, BTreeSet};

/// New points of a procedure after which its lines are looked at again.
const NEW: usize = 6;

/// Control values: constants.
pub(super) type Key = Vec<Term>;

/// What an activation does.
#[derive(Clone, Debug)]
pub(super) struct Point {
    /// By predicate that it comes to, the exit included: the values of its variables, if it comes there once.
    pub(super) at: BTreeMap<PlaceId, Option<Vec<Term>>>,
    /// What it calls, as far as that was looked up.
    pub(super) calls: Vec<(usize, Key)>,
}

/// An activation that is being evaluated.
struct Activation {
    procedure: usize,
    key: Key,
    /// Where it is, none at the entry, and the values there.
    place: Option<PlaceId>,
    values: Vec<Term>,
    point: Point,
}

#[derive(Default)]
pub(in crate::summaries) struct Tables {
    /// By procedure.
    pub(super) points: Vec<BTreeMap<Key, Point>>,
    pub(super) fits: Vec<Vec<Fit>>,
    /// What cannot be evaluated.
    failed: BTreeSet<(usize, Key)>,
    /// By procedure: how many points there were when lines were looked at.
    seen: Vec<usize>,
}

/// What a step came to.
enum Step {
    /// Elsewhere.
    To(PlaceId, Vec<Term>, Option<(usize, Key)>),
    /// A call must be evaluated first.
    Call(usize, Key),
    /// It is not decided, or it ends in a sink.
    Lost,
}

impl Tables {
    pub(in crate::summaries) fn new(procedures: usize) -> Self {
        let points = (0..procedures).map(|_| BTreeMap::new()).collect();
        let fits = (0..procedures).map(|_| Vec::new()).collect();
        Tables { points, fits, failed: BTreeSet::new(), seen: vec![0; procedures] }
    }

    /// Evaluates a procedure in so many steps; whether that comes to an end.
    pub(super) fn evaluate(
        &mut self,
        arena: &mut Arena,
        (shape, rules): (&Shape, &Rules),
        (procedure, key): (usize, Key),
        steps: &mut usize,
        budget: &Budget,
    ) -> bool {
        if self.points[procedure].contains_key(&key) {
            return true;
        }
        let mut stack = vec![begin(shape, procedure, key)];
        let mut active: BTreeSet<(usize, Key)> =
            stack.iter().map(|it| (it.procedure, it.key.clone())).collect();
        while let Some(top) = stack.last_mut() {
            let left = steps.checked_sub(1).filter(|left| left % 64 > 0 || budget.exhausted().is_none());
            *steps = left.unwrap_or(0);
            let mut step = match left {
                None => Step::Lost,
                Some(_) => self.step(arena, (shape, rules), top),
            };
            if let Step::Call(procedure, key) = &step
                && (self.failed.contains(&(*procedure, key.clone()))
                    || !active.insert((*procedure, key.clone())))
            {
                step = Step::Lost;
            }
            match step {
                Step::Lost => {
                    self.failed.extend(stack.into_iter().map(|it| (it.procedure, it.key)));
                    return false;
                }
                Step::Call(procedure, key) => stack.push(begin(shape, procedure, key)),
                Step::To(place, values, call) => {
                    top.point.calls.extend(call);
                    let again = top.point.at.contains_key(&place);
                    top.point.at.insert(place, (!again).then(|| values.clone()));
                    (top.place, top.values) = (Some(place), values);
                    if shape.exits[top.procedure] == Some(place)
                        && let Some(done) = stack.pop()
                    {
                        active.remove(&(done.procedure, done.key.clone()));
                        self.points[done.procedure].insert(done.key, done.point);
                    }
                }
            }
        }
        true
    }

    fn step(&mut self, arena: &mut Arena, (shape, rules): (&Shape, &Rules), from: &Activation) -> Step {
        let mut known = Substitution::new();
        let out = match from.place {
            None => {
                for (&(now, _), &value) in shape.entered[from.procedure].iter().zip(&from.values) {
                    known.insert(now, value);
                }
                &shape.first[from.procedure]
            }
            Some(place) => {
                for (&variable, &value) in rules.of(place).variables.iter().zip(&from.values) {
                    known.insert(variable, value);
                }
                &shape.then[place.index()]
            }
        };
        let mut enabled = Vec::new();
        for &id in out {
            let guard = known.apply(arena, rules.rules[id].guard);
            match arena.as_bool(guard) {
                Some(true) => enabled.push(id),
                Some(false) => {}
                None => return Step::Lost,
            }
        }
        let &[id] = &enabled[..] else { return Step::Lost };
        let rule = &rules.rules[id];
        if shape.owner[rule.head.index()] != Some(from.procedure) {
            return Step::Lost;
        }
        // What is chosen is another value each time.
        for &input in &rule.inputs {
            if known.get(input).is_none() {
                let sort = arena.sort(input).clone();
                let unknown = arena.fresh_variable("unknown", &sort);
                known.insert(input, unknown);
            }
        }
        let mut call = None;
        if let (Some(callee), Some(premise)) = (shape.callee[id], rule.premises.last()) {
            let names = &rules.of(premise.place).variables;
            let mut passed = Vec::new();
            for &(_, old) in &shape.entered[callee] {
                let variable = names.iter().position(|&name| name == old).map(|at| premise.variables[at]);
                let equation = rule.equations.iter().find(|it| Some(it.0) == variable);
                let Some(&(_, value)) = equation else { return Step::Lost };
                passed.push(known.apply(arena, value));
            }
            let control = passed.iter().zip(&shape.control[callee]).filter(|(_, control)| **control);
            let key: Key = control.map(|(value, _)| *value).collect();
            if key.iter().any(|&value| arena.as_value(value).is_none()) {
                return Step::Lost;
            }
            let exit = match self.points[callee].get(&key) {
                Some(point) => {
                    call = Some((callee, key));
                    point.at.get(&premise.place).cloned().flatten()
                }
                None => match self.fitting(arena, (shape, rules), callee, &key) {
                    Some(values) => Some(values),
                    None => return Step::Call(callee, key),
                },
            };
            let Some(exit) = exit else { return Step::Lost };
            let mut entered = Substitution::new();
            for (&(_, old), &value) in shape.entered[callee].iter().zip(&passed) {
                entered.insert(old, value);
            }
            for (&variable, &value) in premise.variables.iter().zip(&exit) {
                let value = entered.apply(arena, value);
                known.insert(variable, value);
            }
        }
        let values = rule.values.iter().map(|&value| known.apply(arena, value)).collect();
        Step::To(rule.head, values, call)
    }

    /// What a closed form says of a call.
    fn fitting(
        &mut self,
        arena: &mut Arena,
        (shape, rules): (&Shape, &Rules),
        procedure: usize,
        key: &Key,
    ) -> Option<Vec<Term>> {
        self.find_fits(arena, (shape, rules), procedure);
        let exit = shape.exits[procedure]?;
        let variables = &rules.of(exit).variables;
        let of = |variable: Term| {
            let mut fits = self.fits[procedure].iter();
            fits.find(|fit| fit.place == exit && fit.variable == variable && fit.is_about(arena, key))
        };
        let entered = &shape.entered[procedure];
        let values = variables.iter().map(|&variable| match of(variable) {
            Some(fit) => Some(fit.value),
            // Values at the entry are what they are.
            None => entered.iter().any(|it| it.1 == variable).then_some(variable),
        });
        values.collect()
    }

    /// Looks at the points of a procedure, if there are new ones.
    pub(super) fn find_fits(
        &mut self,
        arena: &mut Arena,
        (shape, rules): (&Shape, &Rules),
        procedure: usize,
    ) {
        let seen = self.seen[procedure];
        if self.points[procedure].len() < seen + NEW.max(seen / 2) {
            return;
        }
        self.seen[procedure] = self.points[procedure].len();
        let found = fits(arena, (shape, rules), procedure, &self.points[procedure]);
        for fit in found {
            let known = &mut self.fits[procedure];
            if !known.contains(&fit) {
                known.push(fit);
            }
        }
    }
}

fn begin(shape: &Shape, procedure: usize, key: Key) -> Activation {
    let mut control = key.iter();
    let entered = shape.entered[procedure].iter().zip(&shape.control[procedure]);
    let values = entered.map(|(&(_, old), is_control)| match is_control {
        true => control.next().copied().unwrap_or(old),
        false => old,
    });
    let values = values.collect();
    let point = Point { at: BTreeMap::new(), calls: Vec::new() };
    Activation { procedure, key, place: None, values, point }
}
