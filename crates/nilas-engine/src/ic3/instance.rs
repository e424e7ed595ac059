//! IC3 on a transition system as an instance of the core: one place, one way to it from itself, one target.
//!
//! Executions begin anywhere in the one place, so every lemma must be kept from excluding initial states.

use super::{Ic3, System};
use crate::outcome::Unknown;
use crate::pdr::{
    Instance, Level, ObligationId, ObligationOf, Purpose, QueueOf, Reachability, Reached, State, Whole,
};
use crate::phase::Phase;
use nilas_evidence::SystemTrace;
use nilas_program::LocationId;
use nilas_term::{Cube, Term};
use std::time::Instant;

pub(super) type Obligation = ObligationOf<System<'static>>;
pub(super) type Queue = QueueOf<System<'static>>;

/// What inputs, and next-state variables without update, are set to: terms over the state.
pub(super) type Choices = Vec<(Term, Term)>;

impl Instance for System<'_> {
    const NAME: &'static str = "ic3";

    type Place = Whole;
    type Way = ();
    type Target = ();
    type Trail = Choices;
    type Counterexample = SystemTrace;

    fn places(&self) -> Vec<Whole> {
        vec![Whole]
    }

    fn ways(&self, _place: Whole) -> &[()] {
        &[()]
    }

    fn source(&self, _way: ()) -> Whole {
        Whole
    }

    fn targets(&self) -> Vec<()> {
        vec![()]
    }

    fn leading_to(pdr: &mut Ic3<'_, '_>, _target: ()) -> Result<Option<Obligation>, Unknown> {
        let start = Instant::now();
        pdr.statistics.relative_checks += 1;
        let (level, bad) = (pdr.level, pdr.instance.bad);
        let is_met = pdr.instance.solver.meets(&pdr.arena, level, bad, pdr.budget)?;
        pdr.statistics.times.spent(Phase::Block, start);
        if !is_met {
            return Ok(None);
        }
        let (cube, choices) = pdr.preimage(&[bad])?;
        Ok(Some(Obligation::new(level, Whole, cube, choices, None)))
    }

    fn is_initial(pdr: &mut Ic3<'_, '_>, obligation: &Obligation) -> Result<bool, Unknown> {
        let is_excluded = System::excludes_initial(pdr, Whole, &obligation.cube)?;
        Ok(!is_excluded)
    }

    fn reached(
        pdr: &mut Ic3<'_, '_>,
        queue: &mut Queue,
        first: ObligationId,
    ) -> Result<Reached<SystemTrace>, Unknown> {
        pdr.trace(queue, first).map(Reached::Counterexample)
    }

    fn blocked_over(
        pdr: &mut Ic3<'_, '_>,
        _way: (),
        below: Level,
        cube: &Cube,
        purpose: Purpose,
    ) -> Result<Option<Cube>, Unknown> {
        let preconditions = pdr.preconditions(cube);
        let answer = pdr.question(purpose, |pdr, budget| {
            pdr.instance.solver.reachable(&mut pdr.arena, below, cube, &preconditions, budget)
        })?;
        Ok(match answer {
            Some(Reachability::Blocked { core, .. }) => Some(core),
            Some(Reachability::Reachable) | None => None,
        })
    }

    fn excludes_initial(pdr: &mut Ic3<'_, '_>, _place: Whole, cube: &Cube) -> Result<bool, Unknown> {
        Ok(pdr.instance.initial.excludes(&mut pdr.arena, cube, pdr.budget)?.is_some())
    }

    fn without_initial(
        pdr: &mut Ic3<'_, '_>,
        _place: Whole,
        part: Cube,
        cube: &Cube,
    ) -> Result<Cube, Unknown> {
        if System::excludes_initial(pdr, Whole, &part)? {
            return Ok(part);
        }
        match pdr.instance.initial.excludes(&mut pdr.arena, cube, pdr.budget)? {
            Some(needed) => Ok(part.union(&needed)),
            None => Err(Unknown::Internal("a cube with initial states was to be blocked".into())),
        }
    }

    fn assert_lemma(pdr: &mut Ic3<'_, '_>, _place: Whole, level: Level, clause: Term) {
        pdr.instance.solver.add_lemma(&pdr.arena, level, clause);
    }

    fn preimages(
        pdr: &mut Ic3<'_, '_>,
        level: Level,
        _way: (),
        cube: &Cube,
        next: Option<ObligationId>,
    ) -> Result<Vec<Obligation>, Unknown> {
        let mut goals = pdr.preconditions(cube);
        goals.push(pdr.instance.system.constraint);
        let (before, choices) = pdr.preimage(&goals)?;
        let level = level.previous().unwrap_or(Level(0));
        Ok(vec![Obligation::new(level, Whole, before, choices, next)])
    }

    fn witness(pdr: &mut Ic3<'_, '_>, _way: ()) -> Result<Option<(State, State)>, Unknown> {
        let state = pdr.instance.solver.values(&pdr.arena, &pdr.instance.variables)?;
        Ok(Some((state, State::new())))
    }

    fn check_frames(pdr: &mut Ic3<'_, '_>) -> Result<(), Unknown> {
        pdr.check_invariants()
    }

    fn location(pdr: &mut Ic3<'_, '_>, _place: Whole, cube: &Cube) -> Option<LocationId> {
        pdr.instance.counter.and_then(|counter| counter.location(&mut pdr.arena, cube))
    }

    fn at(&self, _place: Whole) -> String {
        String::new()
    }

    /// Literals about the program counter come last: a lemma about fewer variables is worth more than one
    /// about more locations.
    fn order_literals(pdr: &mut Ic3<'_, '_>, _place: Whole, literals: &mut [Term]) {
        let is_about_counter = |literal: Term| {
            let atom = match pdr.arena.children(literal) {
                [child] => *child,
                _ => literal,
            };
            pdr.instance.counter.is_some_and(|counter| counter.bits().contains(&atom))
        };
        literals.sort_by_key(|&literal| is_about_counter(literal));
    }
}
