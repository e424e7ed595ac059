//! The rules of a module: what its procedures do, and when they end in a sink.
//!
//! A predicate of a location is over the values that the procedure was entered with, and those that variables
//! hold there, as far as they matter (Def. of summaries in GPDR, Hoder and Bjørner, SAT 2012; Spacer,
//! Komuravelli, Gurfinkel and Chaki, CAV 2014). That of an exit is the summary. It says what the procedure
//! does whoever calls it; for its errors there are predicates over the entry alone: with which values it can
//! get to a sink, in itself or in a callee. Nothing leads to an entry, so steps from there have no premise.
//!
//! Where one edge alone leads to calls, and nothing but calls leads on, the edge is a part of their rules, and
//! the location between has no predicate: what is passed is known without a lemma about it.

use super::rules::{Block, Origin, PlaceId, Premise, Rule, Rules};
use crate::outcome::Unknown;
use nilas_evidence::entry_name;
use nilas_program::procedures::{Blocks, Effects, effects, live};
use nilas_program::{CallId, EdgeId, LocationId, ProcedureId, State, VarId, encode_within};
use nilas_smt::Budget;
use nilas_term::{Arena, Substitution, Term};
use std::collections::{BTreeMap, BTreeSet};

/// The rules of a module of blocks, and where its parts are among the predicates.
pub(super) struct Clauses {
    pub(super) rules: Rules,
    /// By location; none for entries and sinks, and where an edge is a part of the calls behind it.
    pub(super) locations: Vec<Option<PlaceId>>,
    /// By procedure (the main one last) and sink: that the sink is got to.
    pub(super) sunk: Vec<Vec<(LocationId, PlaceId)>>,
    /// By procedure: variables whose values at the entry matter, and what stands for these.
    pub(super) entered: Vec<Vec<(VarId, Term)>>,
    pub(super) effects: Vec<Effects>,
    /// By predicate: whether a derivation of a target can need it.
    pub(super) needed: Vec<bool>,
    /// By predicate: whether there is a derivation of it, as far as the shapes of rules tell.
    pub(super) derivable: Vec<bool>,
}

/// What the module looks like to the one who makes rules.
struct Maker<'a> {
    blocks: &'a Blocks,
    arena: &'a mut Arena,
    budget: &'a Budget,
    made: Clauses,
}

/// The rules of a module.
pub(super) fn clauses(blocks: &Blocks, arena: &mut Arena, budget: &Budget) -> Result<Clauses, Unknown> {
    let module = &blocks.module;
    let automaton = &module.program.automaton;
    let effects = effects(module);
    let live = live(module, Some(&effects));
    let main = module.procedures.len();
    let mut entered = Vec::new();
    for procedure in &module.procedures {
        let at_entry = live[procedure.entry.index()].iter().copied();
        let matters =
            at_entry.filter(|&it| module.owner_of(it).is_none() || procedure.parameters.contains(&it));
        let mut variables = Vec::new();
        for variable in matters {
            let declared = automaton.variable(variable);
            let old = arena.variable(&entry_name(&declared.name), &declared.sort);
            variables.push((variable, old.map_err(|error| Unknown::Internal(error.to_string()))?));
        }
        entered.push(variables);
    }
    entered.push(Vec::new());
    let mut rules = Rules::default();
    let owner = |location: LocationId| module.owner(location).map_or(main, ProcedureId::index);
    let is_entry = |location: LocationId| {
        location == automaton.entry || module.procedures.iter().any(|procedure| procedure.entry == location)
    };
    let leading = leading(blocks);
    let mut locations = Vec::new();
    for location in automaton.location_ids() {
        let is_between = leading[location.index()].is_some();
        let place = (!is_entry(location) && !module.is_sink(location) && !is_between).then(|| {
            let old = entered[owner(location)].iter().map(|(_, old)| *old);
            let now = live[location.index()].iter().map(|&variable| automaton.variable(variable).term);
            rules.predicate(automaton.location(location).name.clone(), old.chain(now).collect())
        });
        locations.push(place);
    }
    let mut sunk = Vec::new();
    for entered in &entered {
        let old: Vec<Term> = entered.iter().map(|(_, old)| *old).collect();
        let sinks = automaton
            .sinks()
            .map(|sink| (sink, rules.predicate(automaton.location(sink).name.clone(), old.clone())));
        sunk.push(sinks.collect::<Vec<_>>());
    }
    rules.targets = sunk[main].iter().map(|(_, place)| *place).collect();
    let made =
        Clauses { rules, locations, sunk, entered, effects, needed: Vec::new(), derivable: Vec::new() };
    let mut maker = Maker { blocks, arena, budget, made };
    for edge in automaton.edge_ids() {
        if leading[automaton.edge(edge).target.index()].is_none() {
            maker.edge(edge)?;
        }
    }
    for call in module.call_ids().filter(|call| blocks.matters[call.index()]) {
        maker.call(call, leading[module.call(call).source.index()])?;
    }
    let mut made = maker.made;
    made.derivable = made.rules.heights().iter().map(Option::is_some).collect();
    made.needed = made.rules.reduce();
    made.rules.find_rounds();
    Ok(made)
}

/// By location: the edge that is a part of the calls that leave it, see the module's text.
fn leading(blocks: &Blocks) -> Vec<Option<EdgeId>> {
    let module = &blocks.module;
    let automaton = &module.program.automaton;
    let mut incoming: Vec<Vec<EdgeId>> = vec![Vec::new(); automaton.locations.len()];
    let mut is_between = vec![false; automaton.locations.len()];
    for call in &module.calls {
        is_between[call.source.index()] = true;
    }
    for edge in automaton.edge_ids() {
        incoming[automaton.edge(edge).target.index()].push(edge);
        is_between[automaton.edge(edge).source.index()] = false;
    }
    for location in module.calls.iter().map(|call| call.target) {
        is_between[location.index()] = false;
    }
    for procedure in &module.procedures {
        is_between[procedure.exit.index()] = false;
    }
    let only = |(edges, is_between): (Vec<EdgeId>, bool)| match &edges[..] {
        &[edge] if is_between => Some(edge),
        _ => None,
    };
    incoming.into_iter().zip(is_between).map(only).collect()
}

impl Maker<'_> {
    fn owner(&self, location: LocationId) -> usize {
        let module = &self.blocks.module;
        module.owner(location).map_or(module.procedures.len(), ProcedureId::index)
    }

    fn term(&self, variable: VarId) -> Term {
        self.blocks.module.program.automaton.variable(variable).term
    }

    /// The premise that an execution is at a location; none at an entry.
    fn here(&self, location: LocationId) -> Option<Premise> {
        let place = self.made.locations[location.index()]?;
        Some(Premise { place, variables: self.made.rules.of(place).variables.clone(), back: false })
    }

    /// What stands for the values at the entry in a rule that goes on from a location.
    fn old_values(&self, location: LocationId) -> BTreeMap<Term, Term> {
        let is_entry = self.made.locations[location.index()].is_none();
        let entered = self.made.entered[self.owner(location)].iter();
        entered.map(|&(variable, old)| (old, if is_entry { self.term(variable) } else { old })).collect()
    }

    /// Adds a rule; its inputs are what no premise has.
    #[allow(clippy::too_many_arguments, reason = "the parts of a rule")]
    fn rule(
        &mut self,
        premises: Vec<Premise>,
        equations: Vec<(Term, Term)>,
        guard: Term,
        head: PlaceId,
        values: Vec<Term>,
        origin: Origin,
    ) {
        let mut used: Vec<Term> = values.clone();
        used.push(guard);
        used.extend(equations.iter().flat_map(|&(left, right)| [left, right]));
        let own: BTreeSet<Term> = premises.iter().flat_map(|it| it.variables.iter().copied()).collect();
        let mut inputs = self.arena.free_variables_of(&used);
        inputs.retain(|variable| !own.contains(variable));
        self.made.rules.rules.push(Rule { premises, equations, guard, inputs, head, values, origin });
    }

    /// What an edge means; none if nothing gets over it.
    fn block(&mut self, edge: EdgeId) -> Result<Option<Block>, Unknown> {
        let automaton = &self.blocks.module.program.automaton;
        let condition = self.arena.mk_true();
        let start = State::initial(automaton);
        let command = &automaton.edge(edge).command;
        let encoding = encode_within(self.arena, automaton, command, &start, condition, self.budget)
            .map_err(Unknown::Interrupted)?;
        let never = self.arena.as_bool(encoding.guard) == Some(false);
        Ok((!never).then_some(Block { edge, encoding }))
    }

    fn edge(&mut self, id: EdgeId) -> Result<(), Unknown> {
        let Some(block) = self.block(id)? else { return Ok(()) };
        let automaton = &self.blocks.module.program.automaton;
        let edge = automaton.edge(id);
        let owner = self.owner(edge.source);
        let sink = self.made.sunk[owner].iter().find(|(sink, _)| *sink == edge.target);
        let place = sink.map(|&(_, place)| place).or(self.made.locations[edge.target.index()]);
        // At another error location executions end.
        let Some(head) = place else { return Ok(()) };
        let old = self.old_values(edge.source);
        let index = automaton.variable_index();
        let value = |term: &Term| match (old.get(term), index.get(term)) {
            (Some(&value), _) => value,
            (None, Some(&variable)) => block.encoding.next.get(variable),
            (None, None) => *term,
        };
        let values = self.made.rules.of(head).variables.iter().map(value).collect();
        let premises = self.here(edge.source).into_iter().collect();
        let guard = block.encoding.guard;
        self.rule(premises, Vec::new(), guard, head, values, Origin::Edge(Box::new(block)));
        Ok(())
    }

    /// New variables for those of a predicate, and the equations of those that are values at the entry of the
    /// callee with what the caller passes. `now` has the values that the caller's variables hold.
    fn passed(
        &mut self,
        call: CallId,
        place: PlaceId,
        now: &mut Substitution,
    ) -> (Premise, Vec<(Term, Term)>) {
        let module = &self.blocks.module;
        let call = module.call(call);
        let callee = module.procedure(call.callee);
        let entered = self.made.entered[call.callee.index()].clone();
        let mut equations = Vec::new();
        let mut variables = Vec::new();
        for variable in self.made.rules.of(place).variables.clone() {
            let sort = self.arena.sort(variable).clone();
            let prefix = self.arena.name(variable).unwrap_or_default().to_owned();
            let fresh = self.arena.fresh_variable(&prefix, &sort);
            variables.push(fresh);
            if let Some(&(entered, _)) = entered.iter().find(|(_, old)| *old == variable) {
                let argument = callee.parameters.iter().position(|&parameter| parameter == entered);
                let value = argument.map_or(self.term(entered), |position| call.arguments[position]);
                equations.push((fresh, now.apply(self.arena, value)));
            }
        }
        (Premise { place, variables, back: false }, equations)
    }

    /// The rules of a call, with the edge before it if that is a part of them.
    fn call(&mut self, id: CallId, leading: Option<EdgeId>) -> Result<(), Unknown> {
        let module = &self.blocks.module;
        let automaton = &module.program.automaton;
        let call = module.call(id).clone();
        let callee = module.procedure(call.callee).clone();
        let (mut source, mut guard) = (call.source, self.arena.mk_true());
        let mut now = Substitution::new();
        let mut before = None;
        if let Some(edge) = leading {
            let Some(block) = self.block(edge)? else { return Ok(()) };
            (source, guard) = (automaton.edge(edge).source, block.encoding.guard);
            for variable in automaton.variable_ids() {
                let (term, value) = (self.term(variable), block.encoding.next.get(variable));
                if value != term {
                    now.insert(term, value);
                }
            }
            before = Some(Box::new(block));
        }
        let old = self.old_values(source);
        let owner = self.owner(source);
        if let (Some(head), Some(exit)) =
            (self.made.locations[call.target.index()], self.made.locations[callee.exit.index()])
        {
            let (premise, equations) = self.passed(id, exit, &mut now);
            let behind: BTreeMap<Term, Term> = {
                let names = self.made.rules.of(exit).variables.iter().copied();
                names.zip(premise.variables.iter().copied()).collect()
            };
            let index = automaton.variable_index();
            let writes = &self.made.effects[call.callee.index()].writes;
            let value = |term: &Term| {
                if let Some(&value) = old.get(term) {
                    return value;
                }
                let held = now.get(*term).unwrap_or(*term);
                let Some(variable) = index.get(term) else { return *term };
                let result = call.results.iter().position(|result| result == variable);
                let from = match result {
                    Some(position) => self.term(callee.results[position]),
                    None if writes.contains(variable) => *term,
                    None => return held,
                };
                behind.get(&from).copied().unwrap_or(held)
            };
            let values = self.made.rules.of(head).variables.iter().map(value).collect();
            let premises = self.here(source).into_iter().chain([premise]).collect();
            self.rule(premises, equations, guard, head, values, Origin::Return(before.clone(), id));
        }
        for (sink, place) in self.made.sunk[call.callee.index()].clone() {
            let Some(&(_, head)) = self.made.sunk[owner].iter().find(|(other, _)| *other == sink) else {
                continue;
            };
            let (premise, equations) = self.passed(id, place, &mut now);
            let variables = &self.made.rules.of(head).variables;
            let values = variables.iter().map(|term| old.get(term).copied().unwrap_or(*term)).collect();
            let premises = self.here(source).into_iter().chain([premise]).collect();
            self.rule(premises, equations, guard, head, values, Origin::Sunk(before.clone(), id));
        }
        Ok(())
    }
}
