//! An automaton as Horn clauses: a predicate per location over the variables that matter there, a clause per
//! edge.

use super::{function, has_unmodelled, own_sorts, writable};
use nilas_program::graph::Graph;
use nilas_program::{LiveVariables, LocationId, Program, State, VarId, encode};
use nilas_term::smtlib::{print_term, quote_symbol};
use nilas_term::{Arena, Term};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The clauses, in the form of CHC-COMP. They are satisfiable if and only if no sink can be reached.
///
/// # Errors
/// What Horn clauses cannot say.
pub fn to_horn(program: &Program) -> Result<String, String> {
    if let Some(name) = function(program) {
        return Err(format!("the function `{name}` has no place in Horn clauses"));
    }
    let automaton = &program.automaton;
    let mut arena = program.arena.clone();
    let live = LiveVariables::new(program);
    let graph = Graph::new(automaton);
    let relevant = graph.relevant(automaton);
    let mut text = String::from("(set-logic HORN)\n");
    if has_unmodelled(automaton) {
        text.push_str("; clauses with the head false stand for the error and for what is not modelled\n");
    }
    // Writing to a string does not fail.
    for sort in own_sorts(program) {
        let _ = writeln!(text, "(declare-sort {} 0)", quote_symbol(&sort));
    }
    let mut predicates: BTreeMap<LocationId, (String, Vec<VarId>)> = BTreeMap::new();
    let mut names: FxHashSet<String> = FxHashSet::default();
    let inner = automaton.location_ids().filter(|&id| !automaton.is_sink(id) && relevant.contains(id));
    for location in inner.chain([automaton.entry]).collect::<std::collections::BTreeSet<_>>() {
        let wanted = writable(&automaton.location(location).name);
        let mut name = wanted.clone();
        let mut number = 0;
        while arena.lookup(&name).is_some() || !names.insert(name.clone()) {
            name = format!("{wanted}.{number}");
            number += 1;
        }
        let variables: Vec<VarId> =
            automaton.variable_ids().filter(|&variable| live.contains(location, variable)).collect();
        let sorts: Vec<String> =
            variables.iter().map(|&variable| automaton.variable(variable).sort.to_string()).collect();
        let _ = writeln!(text, "(declare-fun {} ({}) Bool)", quote_symbol(&name), sorts.join(" "));
        predicates.insert(location, (name, variables));
    }
    let start = State::initial(automaton);
    for edge in &automaton.edges {
        let Some((source, variables)) = predicates.get(&edge.source) else { continue };
        let target = predicates.get(&edge.target);
        if target.is_none() && !automaton.is_sink(edge.target) {
            continue;
        }
        let truth = arena.mk_true();
        let encoding = encode(&mut arena, automaton, &edge.command, &start, truth);
        if arena.as_bool(encoding.guard) == Some(false) {
            continue;
        }
        let before: Vec<Term> = variables.iter().map(|&variable| automaton.variable(variable).term).collect();
        let after: Vec<Term> = target
            .map(|(_, variables)| variables.iter().map(|&variable| encoding.next.get(variable)).collect())
            .unwrap_or_default();
        let from_entry = edge.source == automaton.entry;
        let mut all = after.clone();
        all.push(encoding.guard);
        if !from_entry {
            all.extend_from_slice(&before);
        }
        let bound: Vec<String> = arena
            .free_variables_of(&all)
            .into_iter()
            .map(|variable| format!("({} {})", symbol(&arena, variable), arena.sort(variable)))
            .collect();
        let mut body = Vec::new();
        if !from_entry {
            body.push(atom(&arena, source, &before));
        }
        body.push(print_term(&arena, encoding.guard));
        let head = target.map_or_else(|| "false".to_owned(), |(name, _)| atom(&arena, name, &after));
        let clause = format!("(=> (and {}) {head})", body.join(" "));
        let _ = match &bound[..] {
            [] => writeln!(text, "(assert {clause})"),
            bound => writeln!(text, "(assert (forall ({}) {clause}))", bound.join(" ")),
        };
    }
    text.push_str("(check-sat)\n");
    Ok(text)
}

pub(super) fn symbol(arena: &Arena, variable: Term) -> String {
    quote_symbol(arena.name(variable).unwrap_or_default())
}

pub(super) fn atom(arena: &Arena, name: &str, arguments: &[Term]) -> String {
    let name = quote_symbol(name);
    if arguments.is_empty() {
        return name;
    }
    let arguments: Vec<String> = arguments.iter().map(|&argument| print_term(arena, argument)).collect();
    format!("({name} {})", arguments.join(" "))
}
