//! The builder alone: what becomes an edge, and what each way to cut executions off leaves behind.

use super::Builder;
use crate::property::{Claim, Properties, Property};
use crate::source::Span;
use nilas_program::Basic;
use nilas_term::Sort;

fn builder(check_undefined: bool) -> Builder {
    let properties = if check_undefined { Properties::undefined() } else { Properties::ASSERT };
    let mut build = Builder::new(Span::default(), 64, properties);
    build.here = Some(build.automaton.entry);
    build
}

#[test]
fn straight_lines_are_one_edge() {
    let mut build = builder(false);
    let (x, term) = build.new_variable("x", &Sort::BitVec(8));
    let one = build.arena.bv(8, 1);
    let next = build.arena.bv_add(term, one);
    build.assign(x, one);
    build.assign(x, next);
    let end = build.new_location();
    build.goto(end);
    assert_eq!(build.automaton.edges.len(), 1);
    assert!(!build.reachable());
}

#[test]
fn names_are_unique() {
    let mut build = builder(false);
    let (a, _) = build.new_variable("x", &Sort::Bool);
    let (b, _) = build.new_variable("x", &Sort::Bool);
    assert_ne!(build.variable_name(a), build.variable_name(b));
}

#[test]
fn undefined_is_an_assumption_or_an_error() {
    for check in [false, true] {
        let mut build = builder(check);
        let (_, condition) = build.new_variable("b", &Sort::Bool);
        build.defined(condition, Claim::new(Property::Division, "division by zero"));
        let end = build.new_location();
        build.goto(end);
        let error = build.automaton.error;
        let errors = build.automaton.edges.iter().filter(|edge| edge.target == error).count();
        assert_eq!(errors, usize::from(check));
        assert_eq!(build.undefined.len(), 1);
    }
}

#[test]
fn unmodelled_leads_to_its_sink_and_goes_on_elsewhere() {
    let mut build = builder(false);
    let (_, condition) = build.new_variable("b", &Sort::Bool);
    build.unmodelled_if(condition, "something");
    assert!(build.reachable());
    assert_eq!(build.places.len(), 1);
    build.unmodelled("something else");
    assert!(!build.reachable());
    assert_eq!(build.places.len(), 2);
}

#[test]
fn under_a_guard_an_assumption_is_an_implication() {
    let mut build = builder(false);
    let (_, guard) = build.new_variable("g", &Sort::Bool);
    let (_, condition) = build.new_variable("b", &Sort::Bool);
    build.guard = Some(guard);
    build.assume(condition);
    build.guard = None;
    let end = build.new_location();
    build.goto(end);
    let implied = build.arena.implies(guard, condition);
    let edge = &build.automaton.edges[0];
    assert!(edge.command.arcs().iter().any(|arc| arc.basic == Basic::Assume(implied)));
}
