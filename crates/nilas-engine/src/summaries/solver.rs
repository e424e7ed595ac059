//! A rule with its solver: what frames and facts of its premises let it derive.

use super::facts::{Fact, FactId, Instance, Known};
use super::rules::{Premise, Rule};
use crate::lift::Lifter;
use crate::pdr::Level;
use nilas_smt::{Activation, Answer, Budget, Reason, Solver, SolverStats};
use nilas_term::{Arena, Cube, Substitution, Term};

/// What a premise is taken to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// All that the frame of this level has.
    Frame(Level),
    /// Facts only.
    Facts,
}

impl Taken {
    /// What frames say of premises where the head is at a level; none if a frame is below all levels.
    pub(super) fn frames(premises: &[Premise], level: Level) -> Option<Vec<Taken>> {
        premises.iter().map(|premise| premise.below(level).map(Taken::Frame)).collect()
    }
}

pub(super) struct RuleSolver {
    pub(super) solver: Box<dyn Solver>,
    pub(super) lifter: Lifter,
    premises: Vec<PremiseState>,
    /// From variables of the head to their values.
    next: Substitution,
    temporary: Option<Activation>,
}

/// What the solver knows of a premise.
struct PremiseState {
    /// From the predicate's variables to those of the premise.
    names: Substitution,
    levels: Vec<Activation>,
    facts: Known,
}

impl RuleSolver {
    pub(super) fn new(
        arena: &mut Arena,
        rule: &Rule,
        variables_of: impl Fn(super::rules::PlaceId) -> Vec<Term>,
        [mut solver, lifter]: [Box<dyn Solver>; 2],
    ) -> Self {
        solver.assert(arena, rule.guard);
        for &(left, right) in &rule.equations {
            let equation = arena.eq(left, right);
            solver.assert(arena, equation);
        }
        let named = |from: Vec<Term>, to: &[Term]| {
            let mut names = Substitution::new();
            for (from, &to) in from.into_iter().zip(to).filter(|(from, to)| from != *to) {
                names.insert(from, to);
            }
            names
        };
        let premises = rule.premises.iter().map(|premise| PremiseState {
            names: named(variables_of(premise.place), &premise.variables),
            levels: Vec::new(),
            facts: Known::default(),
        });
        let premises = premises.collect();
        let next = named(variables_of(rule.head), &rule.values);
        RuleSolver { solver, lifter: Lifter::new(lifter), premises, next, temporary: None }
    }

    /// The literals of a cube about the head as conditions of the rule.
    pub(super) fn preconditions(&mut self, arena: &mut Arena, cube: &Cube) -> Vec<Term> {
        cube.iter().map(|literal| self.next.apply(arena, literal)).collect()
    }

    /// A formula about the predicate of a premise as one about the premise.
    pub(super) fn about(&mut self, arena: &mut Arena, premise: usize, formula: Term) -> Term {
        self.premises[premise].names.apply(arena, formula)
    }

    fn level(&mut self, premise: usize, level: Level) -> Activation {
        let levels = &mut self.premises[premise].levels;
        while levels.len() <= level.index() {
            levels.push(self.solver.activation());
        }
        levels[level.index()]
    }

    /// A lemma about the predicate of a premise.
    pub(super) fn add_lemma(&mut self, arena: &mut Arena, premise: usize, level: Level, clause: Term) {
        let clause = self.about(arena, premise, clause);
        if level == Level::INFINITE {
            self.solver.assert(arena, clause);
            return;
        }
        let activation = self.level(premise, level);
        self.solver.assert_under(arena, activation, clause);
    }

    /// A fact about the predicate of a premise.
    pub(super) fn add_fact(
        &mut self,
        arena: &mut Arena,
        premise: usize,
        variables: &[Term],
        id: FactId,
        fact: &Fact,
    ) {
        self.premises[premise].facts.add(arena, &mut *self.solver, id, fact, variables);
    }

    /// Whether there are facts about all premises.
    pub(super) fn has_facts(&self) -> bool {
        self.premises.iter().all(|premise| premise.facts.activation().is_some())
    }

    /// Can conditions hold where premises are what they are `taken` to be? Outside of these formulas, if some
    /// are given.
    pub(super) fn ask(
        &mut self,
        arena: &mut Arena,
        taken: &[Taken],
        outside: &[Term],
        conditions: &[Term],
        budget: &Budget,
    ) -> Result<bool, Reason> {
        if let Some(activation) = self.temporary.take() {
            self.solver.retire(activation);
        }
        let mut activations = Vec::new();
        for (premise, taken) in taken.iter().enumerate() {
            match (taken, self.premises[premise].facts.activation()) {
                (&Taken::Frame(level), _) => {
                    self.level(premise, level);
                    activations.extend_from_slice(&self.premises[premise].levels[level.index()..]);
                }
                (Taken::Facts, Some(activation)) => activations.push(activation),
                (Taken::Facts, None) => return Ok(false),
            }
        }
        if !outside.is_empty() {
            let activation = self.solver.activation();
            for &clause in outside {
                self.solver.assert_under(arena, activation, clause);
            }
            activations.push(activation);
            self.temporary = Some(activation);
        }
        match self.solver.check(arena, &activations, conditions, budget) {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown(reason) => Err(reason),
        }
    }

    /// After *no*: the conditions that suffice for it.
    pub(super) fn failed(&self) -> &[Term] {
        self.solver.failed()
    }

    /// After a model was found with facts for a premise: the one that is used.
    pub(super) fn used(&mut self, arena: &Arena, premise: usize) -> Result<Instance, Reason> {
        let RuleSolver { solver, premises, .. } = self;
        premises[premise].facts.used(arena, &mut **solver).cloned()
    }

    pub(super) fn stats(&self) -> impl Iterator<Item = SolverStats> + use<> {
        [self.solver.stats(), self.lifter.stats()].into_iter()
    }
}
