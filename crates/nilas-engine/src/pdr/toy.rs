//! A third instance, for tests: derivations over eight values.
//!
//! A rule derives a value from two others, so an obligation has two children, and a value is reached when
//! both are: the shape of procedures and of Horn clauses that are not linear. Some rules are not real; they
//! go when a derivation is found to need one, so the relation loses steps on the way. Literals are bounds
//! that become weaker while a core is extracted. Now and then the search is told to start over.

use super::instance::{Instance, ObligationOf, QueueOf, Reached, State};
use super::level::Level;
use super::obligation::{Obligation, ObligationId};
use super::place::Whole;
use super::relative::Purpose;
use super::{Found, Pdr, Settings};
use crate::observer::Silent;
use crate::outcome::Unknown;
use nilas_program::LocationId;
use nilas_smt::Budget;
use nilas_smt::weaken::{WeakenOptions, Weakener};
use nilas_term::{Arena, BitVec, Cube, Evaluator, Model, Sort, Term, Value};
use std::collections::BTreeSet;

const VALUES: u64 = 8;
const SYSTEMS: u64 = 200;

#[derive(Clone, Copy, Debug)]
struct Rule {
    from: [u64; 2],
    to: u64,
    is_real: bool,
}

struct Derivations {
    x: Term,
    rules: Vec<Rule>,
    initial: BTreeSet<u64>,
    /// What is known to be derivable.
    facts: BTreeSet<u64>,
    bad: u64,
    /// The premises that the last question found.
    found: Option<[u64; 2]>,
    turns: u64,
}

type Toy<'a> = Pdr<'a, Derivations>;

impl Toy<'_> {
    fn holds(&self, formula: Term, value: u64) -> bool {
        let mut model = Model::new();
        model.set(self.instance.x, Value::BitVec(BitVec::new(3, value)));
        Evaluator::new(model).holds(&self.arena, formula).expect("a formula over x")
    }

    fn contains(&self, cube: &Cube, value: u64) -> bool {
        cube.iter().all(|literal| self.holds(literal, value))
    }

    fn is_in_frame(&self, level: Level, value: u64) -> bool {
        (level > Level(0) || self.instance.initial.contains(&value))
            && self.frames.frame(level, Whole).all(|lemma| self.holds(lemma.clause, value))
    }

    fn range(&mut self, low: u64, high: u64) -> Cube {
        let x = self.instance.x;
        let [low, high] = [low, high].map(|bound| self.arena.bv(3, bound));
        Cube::new([self.arena.bv_ule(low, x), self.arena.bv_ule(x, high)])
    }

    /// Premises in the frame and outside of a cube from which a rule leads into another one.
    fn premises(&self, below: Level, outside: &Cube, into: &Cube) -> Option<[u64; 2]> {
        let rules = self.instance.rules.iter().filter(|rule| self.contains(into, rule.to));
        let is_here = |&value: &u64| self.is_in_frame(below, value) && !self.contains(outside, value);
        rules.map(|rule| rule.from).find(|from| from.iter().all(is_here))
    }
}

impl Instance for Derivations {
    const NAME: &'static str = "toy";
    type Place = Whole;
    type Way = ();
    type Target = u64;
    type Trail = u64;
    type Counterexample = ();

    fn places(&self) -> Vec<Whole> {
        vec![Whole]
    }

    fn ways(&self, _place: Whole) -> &[()] {
        &[()]
    }

    fn source(&self, _way: ()) -> Whole {
        Whole
    }

    fn targets(&self) -> Vec<u64> {
        vec![self.bad]
    }

    fn leading_to(pdr: &mut Toy<'_>, bad: u64) -> Result<Option<ObligationOf<Self>>, Unknown> {
        if !pdr.is_in_frame(pdr.level, bad) {
            return Ok(None);
        }
        let cube = pdr.range(bad, bad);
        Ok(Some(Obligation::new(pdr.level, Whole, cube, bad, None)))
    }

    fn is_initial(pdr: &mut Toy<'_>, obligation: &ObligationOf<Self>) -> Result<bool, Unknown> {
        let Derivations { facts, rules, .. } = &pdr.instance;
        let value = obligation.trail;
        let derives = |rule: &Rule| rule.to == value && rule.from.iter().all(|it| facts.contains(it));
        Ok(facts.contains(&value) || rules.iter().any(derives))
    }

    fn reached(
        pdr: &mut Toy<'_>,
        queue: &mut QueueOf<Self>,
        first: ObligationId,
    ) -> Result<Reached<()>, Unknown> {
        let Derivations { facts, rules, .. } = &mut pdr.instance;
        let (value, next) = (queue.get(first).trail, queue.get(first).next);
        let derives = |rule: &Rule| rule.to == value && rule.from.iter().all(|it| facts.contains(it));
        if !facts.contains(&value) && !rules.iter().any(|rule| rule.is_real && derives(rule)) {
            let before = rules.len();
            rules.retain(|rule| !derives(rule));
            assert!(rules.len() < before, "an execution begins where none does");
            return Ok(Reached::Refined { relation: true });
        }
        facts.insert(value);
        Ok(if next.is_none() { Reached::Counterexample(()) } else { Reached::Settled })
    }

    fn blocked_over(
        pdr: &mut Toy<'_>,
        _way: (),
        below: Level,
        cube: &Cube,
        purpose: Purpose,
    ) -> Result<Option<Cube>, Unknown> {
        let found = pdr.question(purpose, |pdr, _| Ok(pdr.premises(below, cube, cube)))?.flatten();
        pdr.instance.found = found;
        if found.is_some() {
            return Ok(None);
        }
        let values: Vec<u64> = (0..VALUES).filter(|&value| pdr.contains(cube, value)).collect();
        let (Some(&first), Some(&last)) = (values.first(), values.last()) else {
            return Ok(Some(cube.clone()));
        };
        let (mut low, mut high) = (first, last);
        loop {
            let wider = [(low.saturating_sub(1), high), (low, (high + 1).min(VALUES - 1))];
            let fits = wider.into_iter().find(|&wide| {
                let into = pdr.range(wide.0, wide.1);
                wide != (low, high) && pdr.premises(below, cube, &into).is_none()
            });
            let Some(wide) = fits else { break };
            (low, high) = wide;
        }
        Ok(Some(pdr.range(low, high)))
    }

    fn excludes_initial(pdr: &mut Toy<'_>, _place: Whole, cube: &Cube) -> Result<bool, Unknown> {
        Ok(!pdr.instance.initial.iter().any(|&value| pdr.contains(cube, value)))
    }

    fn without_initial(pdr: &mut Toy<'_>, place: Whole, part: Cube, cube: &Cube) -> Result<Cube, Unknown> {
        Ok(if Self::excludes_initial(pdr, place, &part)? { part } else { part.union(cube) })
    }

    fn assert_lemma(_pdr: &mut Toy<'_>, _place: Whole, _level: Level, _clause: Term) {}

    fn preimages(
        pdr: &mut Toy<'_>,
        level: Level,
        _way: (),
        _cube: &Cube,
        next: Option<ObligationId>,
    ) -> Result<Vec<ObligationOf<Self>>, Unknown> {
        let premises = pdr.instance.found.expect("the last question found some");
        let level = level.previous().unwrap_or(Level(0));
        let before = |value| Obligation::new(level, Whole, pdr.range(value, value), value, next);
        Ok(premises.into_iter().map(before).collect())
    }

    fn witness(_pdr: &mut Toy<'_>, _way: ()) -> Result<Option<(State, State)>, Unknown> {
        Ok(None)
    }

    fn check_frames(pdr: &mut Toy<'_>) -> Result<(), Unknown> {
        for level in (0..pdr.level.0).map(Level) {
            for rule in pdr.instance.rules.iter().filter(|rule| rule.is_real) {
                let holds = rule.from.iter().all(|&value| pdr.is_in_frame(level, value));
                assert!(!holds || pdr.is_in_frame(level.next(), rule.to), "frames are not consecutive");
            }
        }
        assert!(pdr.instance.facts.iter().all(|&fact| pdr.is_in_frame(Level(pdr.level.0.max(1)), fact)));
        Ok(())
    }

    fn location(_pdr: &mut Toy<'_>, _place: Whole, _cube: &Cube) -> Option<LocationId> {
        None
    }

    fn at(&self, _place: Whole) -> String {
        String::new()
    }

    fn goes_on(pdr: &mut Toy<'_>) -> Result<bool, Unknown> {
        pdr.instance.turns += 1;
        Ok(pdr.instance.turns > 60 || !pdr.instance.turns.is_multiple_of(12))
    }
}

/// What the rules derive.
fn closure(rules: &[Rule], initial: &BTreeSet<u64>) -> BTreeSet<u64> {
    let mut known = initial.clone();
    loop {
        let before = known.len();
        for rule in rules.iter().filter(|rule| rule.is_real) {
            if rule.from.iter().all(|value| known.contains(value)) {
                known.insert(rule.to);
            }
        }
        if known.len() == before {
            return known;
        }
    }
}

/// Random systems against their closure; afterwards the frame above the fixpoint is inductive.
#[test]
fn derivations_with_two_premises_are_found_or_excluded() {
    let mut state = 1_u64;
    let mut below = |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    let (mut derived, mut refinements) = (0, 0);
    for system in 0..SYSTEMS {
        let count = 4 + below(12);
        let rules: Vec<Rule> = (0..count)
            .map(|_| {
                let (one, other, needs_both) = (below(VALUES), below(VALUES), below(2) > 0);
                let from = if needs_both { [one, other] } else { [one, one] };
                Rule { from, to: below(VALUES), is_real: below(2) > 0 }
            })
            .collect();
        let initial: BTreeSet<u64> = (0..=below(3)).map(|_| below(VALUES)).collect();
        let bad = below(VALUES);
        let expected = closure(&rules, &initial);
        let mut arena = Arena::new();
        let x = arena.variable("x", &Sort::BitVec(3)).expect("a new name");
        let instance = Derivations { x, rules, facts: initial.clone(), initial, bad, found: None, turns: 0 };
        let settings = Settings {
            check_frames: true,
            max_level: Some(64),
            first: Level(0),
            by_size: system % 2 == 0,
            requeue: system % 3 != 0,
            push_at_once: system % 5 != 0,
            subsume_pushed: system % 7 != 0,
        };
        let (budget, mut observer) = (Budget::unlimited(), Silent);
        let weakener = Weakener::new(WeakenOptions::default());
        let mut toy =
            Pdr::new(instance, arena, vec![Some(Level(0))], weakener, settings, &budget, &mut observer);
        match toy.prove().unwrap_or_else(|unknown| panic!("system {system}: {unknown}")) {
            Found::Counterexample(target, ()) => {
                assert!(expected.contains(&target), "system {system}");
                assert!(toy.instance.facts.is_subset(&expected), "system {system}");
                derived += 1;
            }
            Found::Fixpoint(level) => {
                assert!(!expected.contains(&bad), "system {system}");
                let frame: Vec<u64> = (0..VALUES).filter(|&v| toy.is_in_frame(level.next(), v)).collect();
                assert!(expected.iter().all(|value| frame.contains(value)), "system {system}");
                for rule in &toy.instance.rules {
                    let holds = rule.from.iter().all(|value| frame.contains(value));
                    assert!(!holds || frame.contains(&rule.to), "system {system}: {rule:?}");
                }
            }
        }
        refinements += toy.statistics.refinements;
    }
    // Both answers, and refinements, are there.
    assert!((1..SYSTEMS).contains(&derived), "{derived}");
    assert!(refinements > 0, "{refinements}");
}
