//! Replaying on the machine: straight ahead, without search.
//!
//! Where only one way is open, the execution goes it; where several are, the hint decides. Executions of C
//! programs fork only on values, so this is how nearly all of them are replayed, millions of steps in
//! seconds. Where it does not lead to a sink, the [replayer](crate::replay) searches, and says what is wrong.
//!
//! The same walk tells what an execution depends on: with some of its choices taken back ([`replay_with`]),
//! does it still end in the error?

use crate::check::Verdict;
use crate::evidence::{Execution, Step};
use crate::record::{Arcs, Course, Record, Seen, Steps, Watched};
use crate::replay::Trace;
use crate::run::Ways;
use nilas_program::{ArcId, Automaton, Basic, EdgeId, HavocSite, Machine, Program, VarId};
use nilas_smt::Budget;
use nilas_term::Value;

/// How much longer than its hint an execution may be.
const SPARE_STEPS: u64 = 1 << 16;

/// Steps between two looks at the budget.
const POLL: u64 = 1 << 10;

/// What becomes of an execution's choice at a `havoc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// It stands.
    Made,
    /// The value is any: what depends on it is not decided.
    Open,
    /// The variable keeps the value that it had before.
    Kept,
}

/// Runs an execution with some of its choices taken back. The execution that still ends in the error, with
/// the values that were kept written down; `None` if it does not get there, or the way depends on what is
/// open.
#[must_use]
pub fn replay_with(
    program: &Program,
    execution: &Execution,
    choice: &dyn Fn(HavocSite) -> Choice,
    budget: &Budget,
) -> Option<Execution> {
    let mut taken = Arcs::default();
    let Walked { verdict, steps, kept } = walk(program, execution, choice, budget, &mut taken)?;
    if verdict != Verdict::Unsafe {
        return None;
    }
    let mut havocs = execution.havocs.clone();
    havocs.extend(kept);
    Some(Execution { initial: execution.initial.clone(), havocs, path: taken.path, steps: Some(steps) })
}

/// The trace of an execution, if going straight ahead leads to a sink.
pub(crate) fn replay(program: &Program, execution: &Execution, budget: &Budget) -> Option<Trace> {
    let mut steps = Steps::default();
    let walked = walk(program, execution, &|_| Choice::Made, budget, &mut steps)?;
    Some(Trace::new(&program.automaton, walked.verdict, initial(program, execution), steps.steps))
}

/// The course of an execution, in the same way.
pub(crate) fn follow(program: &Program, execution: &Execution, budget: &Budget) -> Option<Course> {
    let mut course = Course::new(&program.automaton);
    let walked = walk(program, execution, &|_| Choice::Made, budget, &mut course)?;
    (course.verdict, course.steps) = (walked.verdict, walked.steps);
    Some(course)
}

/// Calls `seen` after each arc, with the number of the step; whether that led to a sink.
pub(crate) fn watch(program: &Program, execution: &Execution, budget: &Budget, seen: &mut Seen<'_>) -> bool {
    walk(program, execution, &|_| Choice::Made, budget, &mut Watched { number: 0, seen }).is_some()
}

/// Values that variables kept, by site and occurrence.
type Kept = Vec<((HavocSite, u64), Value)>;

/// Where a walk ended.
struct Walked {
    verdict: Verdict,
    steps: u64,
    kept: Kept,
}

/// The values at the entry.
pub(crate) fn initial(program: &Program, execution: &Execution) -> Vec<Value> {
    let automaton = &program.automaton;
    let value = |id: VarId| {
        let given = execution.initial.get(&id).cloned();
        given.unwrap_or_else(|| Value::default_of(&automaton.variable(id).sort))
    };
    automaton.variable_ids().map(value).collect()
}

fn walk(
    program: &Program,
    execution: &Execution,
    choice: &dyn Fn(HavocSite) -> Choice,
    budget: &Budget,
    record: &mut impl Record,
) -> Option<Walked> {
    let automaton = &program.automaton;
    if !well_sorted(automaton, execution) {
        return None;
    }
    let mut machine = Machine::new(program);
    for (id, value) in automaton.variable_ids().zip(initial(program, execution)) {
        machine.set(id, Some(value));
    }
    let mut kept = Vec::new();
    let mut choose = |site: HavocSite, occurrence: u64| {
        if choice(site) == Choice::Open {
            return None;
        }
        let sort = &automaton.variable(automaton.havoc(site).variable).sort;
        Some(execution.havocs.get(&(site, occurrence)).cloned().unwrap_or_else(|| Value::default_of(sort)))
    };
    let longest = execution.steps.unwrap_or(0).max(execution.path.len() as u64).saturating_add(SPARE_STEPS);
    let ways = Ways::new(automaton);
    let mut hints = Hints::new(automaton, execution);
    let mut steps: u64 = 0;
    let mut location = automaton.entry;
    while !automaton.is_sink(location) {
        if steps.is_multiple_of(POLL) && (steps > longest || budget.exhausted().is_some()) {
            return None;
        }
        let hint = hints.next(location.index());
        let open = ways.of(location).filter(|way| is_open(&mut machine, *way));
        let (edge, first) = prefer(open, |(edge, arc)| {
            hint.is_some_and(|hint| hint.edge == *edge && arc.is_none_or(|arc| hint.arcs.contains(&arc)))
        })?;
        let hint = hint.filter(|hint| hint.edge == edge);
        hints.used(hint.is_some(), location.index());
        let command = &automaton.edge(edge).command;
        let mut node = command.start();
        let mut next = first;
        while node != command.end() {
            let id = next?;
            let arc = command.arc(id);
            let input = match arc.basic {
                Basic::Havoc(variable, site) if choice(site) == Choice::Kept => {
                    let place = machine.keep(edge, id)?;
                    // A value that is open decides nothing: any will do.
                    kept.extend(machine.value(variable).map(|value| (place, value)));
                    None
                }
                _ => machine.take(edge, id, &mut choose),
            };
            record.arc(edge, id, input.and_then(|(site, value)| Some((site, value?))), &machine);
            node = arc.target;
            let open = command.outgoing(node).map(|(id, _)| id);
            let open = open.filter(|&arc| is_open(&mut machine, (edge, Some(arc))));
            next = prefer(open, |arc| hint.is_some_and(|hint| hint.arcs.contains(arc)));
        }
        record.edge(automaton, edge, &machine);
        steps += 1;
        location = automaton.edge(edge).target;
    }
    let verdict = if location == automaton.error { Verdict::Unsafe } else { Verdict::Unmodelled };
    Some(Walked { verdict, steps, kept })
}

fn is_open(machine: &mut Machine<'_>, (edge, arc): (EdgeId, Option<ArcId>)) -> bool {
    arc.is_none_or(|arc| machine.can_take(edge, arc) == Some(true))
}

/// The first that is preferred, or else the first.
fn prefer<T>(mut open: impl Iterator<Item = T>, preferred: impl Fn(&T) -> bool) -> Option<T> {
    let first = open.next()?;
    if preferred(&first) {
        return Some(first);
    }
    Some(open.find(preferred).unwrap_or(first))
}

/// Values that have the sort of their variable, and sites that exist.
fn well_sorted(automaton: &Automaton, execution: &Execution) -> bool {
    let fits = |id: VarId, value: &Value| {
        automaton.variables.get(id.index()).is_some_and(|variable| variable.sort == value.sort())
    };
    let known = |site: HavocSite| automaton.havocs.get(site.index());
    execution.initial.iter().all(|(&id, value)| fits(id, value))
        && execution
            .havocs
            .iter()
            .all(|(&(site, _), value)| known(site).is_some_and(|havoc| fits(havoc.variable, value)))
}

/// The steps of an execution's path, by the location they leave; each is used at most once, and in order.
struct Hints<'e> {
    path: &'e [Step],
    leaving: Vec<Vec<usize>>,
    /// Steps before this one are used up.
    position: usize,
}

impl<'e> Hints<'e> {
    fn new(automaton: &Automaton, execution: &'e Execution) -> Self {
        let mut leaving = vec![Vec::new(); automaton.locations.len()];
        for (index, step) in execution.path.iter().enumerate() {
            if let Some(edge) = automaton.edges.get(step.edge.index()) {
                leaving[edge.source.index()].push(index);
            }
        }
        Hints { path: &execution.path, leaving, position: 0 }
    }

    fn index(&self, location: usize) -> Option<usize> {
        let leaving = &self.leaving[location];
        leaving.get(leaving.partition_point(|&index| index < self.position)).copied()
    }

    fn next(&self, location: usize) -> Option<&'e Step> {
        self.index(location).map(|index| &self.path[index])
    }

    fn used(&mut self, used: bool, location: usize) {
        if let Some(index) = self.index(location).filter(|_| used) {
            self.position = index + 1;
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use nilas_program::parse_program;

    /// Sites: 0 is `x`, 1 is `y`, 2 is `a`.
    const HEAD: &str = "var x, y : bv8 var a : array(bv8, bv8) entry s error e location s, l, m, e
        s -> l { x := 1; y := 2; a := `(store a #x00 #x05)`; havoc x; havoc y; havoc a } ";

    #[track_caller]
    fn still(text: &str, values: &[(usize, u64)], choices: [Choice; 3]) -> Option<Execution> {
        let text = format!("{HEAD}{text}");
        let program = parse_program(&text).unwrap();
        let value = |&(site, value): &(usize, u64)| {
            ((HavocSite::new(site), 0), Value::BitVec(nilas_term::BitVec::new(8, value)))
        };
        let execution = Execution { havocs: values.iter().map(value).collect(), ..Execution::default() };
        let found = replay_with(&program, &execution, &|site| choices[site.index()], &Budget::unlimited())?;
        // What comes out is evidence by itself.
        assert_eq!(replay(&program, &found, &Budget::unlimited()).unwrap().verdict, Verdict::Unsafe);
        Some(found)
    }

    const MADE: Choice = Choice::Made;
    const OPEN: Choice = Choice::Open;
    const KEPT: Choice = Choice::Kept;

    #[test]
    fn choices_that_decide_nothing_may_be_open() {
        let text = "l -> e { assume x == 7 } l -> m { assume x != 7 }";
        assert!(still(text, &[(0, 7), (1, 3)], [MADE, OPEN, OPEN]).is_some());
        assert!(still(text, &[(0, 7), (1, 3)], [OPEN, MADE, MADE]).is_none());
        assert!(still("l -> e { assume x == y }", &[(0, 3), (1, 3)], [MADE, OPEN, MADE]).is_none());
    }

    #[test]
    fn kept_values_are_written_down() {
        let text = "l -> e { assume x == 7; assume y == 2 } l -> m { assume y != 2 }";
        assert!(still(text, &[(0, 7), (1, 9)], [MADE, MADE, MADE]).is_none());
        let found = still(text, &[(0, 7), (1, 9)], [MADE, KEPT, KEPT]).unwrap();
        let two = Value::BitVec(nilas_term::BitVec::new(8, 2));
        assert_eq!(found.havocs[&(HavocSite::new(1), 0)], two);
        assert!(still(text, &[(0, 7), (1, 2)], [KEPT, KEPT, KEPT]).is_none());
    }

    #[test]
    fn arrays_are_kept_whole() {
        let text = "l -> e { assume `(= (select a #x00) #x05)` }";
        assert!(still(text, &[], [MADE, MADE, MADE]).is_none());
        assert!(still(text, &[], [MADE, MADE, KEPT]).is_some());
        assert!(still(text, &[], [MADE, MADE, OPEN]).is_none());
    }
}
