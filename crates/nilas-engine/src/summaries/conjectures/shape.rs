//! What evaluations need to know about rules that stand for a module: which ones leave an entry or a place,
//! which procedure they call, and which values at an entry decide the way through a procedure.
//!
//! A value is *control* if a guard depends on it, in the procedure or in what it calls. The others are
//! *data*: they are carried along, and an evaluation leaves them open.

use super::super::clauses::Clauses;
use super::super::rules::{Origin, PlaceId, Rule, RuleId};
use nilas_program::procedures::Blocks;
use nilas_program::{LocationId, ProcedureId};
use nilas_term::{Arena, Term};
use std::collections::BTreeMap;

pub(in crate::summaries) struct Shape {
    /// By procedure: the values at its entry that matter, as they are called there and later.
    pub(super) entered: Vec<Vec<(Term, Term)>>,
    /// By procedure: which of them are control.
    pub(super) control: Vec<Vec<bool>>,
    /// By procedure: the predicate of its exit, if it can come back.
    pub(super) exits: Vec<Option<PlaceId>>,
    /// By procedure: the rules that leave its entry.
    pub(super) first: Vec<Vec<RuleId>>,
    /// By predicate: the rules that leave it, and the procedure that it belongs to.
    pub(super) then: Vec<Vec<RuleId>>,
    pub(super) owner: Vec<Option<usize>>,
    /// By rule: the procedure that is called. Calls that end in a sink are no rules here.
    pub(super) callee: Vec<Option<usize>>,
}

impl Shape {
    pub(in crate::summaries) fn new(blocks: &Blocks, clauses: &Clauses, arena: &Arena) -> Shape {
        let module = &blocks.module;
        let automaton = &module.program.automaton;
        let (main, rules) = (module.procedures.len(), &clauses.rules);
        let mut shape = Shape {
            entered: Vec::new(),
            control: Vec::new(),
            exits: Vec::new(),
            first: vec![Vec::new(); main],
            then: vec![Vec::new(); rules.predicates.len()],
            owner: vec![None; rules.predicates.len()],
            callee: Vec::new(),
        };
        for (procedure, entered) in module.procedures.iter().zip(&clauses.entered) {
            let named = entered.iter().map(|&(variable, old)| (automaton.variable(variable).term, old));
            shape.entered.push(named.collect());
            shape.control.push(vec![false; entered.len()]);
            shape.exits.push(clauses.locations[procedure.exit.index()]);
        }
        for (location, place) in clauses.locations.iter().enumerate() {
            if let (Some(place), Some(owner)) = (place, module.owner(LocationId::new(location))) {
                shape.owner[place.index()] = Some(owner.index());
            }
        }
        for (id, rule) in rules.rules.iter().enumerate() {
            let call = rule.origin.call().map(|call| module.call(call));
            shape.callee.push(call.map(|call| call.callee.index()));
            let edge = rule.origin.block().map(|block| automaton.edge(block.edge).source);
            let Some(source) = edge.or(call.map(|call| call.source)) else { continue };
            if matches!(rule.origin, Origin::Sunk(..)) {
                continue;
            }
            match (clauses.locations[source.index()], module.owner(source).map(ProcedureId::index)) {
                (Some(place), _) => shape.then[place.index()].push(id),
                (None, Some(owner)) => shape.first[owner].push(id),
                (None, None) => {}
            }
        }
        shape.find_control(&rules.rules, |place| rules.of(place).variables.clone(), arena);
        shape
    }

    /// Goes back from guards to what they depend on, until nothing is new. The main procedure does not count:
    /// it asks about results, but calls nobody again.
    fn find_control(&mut self, rules: &[Rule], variables: impl Fn(PlaceId) -> Vec<Term>, arena: &Arena) {
        let mut inside: Vec<Vec<bool>> =
            (0..self.then.len()).map(|place| vec![false; width(place, rules)]).collect();
        let begins =
            self.first.iter().enumerate().flat_map(|(owner, ids)| ids.iter().map(move |&id| (id, owner)));
        let begins: BTreeMap<RuleId, usize> = begins.collect();
        let within = self.then.iter().enumerate().filter(|(place, _)| self.owner[*place].is_some());
        let all: Vec<RuleId> =
            begins.keys().copied().chain(within.flat_map(|(_, ids)| ids.iter().copied())).collect();
        loop {
            let mut changed = false;
            for &id in &all {
                let rule = &rules[id];
                let mut needed = vec![rule.guard];
                let head = &inside[rule.head.index()];
                needed
                    .extend(rule.values.iter().zip(head).filter(|(_, control)| **control).map(|(it, _)| *it));
                if let (Some(callee), Some(premise)) = (self.callee[id], rule.premises.last()) {
                    for (&variable, name) in premise.variables.iter().zip(variables(premise.place)) {
                        let at = self.entered[callee].iter().position(|&(_, old)| old == name);
                        if at.is_some_and(|at| self.control[callee][at]) {
                            needed.extend(rule.equations.iter().filter(|it| it.0 == variable).map(|it| it.1));
                        }
                    }
                }
                for variable in arena.free_variables_of(&needed) {
                    for premise in &rule.premises {
                        for (at, _) in premise.variables.iter().enumerate().filter(|it| *it.1 == variable) {
                            let mark = &mut inside[premise.place.index()][at];
                            changed |= !std::mem::replace(mark, true);
                        }
                    }
                    if let Some(&owner) = begins.get(&id) {
                        for (at, _) in self.entered[owner].iter().enumerate().filter(|it| it.1.0 == variable)
                        {
                            changed |= !std::mem::replace(&mut self.control[owner][at], true);
                        }
                    }
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// The control values of a procedure, as they are called later.
    pub(super) fn control_of(&self, procedure: usize) -> Vec<Term> {
        let all = self.entered[procedure].iter().zip(&self.control[procedure]);
        all.filter(|(_, control)| **control).map(|((_, old), _)| *old).collect()
    }
}

/// How many variables a predicate has, as far as rules tell.
fn width(place: usize, rules: &[Rule]) -> usize {
    let heads = rules.iter().filter(|rule| rule.head.index() == place).map(|rule| rule.values.len());
    let premises = rules.iter().flat_map(|rule| &rule.premises);
    let premises = premises.filter(|it| it.place.index() == place).map(|it| it.variables.len());
    heads.chain(premises).max().unwrap_or(0)
}
