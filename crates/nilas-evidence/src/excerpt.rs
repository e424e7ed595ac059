//! The steps of an execution that are told: all of a short one, the first and the last ones of a long one.
//!
//! Executions may have millions of steps. Nobody reads them, keeping them takes gigabytes, and printing them
//! would take longer than the search.

use crate::evidence::Execution;
use crate::rejection::Rejection;
use crate::replay::{Trace, TraceStep, follow, watch};
use crate::straight::initial;
use nilas_program::{ArcId, Basic, EdgeId, Machine, Program};
use nilas_smt::Budget;

/// Executions of up to so many steps are told as a whole, of longer ones half of it at either end.
const MOST: u64 = 20_000;

/// Runs an execution as [`replay`](crate::replay) does, and keeps the steps that are told.
///
/// # Errors
/// As [`replay`](crate::replay).
pub fn excerpt(program: &Program, execution: &Execution, budget: &Budget) -> Result<Trace, Rejection> {
    excerpt_of(program, execution, budget, MOST)
}

fn excerpt_of(
    program: &Program,
    execution: &Execution,
    budget: &Budget,
    most: u64,
) -> Result<Trace, Rejection> {
    let course = follow(program, execution, budget)?;
    let is_told = |step: u64| course.steps <= most || step < most / 2 || step >= course.steps - most / 2;
    let mut steps: Vec<TraceStep> = Vec::new();
    let mut last = None;
    let mut seen = |number: u64, edge: EdgeId, arc: Option<ArcId>, machine: &Machine<'_>| {
        if !is_told(number) {
            return;
        }
        if last.replace(number) != Some(number) {
            steps.push(TraceStep { edge, arcs: Vec::new(), changes: Vec::new(), inputs: Vec::new() });
        }
        let (Some(step), Some(arc)) = (steps.last_mut(), arc) else { return };
        step.arcs.push(arc);
        let basic = program.automaton.edge(edge).command.arc(arc).basic;
        if let Basic::Havoc(variable, site) = basic {
            step.inputs.extend(machine.value(variable).map(|value| (site, value)));
        }
        if let Basic::Havoc(variable, _) | Basic::Assign(variable, _) = basic
            && let Some(value) = machine.scalar(variable)
        {
            step.changes.retain(|(other, _)| *other != variable);
            step.changes.push((variable, value.clone()));
        }
    };
    watch(program, execution, budget, &mut seen)?;
    for step in &mut steps {
        step.changes.sort_by_key(|(variable, _)| *variable);
    }
    let omitted = course.steps - steps.len() as u64;
    Ok(Trace { verdict: course.verdict, initial: initial(program, execution), steps, omitted, course })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::replay;
    use nilas_program::parse_program;

    /// A short execution is told as it is replayed, of a long one both ends are.
    #[test]
    fn both_ends_are_told() {
        let program = parse_program(
            "var x, y : bv8 var a : array(bv8, bv8) entry s error e location s, b, c, e s -> b { havoc a; x := 0 } \
             b -> c c -> b { assume x <u 9; x := x + 1; havoc y; a := `(store a x y)` } c -> e { assume x == 9 }",
        );
        let (program, budget) = (program.unwrap(), Budget::unlimited());
        let whole = replay(&program, &Execution::default(), &budget).unwrap();
        assert_eq!(whole.steps.len(), 21);
        assert_eq!(excerpt_of(&program, &Execution::default(), &budget, 21), Ok(whole.clone()));
        let part = excerpt_of(&program, &Execution::default(), &budget, 6).unwrap();
        assert_eq!((part.steps.len(), part.omitted), (6, 15));
        assert_eq!((&part.steps[..3], &part.steps[3..]), (&whole.steps[..3], &whole.steps[18..]));
        assert_eq!(part.course, whole.course);
    }
}
