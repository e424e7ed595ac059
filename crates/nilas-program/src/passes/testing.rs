//! Tests of single passes: text in, text out.

use super::flow::Flow;
use crate::automaton::Program;
use crate::command::Basic;
use crate::parse_program;
use crate::text::print_expression;
use nilas_term::Interrupt;

/// A program of these edges, from `a` to `e`.
pub(crate) fn program(edges: &str) -> Program {
    let text = format!(
        "var x, y, z : bv8\nvar p, q : bool\nentry a\nerror e\nunmodelled u\nlocation a, b, c, d, e, f, g, h, u\n{edges}"
    );
    parse_program(&text).unwrap_or_else(|errors| panic!("{}", errors[0].render("edges", &text)))
}

/// The arcs of a graph, one per line, sorted.
fn arcs(flow: &Flow<'_>) -> String {
    let locations = &flow.old.locations;
    let node = |id: crate::LocationId| match locations.get(id.index()) {
        Some(location) => location.name.clone(),
        None => format!("{}", id.index() - locations.len()),
    };
    let term = |term| print_expression(&flow.arena, term);
    let variable = |id| &flow.old.variable(id).name;
    let mut lines: Vec<String> = flow
        .arcs
        .iter()
        .map(|arc| {
            let basic = match arc.basic {
                Basic::Skip => "skip".to_owned(),
                Basic::Assume(condition) => format!("assume {}", term(condition)),
                Basic::Assign(target, value) => format!("{} := {}", variable(target), term(value)),
                Basic::Havoc(target, _) => format!("havoc {}", variable(target)),
            };
            format!("{} -> {}: {basic}\n", node(arc.source), node(arc.target))
        })
        .collect();
    lines.sort();
    lines.concat()
}

/// A pass makes `after` of `before`, and says that it did something.
#[track_caller]
pub(crate) fn check_pass(pass: impl Fn(&mut Flow<'_>) -> Result<bool, Interrupt>, before: &str, after: &str) {
    let (before, after) = (program(before), program(after));
    let mut flow = Flow::new(&before);
    assert!(pass(&mut flow) == Ok(true), "nothing happened:\n{}", arcs(&flow));
    assert_eq!(arcs(&flow), arcs(&Flow::new(&after)));
}

/// A pass finds nothing to do.
#[track_caller]
pub(crate) fn no_change(pass: impl Fn(&mut Flow<'_>) -> Result<bool, Interrupt>, text: &str) {
    let program = program(text);
    let mut flow = Flow::new(&program);
    let before = arcs(&flow);
    let changed = pass(&mut flow);
    assert_eq!(arcs(&flow), before);
    assert!(changed == Ok(false), "says that it did something");
}
