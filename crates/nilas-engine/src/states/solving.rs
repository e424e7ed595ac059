//! What tables do not answer: small questions about one condition or one assignment, from a vector of
//! classes.

use super::condition::{FALSE, TRUE, Truth};
use super::interval::{Bounds, bounds, number};
use super::{Tracked, UNKNOWN};
use crate::classes::cuts::Cuts;
use crate::outcome::Unknown;
use crate::phase::add_solver;
use nilas_program::{Automaton, VarId};
use nilas_smt::{Answer, Budget, SatCore, Solver};
use nilas_term::{Arena, Term, Value};

/// Conflicts that one question may take; after that all answers are possible.
const CONFLICTS: u64 = 3_000;
/// The most classes that an assignment is followed into.
const MOST_CLASSES: usize = 64;

/// Whoever asks.
pub(super) struct Question<'q> {
    pub(super) arena: &'q mut Arena,
    pub(super) automaton: &'q Automaton,
    pub(super) cuts: &'q Cuts,
    pub(super) tracked: &'q Tracked,
    pub(super) core: SatCore,
    pub(super) budget: &'q Budget,
    pub(super) counters: &'q mut crate::observer::Counters,
    /// Bounds are not believed to be reached: what a term can be is asked of the solver.
    pub(super) exact: bool,
    /// By place, whether a variable that can be anything gets a class only where it is compared; `None` if
    /// all get one at once.
    pub(super) late: Option<&'q [bool]>,
}

impl Question<'_> {
    /// Whether a variable gets a class only where it is compared.
    pub(super) fn is_late(&self, place: usize) -> bool {
        self.late.is_some_and(|late| late[place])
    }

    /// A solver that knows the classes of some places.
    fn solver(&mut self, places: &[usize], vector: &[u16]) -> Box<dyn Solver> {
        let mut solver = self.core.solver();
        for &place in places {
            if vector[place] != UNKNOWN {
                let range = (vector[place], vector[place]);
                let literals = self.tracked.literals(self.arena, self.automaton, self.cuts, place, range);
                literals.into_iter().for_each(|literal| solver.assert(self.arena, literal));
            }
        }
        solver
    }

    /// Whether there is a model; there may be one, if that is hard to tell.
    fn may_be(&self, solver: &mut dyn Solver, assumptions: &[Term]) -> Result<Option<bool>, Unknown> {
        let budget = Budget { conflicts: Some(CONFLICTS), ..self.budget.clone() };
        match solver.check(self.arena, &[], assumptions, &budget) {
            Answer::Sat => Ok(Some(true)),
            Answer::Unsat => Ok(Some(false)),
            Answer::Unknown(_) => {
                self.budget.exhausted().map_or(Ok(None), |why| Err(Unknown::Interrupted(why)))
            }
        }
    }

    /// The answers that a condition can have.
    pub(super) fn truth(&mut self, term: Term, places: &[usize], vector: &[u16]) -> Result<Truth, Unknown> {
        let mut solver = self.solver(places, vector);
        let negated = self.arena.not(term);
        let can_be_true = self.may_be(&mut *solver, &[term])?.unwrap_or(true);
        let can_be_false = self.may_be(&mut *solver, &[negated])?.unwrap_or(true);
        add_solver(self.counters, solver.stats());
        let (can_be_true, can_be_false) = (u8::from(can_be_true), u8::from(can_be_false));
        Ok((can_be_true * TRUE) | (can_be_false * FALSE))
    }

    /// The classes of a variable that a term can have as its value.
    pub(super) fn classes(
        &mut self,
        variable: VarId,
        term: Term,
        places: &[usize],
        vector: &[u16],
    ) -> Result<Vec<u16>, Unknown> {
        if let Some(value) = self.arena.as_value(term).cloned() {
            return Ok(vec![self.class(variable, &value)]);
        }
        // Bounds of a variable are those of its class.
        let is_variable = self.arena.children(term).is_empty();
        if (!self.exact || is_variable)
            && let Some((low, high)) = self.bounds(term, vector)
            && let Some(classes) = self.classes_between(variable, low, high)
        {
            return Ok(classes);
        }
        let mut solver = self.solver(places, vector);
        let declared = self.automaton.variable(variable);
        let value = self.arena.fresh_variable(&declared.name, &declared.sort);
        let equal = self.arena.eq(value, term);
        solver.assert(self.arena, equal);
        let mut put = nilas_term::Substitution::from_iter([(declared.term, value)]);
        let mut classes = Vec::new();
        loop {
            match self.may_be(&mut *solver, &[])? {
                Some(false) => break,
                Some(true) if classes.len() < MOST_CLASSES => {}
                _ => return Ok(vec![UNKNOWN]),
            }
            let class = self.class(variable, &solver.value(self.arena, value)?);
            if class == UNKNOWN {
                return Ok(vec![UNKNOWN]);
            }
            classes.push(class);
            let class = u32::from(class);
            let literals = self.cuts.literals(self.arena, self.automaton, variable, (class, class));
            let here = self.arena.and(&literals);
            let here = put.apply(self.arena, here);
            let elsewhere = self.arena.not(here);
            solver.assert(self.arena, elsewhere);
        }
        add_solver(self.counters, solver.stats());
        classes.sort_unstable();
        Ok(classes)
    }

    fn class(&self, variable: VarId, value: &Value) -> u16 {
        self.cuts.class(variable, value).and_then(|class| u16::try_from(class).ok()).unwrap_or(UNKNOWN)
    }

    /// All classes with a value between two numbers, unless they are many.
    fn classes_between(&self, variable: VarId, low: i128, high: i128) -> Option<Vec<u16>> {
        let count = self.cuts.count(self.automaton, variable);
        let mut classes = Vec::new();
        for class in 0..count {
            let (first, last) = self.cuts.bounds(variable, class)?;
            if number(&first)? <= high && low <= number(&last)? {
                classes.push(u16::try_from(class).ok()?);
            }
        }
        (classes.len() <= MOST_CLASSES).then_some(classes)
    }

    /// The least and the largest value of a term, if no operation wraps.
    fn bounds(&self, term: Term, vector: &[u16]) -> Option<Bounds> {
        let mut of_variable = |term: Term| {
            let place = self.tracked.place(term)?;
            let (first, last) = self.tracked.bounds(self.cuts, place, vector[place])?;
            Some((number(&first)?, number(&last)?))
        };
        bounds(self.arena, term, &mut of_variable)
    }
}
