//! An automaton as a transition system in VMT: its program counter in a few bits, and a bit for each sink.

use super::{has_unmodelled, own_sorts};
use nilas_program::{LocationId, Program, SymbolicAutomaton};
use nilas_term::smtlib::{print_term, quote_symbol};
use nilas_term::{Arena, Op, Sort, Term};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The system. Property 0 says that the error is not reached, property 1 that what is not modelled is not.
///
/// # Errors
/// What cannot be written.
pub fn to_vmt(program: &Program) -> Result<String, String> {
    let mut arena = program.arena.clone();
    let symbolic = SymbolicAutomaton::new(&mut arena, program);
    let automaton = &program.automaton;
    let mut sinks: Vec<(LocationId, &str)> = vec![(automaton.error, "error")];
    if let Some(unmodelled) = automaton.unmodelled.filter(|_| has_unmodelled(automaton)) {
        sinks.push((unmodelled, "unmodelled"));
    }
    let mut states: Vec<(Term, Term)> = Vec::new();
    let (mut inner, mut outer, mut properties) = (vec![symbolic.system.constraint], Vec::new(), Vec::new());
    let mut initial = vec![symbolic.system.initial];
    for variable in &symbolic.system.variables {
        states.push((variable.current, variable.next));
        if let Some(update) = variable.update {
            inner.push(arena.eq(variable.next, update));
        }
    }
    let bits: Vec<(LocationId, Term, Term)> = sinks
        .iter()
        .map(|&(sink, name)| {
            let current = arena.fresh_variable(name, &Sort::Bool);
            (sink, current, arena.prime(current))
        })
        .collect();
    let mut before = Vec::new();
    for &(_, current, next) in &bits {
        states.push((current, next));
        let (not, not_next) = (arena.not(current), arena.not(next));
        initial.push(not);
        before.push(not);
        inner.push(not_next);
        properties.push(not);
    }
    for &(sink, _, next) in &bits {
        let reached = symbolic.before(&mut arena, automaton, &[sink]);
        let mut parts = vec![reached, next];
        for &(other, _, other_next) in &bits {
            if other != sink {
                parts.push(arena.not(other_next));
            }
        }
        outer.push(arena.and(&parts));
    }
    outer.push(arena.and(&inner));
    let step = arena.or(&outer);
    before.push(step);
    let relation = arena.and(&before);
    let initial = arena.and(&initial);
    let mut text = String::new();
    declarations(program, &arena, &[relation, initial], &mut text);
    // Writing to a string does not fail.
    for &(current, next) in &states {
        for variable in [current, next] {
            declare(&mut text, &arena, variable);
        }
    }
    let declared: Vec<Term> = states.iter().flat_map(|&(current, next)| [current, next]).collect();
    for input in arena.free_variables(relation).into_iter().filter(|input| !declared.contains(input)) {
        declare(&mut text, &arena, input);
    }
    let define = |text: &mut String, name: &str, sort: &Sort, body: &str, annotation: &str| {
        let _ = writeln!(text, "(define-fun .{name} () {sort} (! {body} {annotation}))");
    };
    for (index, &(current, next)) in states.iter().enumerate() {
        let annotation = format!(":next {}", name(&arena, next));
        let body = name(&arena, current);
        define(&mut text, &format!("state{index}"), arena.sort(current), &body, &annotation);
    }
    define(&mut text, "init", &Sort::Bool, &print_term(&arena, initial), ":init true");
    define(&mut text, "trans", &Sort::Bool, &print_term(&arena, relation), ":trans true");
    for (index, &property) in properties.iter().enumerate() {
        let annotation = format!(":invar-property {index}");
        define(
            &mut text,
            &format!("property{index}"),
            &Sort::Bool,
            &print_term(&arena, property),
            &annotation,
        );
    }
    text.push_str("(assert true)\n");
    Ok(text)
}

/// Sorts and functions of the program.
fn declarations(program: &Program, arena: &Arena, terms: &[Term], text: &mut String) {
    for sort in own_sorts(program) {
        let _ = writeln!(text, "(declare-sort {} 0)", quote_symbol(&sort));
    }
    let mut functions = BTreeMap::new();
    let mut stack = terms.to_vec();
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            if let Op::Apply(symbol) = arena.op(term) {
                let signature = arena.signature(symbol);
                functions.insert(signature.name.to_string(), signature.clone());
            }
            stack.extend_from_slice(arena.children(term));
        }
    }
    for (name, signature) in functions {
        let arguments: Vec<String> = signature.arguments.iter().map(ToString::to_string).collect();
        let name = quote_symbol(&name);
        let _ = writeln!(text, "(declare-fun {name} ({}) {})", arguments.join(" "), signature.result);
    }
}

fn name(arena: &Arena, variable: Term) -> String {
    quote_symbol(arena.name(variable).unwrap_or_default())
}

fn declare(text: &mut String, arena: &Arena, variable: Term) {
    let _ = writeln!(text, "(declare-fun {} () {})", name(arena, variable), arena.sort(variable));
}
