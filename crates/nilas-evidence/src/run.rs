//! The only execution: a program in which no decision depends on an input is simply run.
//!
//! All variables start unknown, `havoc` makes them unknown again. At each fork all guards are evaluated:
//! exactly one way may be open, and which one it is must not depend on anything unknown. Then every execution
//! of the program goes this one way, and where it ends is where all of them end. No solver is involved.

use crate::check::Verdict;
use crate::rejection::Rejection;
use nilas_program::{ArcId, Automaton, EdgeId, LocationId, Machine, NodeId, Program};
use nilas_smt::{Budget, Reason};

/// Steps between two looks at the budget.
const POLL: u64 = 1 << 12;

/// How the only execution ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Safe if it ended before any sink.
    pub verdict: Verdict,
    /// Steps taken.
    pub steps: u64,
    /// The last arc tried, if the execution stopped at a failed assumption.
    pub stopped: Option<(EdgeId, ArcId)>,
    /// The last edge taken.
    pub last: Option<EdgeId>,
}

/// Runs a program whose executions all go the same way.
///
/// # Errors
/// When a decision depends on an input, or the budget ends first.
pub fn run(program: &Program, budget: &Budget) -> Result<Ended, Rejection> {
    let automaton = &program.automaton;
    let ways = Ways::new(automaton);
    let mut machine = Machine::new(program);
    let mut location = automaton.entry;
    let mut ended = Ended { verdict: Verdict::Safe, steps: 0, stopped: None, last: None };
    while !automaton.is_sink(location) {
        let Some((edge, first)) = ways.only(&mut machine, location, &mut ended.stopped)? else {
            return Ok(ended);
        };
        ended.last = Some(edge);
        // Edges that do nothing count as well: a loop of them is a loop.
        step(&mut ended.steps, budget)?;
        let command = &automaton.edge(edge).command;
        let mut arc = first;
        let mut node = command.start();
        while node != command.end() {
            step(&mut ended.steps, budget)?;
            let Some(taken) = arc else { break };
            machine.take(edge, taken, &mut |_, _| None);
            node = command.arc(taken).target;
            if node != command.end() {
                let outgoing = command.outgoing(node).map(|(id, _)| (edge, Some(id)));
                match only(&mut machine, outgoing, &mut ended.stopped)? {
                    Some((_, next)) => arc = next,
                    None => return Ok(ended),
                }
            }
        }
        location = automaton.edge(edge).target;
    }
    ended.verdict = if location == automaton.error { Verdict::Unsafe } else { Verdict::Unmodelled };
    Ok(ended)
}

/// Counts a step, and looks at the budget now and then.
fn step(steps: &mut u64, budget: &Budget) -> Result<(), Rejection> {
    *steps += 1;
    if !steps.is_multiple_of(POLL) {
        return Ok(());
    }
    budget.exhausted().map_or(Ok(()), |why| Err(Rejection::Undecided(Reason::Interrupted(why))))
}

/// An edge with the first arc of its command, if it has any.
pub(crate) type Way = (EdgeId, Option<ArcId>);

/// The ways out of every location.
pub(crate) struct Ways(Vec<Vec<Way>>);

impl Ways {
    pub(crate) fn new(automaton: &Automaton) -> Self {
        let mut ways = vec![Vec::new(); automaton.locations.len()];
        for id in automaton.edge_ids() {
            let edge = automaton.edge(id);
            let out: &mut Vec<Way> = &mut ways[edge.source.index()];
            if edge.command.arcs().is_empty() {
                out.push((id, None));
            }
            out.extend(edge.command.outgoing(NodeId::new(0)).map(|(arc, _)| (id, Some(arc))));
        }
        Ways(ways)
    }

    /// The ways out of a location.
    pub(crate) fn of(&self, location: LocationId) -> impl Iterator<Item = Way> + '_ {
        self.0[location.index()].iter().copied()
    }

    fn only(
        &self,
        machine: &mut Machine<'_>,
        location: LocationId,
        stopped: &mut Option<(EdgeId, ArcId)>,
    ) -> Result<Option<Way>, Rejection> {
        only(machine, self.of(location), stopped)
    }
}

/// The only open way, or none.
fn only(
    machine: &mut Machine<'_>,
    ways: impl Iterator<Item = Way>,
    stopped: &mut Option<(EdgeId, ArcId)>,
) -> Result<Option<Way>, Rejection> {
    let undecided = |why: &str| Rejection::Undecided(Reason::Unsupported(why.into()));
    let mut open = None;
    let mut closed: Option<(EdgeId, ArcId)> = None;
    for (edge, arc) in ways {
        match arc.map_or(Some(true), |arc| machine.can_take(edge, arc)) {
            Some(true) if open.is_some() => {
                return Err(undecided("the program has a free choice"));
            }
            Some(true) => open = Some((edge, arc)),
            Some(false) => closed = arc.map(|arc| (edge, arc)),
            None => return Err(undecided("the way of the program depends on its inputs")),
        }
    }
    if open.is_none() {
        *stopped = closed;
    }
    Ok(open)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nilas_program::parse_program;
    use nilas_smt::Interrupt;
    use std::time::Instant;

    fn ended(text: &str, budget: &Budget) -> Result<Verdict, Rejection> {
        let program =
            parse_program(text).unwrap_or_else(|errors| panic!("{}", errors[0].render("text", text)));
        run(&program, budget).map(|ended| ended.verdict)
    }

    #[track_caller]
    fn check(text: &str, expected: Verdict) {
        assert_eq!(ended(text, &Budget::unlimited()), Ok(expected), "{text}");
    }

    #[track_caller]
    fn undecided(text: &str) {
        let found = ended(text, &Budget::unlimited());
        assert!(matches!(found, Err(Rejection::Undecided(Reason::Unsupported(_)))), "{found:?}: {text}");
    }

    const HEAD: &str =
        "var x, y : bv8 var a : array(bv8, bv8) entry s error e unmodelled u location s, l, m, e, u ";

    #[test]
    fn the_only_way_is_gone_to_its_end() {
        let count = "s -> l { x := 0 } l -> l { assume x <u 100; x := x + 1; a := `(store a x x)` } ";
        check(&format!("{HEAD}{count} l -> e {{ assume x == 101 }}"), Verdict::Safe);
        check(
            &format!("{HEAD}{count} l -> e {{ assume x == 100; assume `(= (select a x) x)` }}"),
            Verdict::Unsafe,
        );
        check(&format!("{HEAD}{count} l -> u {{ assume x == 100 }}"), Verdict::Unmodelled);
        // Unknown values that decide nothing do no harm.
        check(&format!("{HEAD} s -> l {{ havoc y; x := y * 0 }} l -> e {{ assume x != 0 }}"), Verdict::Safe);
    }

    #[test]
    fn inputs_and_choices_are_not_decided() {
        undecided(&format!("{HEAD} s -> e {{ assume x == 1 }}"));
        undecided(&format!("{HEAD} s -> l {{ x := 1 }} l -> m {{ havoc x }} m -> e {{ assume x == 1 }}"));
        undecided(&format!("{HEAD} s -> l {{ x := 1 }} l -> m {{ skip }} l -> e {{ assume x == 1 }}"));
        let stored = "s -> l { a := `(store a y x)`; x := `(select a #x01)` } ";
        undecided(&format!("{HEAD}{stored} l -> e {{ assume x == 1 }}"));
    }

    /// A loop of edges without any command must look at the budget, too.
    #[test]
    fn empty_loops_are_interrupted() {
        let budget = Budget { deadline: Some(Instant::now()), ..Budget::default() };
        let found = ended(&format!("{HEAD} s -> l l -> m m -> l"), &budget);
        assert_eq!(found, Err(Rejection::Undecided(Reason::Interrupted(Interrupt::Timeout))));
    }
}
