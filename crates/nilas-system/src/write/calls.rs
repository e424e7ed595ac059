//! A program with procedures as Horn clauses: a predicate per location, over the values that its
//! procedure was entered with and those that variables hold there, as far as they matter. That of an exit
//! is what the procedure does, and a call is a clause with two predicates in its body: where the caller
//! is, and what the callee does. That a procedure ends in a sink is a predicate of its own, over the
//! values at its entry.
//!
//! Nothing leads to an entry, so clauses from there have no predicate for it. They hold for all values, also
//! for those that nobody calls with.

use super::horn::{atom, symbol};
use super::{function, own_sorts, writable};
use nilas_program::procedures::{Effects, effects, live};
use nilas_program::{CallId, EdgeId, LocationId, Module, ProcedureId, State, VarId, encode};
use nilas_term::smtlib::{print_term, quote_symbol};
use nilas_term::{Arena, Substitution, Term};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// A predicate with its variables.
#[derive(Clone)]
struct Predicate {
    name: String,
    variables: Vec<Term>,
}

struct Writer<'m> {
    module: &'m Module,
    arena: Arena,
    effects: Vec<Effects>,
    /// By location; none for entries and sinks.
    locations: Vec<Option<Predicate>>,
    /// By procedure, the main one last: that it ends in a sink.
    sunk: Vec<Predicate>,
    /// By procedure: values at the entry that matter, with what stands for them later.
    entered: Vec<Vec<(VarId, Term)>>,
    names: FxHashSet<String>,
    text: String,
}

/// The clauses of a program with procedures, in the form of CHC-COMP. They are satisfiable if and only if no
/// sink can be reached.
///
/// # Errors
/// What Horn clauses cannot say.
pub fn to_horn_with_calls(module: &Module) -> Result<String, String> {
    if let Some(name) = function(&module.program) {
        return Err(format!("the function `{name}` has no place in Horn clauses"));
    }
    let automaton = &module.program.automaton;
    let mut text = String::from("(set-logic HORN)\n");
    if super::has_unmodelled(automaton) {
        text.push_str("; clauses with the head false stand for the error and for what is not modelled\n");
    }
    // Writing to a string does not fail.
    for sort in own_sorts(&module.program) {
        let _ = writeln!(text, "(declare-sort {} 0)", quote_symbol(&sort));
    }
    let mut writer = Writer {
        module,
        arena: module.program.arena.clone(),
        effects: effects(module),
        locations: Vec::new(),
        sunk: Vec::new(),
        entered: Vec::new(),
        names: FxHashSet::default(),
        text,
    };
    writer.declare();
    for edge in automaton.edge_ids() {
        writer.edge(edge);
    }
    for call in module.call_ids() {
        writer.call(call);
    }
    writer.text.push_str("(check-sat)\n");
    Ok(writer.text)
}

impl Writer<'_> {
    fn owner(&self, location: LocationId) -> usize {
        self.module.owner(location).map_or(self.module.procedures.len(), ProcedureId::index)
    }

    fn term(&self, variable: VarId) -> Term {
        self.module.program.automaton.variable(variable).term
    }

    fn predicate(&mut self, wanted: &str, variables: Vec<Term>) -> Predicate {
        let wanted = writable(wanted);
        let mut name = wanted.clone();
        let mut number = 0;
        while self.arena.lookup(&name).is_some() || !self.names.insert(name.clone()) {
            name = format!("{wanted}.{number}");
            number += 1;
        }
        let sorts: Vec<String> = variables.iter().map(|&it| self.arena.sort(it).to_string()).collect();
        let _ = writeln!(self.text, "(declare-fun {} ({}) Bool)", quote_symbol(&name), sorts.join(" "));
        Predicate { name, variables }
    }

    fn declare(&mut self) {
        let (module, automaton) = (self.module, &self.module.program.automaton);
        let live = live(module, Some(&self.effects));
        for procedure in &module.procedures {
            let mut entered = Vec::new();
            for &variable in &live[procedure.entry.index()] {
                if module.owner_of(variable).is_none() || procedure.parameters.contains(&variable) {
                    let declared = automaton.variable(variable);
                    let old = self.arena.fresh_variable(&format!("{}@", declared.name), &declared.sort);
                    entered.push((variable, old));
                }
            }
            self.entered.push(entered);
        }
        self.entered.push(Vec::new());
        let entries: BTreeSet<LocationId> =
            module.procedures.iter().map(|procedure| procedure.entry).chain([automaton.entry]).collect();
        for location in automaton.location_ids() {
            let made = (!entries.contains(&location) && !module.is_sink(location)).then(|| {
                let old = self.entered[self.owner(location)].iter().map(|(_, old)| *old);
                let now = live[location.index()].iter().map(|&variable| self.term(variable));
                let variables = old.chain(now).collect();
                self.predicate(&automaton.location(location).name, variables)
            });
            self.locations.push(made);
        }
        for (index, procedure) in module.procedures.iter().enumerate() {
            let old = self.entered[index].iter().map(|(_, old)| *old).collect();
            let made = self.predicate(&format!("{} fails", procedure.name), old);
            self.sunk.push(made);
        }
        self.sunk.push(Predicate { name: "false".into(), variables: Vec::new() });
    }

    /// What stands for values at the entry in a clause that goes on from a location.
    fn old_values(&self, location: LocationId) -> BTreeMap<Term, Term> {
        let is_entry = self.locations[location.index()].is_none();
        let entered = self.entered[self.owner(location)].iter();
        entered.map(|&(variable, old)| (old, if is_entry { self.term(variable) } else { old })).collect()
    }

    fn clause(&mut self, body: &[(Predicate, Vec<Term>)], guard: Term, head: &Predicate, values: &[Term]) {
        let mut all = values.to_vec();
        all.push(guard);
        all.extend(body.iter().flat_map(|(_, arguments)| arguments.iter().copied()));
        let bound = self.arena.free_variables_of(&all).into_iter();
        let bound: Vec<String> = bound
            .map(|variable| format!("({} {})", symbol(&self.arena, variable), self.arena.sort(variable)))
            .collect();
        let atoms = body.iter().map(|(predicate, arguments)| atom(&self.arena, &predicate.name, arguments));
        let mut parts: Vec<String> = atoms.collect();
        parts.push(print_term(&self.arena, guard));
        let is_goal = head.name == "false" && head.variables.is_empty();
        let head = if is_goal { "false".to_owned() } else { atom(&self.arena, &head.name, values) };
        let clause = format!("(=> (and {}) {head})", parts.join(" "));
        let _ = match &bound[..] {
            [] => writeln!(self.text, "(assert {clause})"),
            bound => writeln!(self.text, "(assert (forall ({}) {clause}))", bound.join(" ")),
        };
    }

    fn here(&self, location: LocationId) -> Vec<(Predicate, Vec<Term>)> {
        let place = self.locations[location.index()].clone();
        place.into_iter().map(|place| (place.clone(), place.variables)).collect()
    }

    fn edge(&mut self, id: EdgeId) {
        let automaton = &self.module.program.automaton;
        let edge = automaton.edge(id);
        let truth = self.arena.mk_true();
        let start = State::initial(automaton);
        let encoding = encode(&mut self.arena, automaton, &edge.command, &start, truth);
        let head = match &self.locations[edge.target.index()] {
            Some(place) => place.clone(),
            None => self.sunk[self.owner(edge.source)].clone(),
        };
        if self.arena.as_bool(encoding.guard) == Some(false) {
            return;
        }
        let old = self.old_values(edge.source);
        let index = automaton.variable_index();
        let value = |term: &Term| match (old.get(term), index.get(term)) {
            (Some(&value), _) => value,
            (None, Some(&variable)) => encoding.next.get(variable),
            (None, None) => *term,
        };
        let values: Vec<Term> = head.variables.iter().map(value).collect();
        let body = self.here(edge.source);
        self.clause(&body, encoding.guard, &head, &values);
    }

    /// A predicate of the callee with new variables; those for its entry are what the caller passes.
    fn callee(&mut self, id: CallId, predicate: &Predicate) -> (Vec<Term>, Substitution) {
        let call = self.module.call(id);
        let callee = self.module.procedure(call.callee);
        let entered = self.entered[call.callee.index()].clone();
        let (mut arguments, mut names) = (Vec::new(), Substitution::new());
        for &variable in &predicate.variables {
            let value = match entered.iter().find(|(_, old)| *old == variable) {
                Some(&(entered, _)) => {
                    let position = callee.parameters.iter().position(|&parameter| parameter == entered);
                    position.map_or(self.term(entered), |position| call.arguments[position])
                }
                None => {
                    let sort = self.arena.sort(variable).clone();
                    self.arena.fresh_variable("returned", &sort)
                }
            };
            names.insert(variable, value);
            arguments.push(value);
        }
        (arguments, names)
    }

    fn call(&mut self, id: CallId) {
        let module = self.module;
        let call = module.call(id);
        let callee = module.procedure(call.callee);
        let (truth, old) = (self.arena.mk_true(), self.old_values(call.source));
        if let (Some(head), Some(exit)) =
            (self.locations[call.target.index()].clone(), self.locations[callee.exit.index()].clone())
        {
            let (arguments, names) = self.callee(id, &exit);
            let index = module.program.automaton.variable_index();
            let writes = &self.effects[call.callee.index()].writes;
            let value = |term: &Term| {
                if let Some(&value) = old.get(term) {
                    return value;
                }
                let Some(variable) = index.get(term) else { return *term };
                let result = call.results.iter().position(|result| result == variable);
                let from = match result {
                    Some(position) => self.term(callee.results[position]),
                    None if writes.contains(variable) => *term,
                    None => return *term,
                };
                names.get(from).unwrap_or(*term)
            };
            let values: Vec<Term> = head.variables.iter().map(value).collect();
            let mut body = self.here(call.source);
            body.push((exit, arguments));
            self.clause(&body, truth, &head, &values);
        }
        let failing = self.sunk[call.callee.index()].clone();
        let head = self.sunk[self.owner(call.source)].clone();
        let (arguments, _) = self.callee(id, &failing);
        let values: Vec<Term> =
            head.variables.iter().map(|term| old.get(term).copied().unwrap_or(*term)).collect();
        let mut body = self.here(call.source);
        body.push((failing, arguments));
        self.clause(&body, truth, &head, &values);
    }
}
