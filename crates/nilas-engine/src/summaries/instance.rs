//! Rules as an instance of the IC3 core: places are predicates, ways are rules, levels count how often
//! derivations go round ([`rounds`](super::rounds)).
//!
//! An obligation over a rule of several premises has children one after the other: the first one is asked
//! about where frames stand for the others, the next one where a fact stands for the first, and so on
//! (Spacer). What is found derivable becomes a fact, and the obligation above is asked again.

use super::conjectures::Conjectures;
use super::facts::{Fact, FactId, Instance as Used, Known, derive};
use super::rules::{BEGINNING, PlaceId, RuleId, Rules};
use super::solver::{RuleSolver, Taken};
use crate::outcome::Unknown;
use crate::pdr::{
    Effort, Foresight, Instance, Level, Obligation, ObligationId, ObligationOf, Pdr, Purpose, QueueOf,
    Reached, State,
};
use nilas_program::LocationId;
use nilas_smt::{Answer, Embedded, SatCore, Solver};
use nilas_term::{Cube, Substitution, Term, Value};

/// What this instance of IC3 knows.
pub(super) struct Summaries<'a> {
    pub(super) rules: &'a Rules,
    /// What rules are encoded over, for those that stand for edges.
    pub(super) automaton: Option<&'a nilas_program::Automaton>,
    /// The rules of each predicate.
    pub(super) into: Vec<Vec<RuleId>>,
    /// The premises that each predicate is in.
    pub(super) uses: Vec<Vec<(RuleId, usize)>>,
    pub(super) solvers: Vec<RuleSolver>,
    pub(super) facts: Vec<Fact>,
    /// The facts of each predicate that has some, with a solver.
    pub(super) known: Vec<Option<(Box<dyn Solver>, Known)>>,
    pub(super) core: SatCore,
    /// What makes the obligation at hand derivable.
    found: Option<Derivable>,
    /// The targets that are still to be shown underivable.
    pub(super) left: Vec<PlaceId>,
    /// What procedures are taken to do, where rules stand for a module.
    pub(super) conjectures: Option<Conjectures>,
}

/// Why an obligation is derivable.
enum Derivable {
    /// A fact is known.
    Known,
    /// A rule derives it from these facts.
    By(RuleId, Vec<Used>),
}

/// A derivation of a target: its last fact, and what its inputs are.
pub(super) struct Derivation {
    pub(super) fact: Fact,
    pub(super) inputs: Vec<Value>,
}

pub(super) type Search<'p, 'i> = Pdr<'p, Summaries<'i>>;

impl<'a> Summaries<'a> {
    pub(super) fn new(
        rules: &'a Rules,
        automaton: Option<&'a nilas_program::Automaton>,
        solvers: Vec<RuleSolver>,
        core: SatCore,
    ) -> Self {
        let places = rules.predicates.len();
        let mut into = vec![Vec::new(); places];
        let mut uses = vec![Vec::new(); places];
        for (id, rule) in rules.rules.iter().enumerate() {
            into[rule.head.index()].push(id);
            for (position, premise) in rule.premises.iter().enumerate() {
                uses[premise.place.index()].push((id, position));
            }
        }
        let mut known = Vec::new();
        known.resize_with(places, || None);
        let left = rules.targets.clone();
        Summaries {
            rules,
            automaton,
            into,
            uses,
            solvers,
            facts: Vec::new(),
            known,
            core,
            found: None,
            left,
            conjectures: None,
        }
    }
}

impl Search<'_, '_> {
    /// Whether a known fact about a predicate is in a cube.
    pub(super) fn is_known(&mut self, place: PlaceId, cube: &Cube) -> Result<bool, Unknown> {
        let Some((solver, known)) = &mut self.instance.known[place.index()] else { return Ok(false) };
        let activations: Vec<_> = known.activation().into_iter().collect();
        match solver.check(&self.arena, &activations, cube.literals(), self.budget) {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown(reason) => Err(reason.into()),
        }
    }

    /// Whether a rule derives something in a cube from known facts, and which of these.
    fn derives(&mut self, rule: RuleId, cube: &Cube) -> Result<Option<Vec<Used>>, Unknown> {
        let premises = self.instance.rules.rules[rule].premises.len();
        let solver = &mut self.instance.solvers[rule];
        if !solver.has_facts() {
            return Ok(None);
        }
        let conditions = solver.preconditions(&mut self.arena, cube);
        if conditions.iter().any(|&condition| self.arena.as_bool(condition) == Some(false)) {
            return Ok(None);
        }
        let taken = vec![Taken::Facts; premises];
        if !solver.ask(&mut self.arena, &taken, &[], &conditions, self.budget)? {
            return Ok(None);
        }
        let used: Result<Vec<Used>, _> =
            (0..premises).map(|premise| solver.used(&self.arena, premise)).collect();
        Ok(Some(used?))
    }

    /// Whether the frame of a premise is *false* where the head is at a level.
    fn is_empty_below(&self, rule: RuleId, level: Level) -> bool {
        let premises = &self.instance.rules.rules[rule].premises;
        let is_empty = |below: Level, place| self.frames.is_empty_at(below, place);
        premises.iter().any(|premise| premise.below(level).is_none_or(|below| is_empty(below, premise.place)))
    }

    /// Tells everybody of a fact.
    fn add_fact(&mut self, fact: Fact) {
        let id: FactId = self.instance.facts.len();
        let place = fact.place;
        for (rule, position) in self.instance.uses[place.index()].clone() {
            let variables = &self.instance.rules.rules[rule].premises[position].variables;
            self.instance.solvers[rule].add_fact(&mut self.arena, position, variables, id, &fact);
        }
        let known = &mut self.instance.known[place.index()];
        if known.is_none() {
            let solver = self.observer.solver(self.instance.core.solver());
            *known = Some((solver, Known::default()));
        }
        if let Some((solver, known)) = known {
            let variables = &self.instance.rules.of(place).variables;
            known.add(&mut self.arena, &mut **solver, id, &fact, variables);
        }
        self.observer.event(&|| {
            let name = &self.instance.rules.of(place).name;
            format!(
                "fact {id} at {name}, from rule {} and facts {:?}",
                fact.rule,
                fact.children.iter().map(|child| child.0).collect::<Vec<_>>()
            )
        });
        self.instance.facts.push(fact);
    }
}

impl Instance for Summaries<'_> {
    const NAME: &'static str = "summaries";

    type Place = PlaceId;
    type Way = RuleId;
    type Target = PlaceId;
    type Trail = ();
    type Counterexample = Derivation;

    fn places(&self) -> Vec<PlaceId> {
        self.rules.order.clone()
    }

    fn ways(&self, place: PlaceId) -> &[RuleId] {
        &self.into[place.index()]
    }

    fn source(&self, way: RuleId) -> PlaceId {
        self.rules.rules[way].premises.first().map_or(BEGINNING, |premise| premise.place)
    }

    fn below(&self, way: RuleId, level: Level) -> Option<Level> {
        self.rules.rules[way].premises.first().map_or(level.previous(), |premise| premise.below(level))
    }

    fn targets(&self) -> Vec<PlaceId> {
        self.left.clone()
    }

    fn leading_to(pdr: &mut Search<'_, '_>, target: PlaceId) -> Result<Option<ObligationOf<Self>>, Unknown> {
        let all = Cube::empty();
        let excluded =
            pdr.frames.is_empty_at(pdr.level, target) || pdr.frames.blocks(pdr.level, target, &all).is_some();
        Ok((!excluded).then(|| Obligation::new(pdr.level, target, all, (), None)))
    }

    fn is_initial(pdr: &mut Search<'_, '_>, obligation: &ObligationOf<Self>) -> Result<bool, Unknown> {
        pdr.instance.found = None;
        if pdr.is_known(obligation.place, &obligation.cube)? {
            pdr.instance.found = Some(Derivable::Known);
            return Ok(true);
        }
        for rule in pdr.instance.into[obligation.place.index()].clone() {
            if let Some(used) = pdr.derives(rule, &obligation.cube)? {
                pdr.instance.found = Some(Derivable::By(rule, used));
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn reached(
        pdr: &mut Search<'_, '_>,
        queue: &mut QueueOf<Self>,
        first: ObligationId,
    ) -> Result<Reached<Derivation>, Unknown> {
        let place = queue.get(first).place;
        let Some(Derivable::By(id, used)) = pdr.instance.found.take() else { return Ok(Reached::Settled) };
        let rule = &pdr.instance.rules.rules[id];
        let solver = &mut *pdr.instance.solvers[id].solver;
        let fact = derive(&mut pdr.arena, (id, rule), &used, solver)?;
        if pdr.instance.rules.targets.contains(&place) {
            let inputs: Result<Vec<Value>, _> =
                fact.inputs.iter().map(|&input| solver.value(&pdr.arena, input)).collect();
            return Ok(Reached::Counterexample(Derivation { fact, inputs: inputs? }));
        }
        pdr.add_fact(fact);
        Ok(Reached::Settled)
    }

    fn foresee(
        pdr: &mut Search<'_, '_>,
        queue: &mut QueueOf<Self>,
        id: ObligationId,
    ) -> Result<Foresight, Unknown> {
        let Obligation { place, cube, .. } = queue.get(id);
        pdr.wonder(*place, &cube.clone())?;
        Ok(Foresight::Ask)
    }

    fn blocked_over(
        pdr: &mut Search<'_, '_>,
        way: RuleId,
        below: Level,
        cube: &Cube,
        purpose: Purpose,
    ) -> Result<Option<Cube>, Unknown> {
        let rule = &pdr.instance.rules.rules[way];
        let level = rule.premises.first().map_or(below.next(), |premise| premise.above(below));
        let taken = match Taken::frames(&rule.premises, level) {
            Some(taken) if !pdr.is_empty_below(way, level) => taken,
            _ => return Ok(Some(Cube::empty())),
        };
        let conditions = pdr.instance.solvers[way].preconditions(&mut pdr.arena, cube);
        let never =
            cube.iter().zip(&conditions).find(|(_, before)| pdr.arena.as_bool(**before) == Some(false));
        if let Some((literal, _)) = never {
            return Ok(Some(Cube::new([literal])));
        }
        let outside = pdr.outside(way, cube);
        let answer = pdr.question(purpose, |pdr, budget| {
            let solver = &mut pdr.instance.solvers[way];
            solver.ask(&mut pdr.arena, &taken, &outside, &conditions, budget)
        })?;
        Ok(match answer {
            None | Some(true) => None,
            Some(false) => {
                let failed = pdr.instance.solvers[way].failed();
                let core = cube.iter().zip(&conditions).filter(|(_, before)| failed.contains(before));
                Some(core.map(|(literal, _)| literal).collect())
            }
        })
    }

    /// A lemma of a predicate is told to the solvers of the rules that have it as a premise.
    fn assert_lemma(pdr: &mut Search<'_, '_>, place: PlaceId, level: Level, clause: Term) {
        for &(rule, position) in &pdr.instance.uses[place.index()] {
            pdr.instance.solvers[rule].add_lemma(&mut pdr.arena, position, level, clause);
        }
    }

    fn preimages(
        pdr: &mut Search<'_, '_>,
        level: Level,
        way: RuleId,
        cube: &Cube,
        next: Option<ObligationId>,
    ) -> Result<Vec<ObligationOf<Self>>, Unknown> {
        Ok(vec![pdr.child(level, way, cube, next)?])
    }

    fn witness(_pdr: &mut Search<'_, '_>, _way: RuleId) -> Result<Option<(State, State)>, Unknown> {
        Ok(None)
    }

    /// Frames are consecutive over every rule, asked of fresh solvers.
    fn check_frames(pdr: &mut Search<'_, '_>) -> Result<(), Unknown> {
        for (id, rule) in pdr.instance.rules.rules.iter().enumerate() {
            for level in (1..=pdr.level.0).map(Level) {
                if pdr.is_empty_below(id, level) {
                    continue;
                }
                let name = &pdr.instance.rules.of(rule.head).name;
                let broken = || Unknown::Internal(format!("frame {level} at `{name}` does not follow"));
                if pdr.frames.is_empty_at(level, rule.head) {
                    return Err(broken());
                }
                let mut question = vec![rule.guard];
                for &(left, right) in &rule.equations {
                    question.push(pdr.arena.eq(left, right));
                }
                let renamed = |from: &[Term], to: &[Term]| {
                    from.iter().copied().zip(to.iter().copied()).collect::<Substitution>()
                };
                for premise in &rule.premises {
                    let variables = &pdr.instance.rules.of(premise.place).variables;
                    let mut names = renamed(variables, &premise.variables);
                    let below = premise.below(level).unwrap_or(Level(0));
                    for lemma in pdr.frames.frame(below, premise.place) {
                        question.push(names.apply(&mut pdr.arena, lemma.clause));
                    }
                }
                let mut next = renamed(&pdr.instance.rules.of(rule.head).variables, &rule.values);
                for lemma in pdr.frames.frame(level, rule.head) {
                    let after = next.apply(&mut pdr.arena, lemma.clause);
                    let mut question = question.clone();
                    question.push(pdr.arena.not(after));
                    let mut solver: Embedded = Embedded::default();
                    match solver.check(&pdr.arena, &[], &question, pdr.budget) {
                        Answer::Unsat => {}
                        Answer::Sat => return Err(broken()),
                        Answer::Unknown(reason) => return Err(reason.into()),
                    }
                }
            }
        }
        Ok(())
    }

    fn location(_pdr: &mut Search<'_, '_>, _place: PlaceId, _cube: &Cube) -> Option<LocationId> {
        None
    }

    fn at(&self, place: PlaceId) -> String {
        format!(" at {}", self.rules.of(place).name)
    }

    fn effort(_pdr: &Search<'_, '_>) -> Effort {
        Effort::NONE
    }
}
