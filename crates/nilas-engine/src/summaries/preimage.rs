//! What must be derivable before a rule derives a cube: the next child of an obligation.

use super::instance::Search;
use super::rules::{Block, Origin, RuleId};
use super::solver::Taken;
use crate::lift::word_literals;
use crate::outcome::Unknown;
use crate::pdr::{Level, Obligation, ObligationId};
use crate::project::project;
use crate::transition::{SolverModel, holds};
use nilas_program::{split, wep};
use nilas_term::{Cube, Substitution, Term};
use std::collections::BTreeSet;

use super::rules::PlaceId;

impl Search<'_, '_> {
    /// For a rule that derives a predicate from itself: that premises are not in the cube, since the first
    /// derivation of it has none that is.
    pub(super) fn outside(&mut self, way: RuleId, cube: &Cube) -> Vec<Term> {
        let rule = &self.instance.rules.rules[way];
        let mut clauses = Vec::new();
        for (position, _) in rule.premises.iter().enumerate().filter(|(_, it)| it.place == rule.head) {
            let clause = cube.negation(&mut self.arena);
            clauses.push(self.instance.solvers[way].about(&mut self.arena, position, clause));
        }
        clauses
    }

    fn asks(
        &mut self,
        way: RuleId,
        taken: &[Taken],
        outside: &[Term],
        conditions: &[Term],
    ) -> Result<bool, Unknown> {
        let solver = &mut self.instance.solvers[way];
        Ok(solver.ask(&mut self.arena, taken, outside, conditions, self.budget)?)
    }

    /// The first premise of which no fact is known that the rest goes with: the obligation about it. Before,
    /// the solver of the rule has found a model with frames for all premises.
    pub(super) fn child(
        &mut self,
        level: Level,
        way: RuleId,
        cube: &Cube,
        next: Option<ObligationId>,
    ) -> Result<Obligation<PlaceId, ()>, Unknown> {
        let rule = &self.instance.rules.rules[way];
        let (Some(last), Some(frames)) =
            (rule.premises.len().checked_sub(1), Taken::frames(&rule.premises, level))
        else {
            return Err(Unknown::Internal("where derivations begin nothing is before".into()));
        };
        let conditions = self.instance.solvers[way].preconditions(&mut self.arena, cube);
        let outside = self.outside(way, cube);
        let mut taken = frames.clone();
        let mut chosen = 0;
        while chosen < last {
            taken[chosen] = Taken::Facts;
            if !self.asks(way, &taken, &outside, &conditions)? {
                taken[chosen] = frames[chosen];
                if !self.asks(way, &taken, &outside, &conditions)? {
                    return Err(Unknown::Internal("a model is lost".into()));
                }
                break;
            }
            chosen += 1;
        }
        let place = rule.premises[chosen].place;
        let below = rule.premises[chosen].below(level).unwrap_or(Level(0));
        let mut before = self.before(way, level, cube, &conditions, chosen, false)?;
        // Facts that the frames of later premises do not go with are no answer: they are left out.
        if chosen < last && self.is_known(place, &before)? {
            before = self.before(way, level, cube, &conditions, chosen, true)?;
        }
        Ok(Obligation::new(below, place, before, (), next))
    }

    /// States of a premise from which the rule derives the cube the way the model does, all other premises
    /// being as they are in it, or elsewhere in their facts. If `exact`, they are in their frames.
    fn before(
        &mut self,
        way: RuleId,
        level: Level,
        cube: &Cube,
        conditions: &[Term],
        chosen: usize,
        exact: bool,
    ) -> Result<Cube, Unknown> {
        let rule = &self.instance.rules.rules[way];
        let arena = &mut self.arena;
        let solver = &mut self.instance.solvers[way];
        let mut goal: Vec<Term> = conditions.to_vec();
        goal.push(rule.guard);
        for &(left, right) in &rule.equations {
            goal.push(arena.eq(left, right));
        }
        if exact {
            for (position, premise) in rule.premises.iter().enumerate().skip(chosen + 1) {
                let below = premise.below(level).unwrap_or(Level(0));
                let lemmas: Vec<Term> =
                    self.frames.frame(below, premise.place).map(|lemma| lemma.clause).collect();
                for lemma in lemmas {
                    goal.push(solver.about(arena, position, lemma));
                }
            }
        }
        let mut formulas = goal.clone();
        let mut order: Vec<Term> = Vec::new();
        for (position, premise) in rule.premises.iter().enumerate().take(chosen) {
            let used = solver.used(arena, position)?;
            order.extend(&used.inputs);
            formulas.push(used.guard);
            for (&variable, &value) in premise.variables.iter().zip(&used.values) {
                formulas.push(arena.eq(variable, value));
            }
        }
        if let (Origin::Edge(block), Some(automaton)) = (&rule.origin, self.instance.automaton) {
            let Block { edge, encoding } = &**block;
            let command = &automaton.edge(*edge).command;
            let arcs =
                encoding.path(command, &mut |condition| holds(&mut *solver.solver, arena, condition))?;
            let mut value = |_: &mut nilas_term::Arena, arc| {
                encoding.havoc_input(arc).expect("every `havoc` of the command has an input")
            };
            formulas = wep(arena, automaton, command, &arcs, &mut value, cube);
        }
        let mut failure = None;
        let literals = split(arena, &formulas, &mut |arena, formula| {
            holds(&mut *solver.solver, arena, formula).unwrap_or_else(|reason| {
                failure = Some(reason);
                false
            })
        });
        if let Some(reason) = failure {
            return Err(reason.into());
        }
        // Everything but the premise's own variables goes; what facts are made of last.
        let own = &rule.premises[chosen].variables;
        let kept: BTreeSet<Term> = own.iter().copied().collect();
        let free = arena.free_variables_of(literals.literals());
        order.retain(|variable| free.contains(variable));
        let others = free.iter().copied().filter(|it| !kept.contains(it) && !order.contains(it));
        let others: Vec<Term> = others.collect();
        order.extend(others);
        let mut model = SolverModel(&mut *solver.solver);
        let projected = project(arena, literals.literals().to_vec(), &order, &mut model)?;
        let mut before = Cube::new(projected.literals);
        if let Some(words) = word_literals(&mut *solver.solver, arena, &before)? {
            before = words;
        }
        if chosen == 0 {
            let mut inputs = projected.inputs;
            let mut all = arena.free_variables_of(&goal);
            all.retain(|it| !kept.contains(it) && !inputs.iter().any(|(input, _)| input == it));
            for input in all {
                let value = solver.solver.value(arena, input)?;
                inputs.push((input, arena.constant(value)));
            }
            let goal = arena.and(&goal);
            if let Some(part) = solver.lifter.lift_to(arena, goal, &inputs, &before, self.budget)? {
                before = part;
            }
        }
        let names = &self.instance.rules.of(rule.premises[chosen].place).variables;
        let mut names: Substitution = own.iter().copied().zip(names.iter().copied()).collect();
        Ok(before.iter().map(|literal| names.apply(arena, literal)).collect())
    }
}
