//! The replayer: runs an execution from the entry to a sink, with the interpreter alone.

use crate::check::Verdict;
use crate::evidence::{Execution, Step};
use crate::record::{Course, Seen};
use crate::rejection::Rejection;
use crate::straight;
use nilas_program::interpret::{Interpreter, Step as Taken};
use nilas_program::{ArcId, Automaton, EdgeId, HavocSite, LocationId, Program, VarId};
use nilas_smt::{Budget, Reason};
use nilas_term::Value;
use std::collections::{BTreeMap, HashSet};

/// An execution as it happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Where it ended.
    pub verdict: Verdict,
    /// The values of all variables at the entry.
    pub initial: Vec<Value>,
    /// The edges taken: all of them, or the first and the last ones.
    pub steps: Vec<TraceStep>,
    /// How many are left out in the middle of them.
    pub omitted: u64,
    /// What holds of all of them.
    pub course: Course,
}

impl Trace {
    pub(crate) fn new(
        automaton: &Automaton,
        verdict: Verdict,
        initial: Vec<Value>,
        steps: Vec<TraceStep>,
    ) -> Self {
        let course = Course::of(automaton, verdict, &steps);
        Trace { verdict, initial, steps, omitted: 0, course }
    }
}

/// One edge of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceStep {
    /// The edge.
    pub edge: EdgeId,
    /// The arcs of its command.
    pub arcs: Vec<ArcId>,
    /// Variables that have another value after it, at least; arrays may be left out.
    pub changes: Vec<(VarId, Value)>,
    /// The values of the `havoc`s on the way.
    pub inputs: Vec<(HavocSite, Value)>,
}

/// Runs an execution. The path it names is only a hint, and may have gaps: where it does not fit, the first
/// edge that can be taken is. Should that end elsewhere than in a sink, other edges are tried, within bounds.
///
/// # Errors
/// When it does not get to a sink in as many steps as it says, or the budget ends first.
pub fn replay(program: &Program, execution: &Execution, budget: &Budget) -> Result<Trace, Rejection> {
    let trace = match straight::replay(program, execution, budget) {
        Some(trace) => trace,
        None => search(program, execution, budget)?,
    };
    is_as_long(trace.steps.len() as u64, execution).map(|()| trace)
}

/// Runs an execution in the same way, and keeps little of it: memory does not grow with its length.
///
/// # Errors
/// As [`replay`].
pub fn follow(program: &Program, execution: &Execution, budget: &Budget) -> Result<Course, Rejection> {
    let course = match straight::follow(program, execution, budget) {
        Some(course) => course,
        None => search(program, execution, budget)?.course,
    };
    is_as_long(course.steps, execution).map(|()| course)
}

/// Runs an execution that can be [followed](follow), and calls `seen` after each arc.
///
/// # Errors
/// As [`replay`].
pub fn watch(
    program: &Program,
    execution: &Execution,
    budget: &Budget,
    seen: &mut Seen<'_>,
) -> Result<(), Rejection> {
    let found = match straight::follow(program, execution, budget) {
        Some(_) => None,
        // With every step named there is nothing to search for.
        None => {
            let steps = search(program, execution, budget)?.steps;
            let path = steps.into_iter().map(|step| Step { edge: step.edge, arcs: step.arcs }).collect();
            Some(Execution { path, ..execution.clone() })
        }
    };
    if straight::watch(program, found.as_ref().unwrap_or(execution), budget, seen) {
        return Ok(());
    }
    let why = budget.exhausted().map_or(Reason::Failed("it was not followed".into()), Reason::Interrupted);
    Err(Rejection::Undecided(why))
}

fn is_as_long(taken: u64, execution: &Execution) -> Result<(), Rejection> {
    match execution.steps {
        Some(most) if taken > most => {
            let why = format!("it takes {taken} steps, more than the {most} it says");
            Err(Rejection::NotReached { why })
        }
        _ => Ok(()),
    }
}

/// Looks for the way where going straight ahead does not lead to a sink.
fn search(program: &Program, execution: &Execution, budget: &Budget) -> Result<Trace, Rejection> {
    let replayer = Replayer::new(program, execution, budget);
    match replayer.run(Mode::Straight) {
        Err(Rejection::NotReached { why }) => match replayer.run(Mode::Search) {
            Err(Rejection::NotReached { .. }) => Err(Rejection::NotReached { why }),
            other => other,
        },
        other => other,
    }
}

/// How much longer than its hint an execution may be.
const SPARE_STEPS: usize = 1 << 12;

/// How many steps a search for another way may take in all.
const SEARCH_STEPS: usize = 1 << 13;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// The first edge that can be taken is.
    Straight,
    /// Where there are several edges, come back and try the next one if need be.
    Search,
}

/// Where an execution is.
#[derive(Clone)]
struct Position<'a> {
    interpreter: Interpreter<'a>,
    location: LocationId,
    /// The hints before this one are used up.
    hint: usize,
}

/// A position with edges that were not tried yet, from number `next` on.
struct Open<'a> {
    position: Position<'a>,
    next: usize,
    steps: usize,
}

struct Replayer<'a> {
    program: &'a Program,
    execution: &'a Execution,
    budget: &'a Budget,
    outgoing: Vec<Vec<EdgeId>>,
    /// By location, which steps of the path leave it.
    hints: Vec<Vec<usize>>,
}

impl<'a> Replayer<'a> {
    fn new(program: &'a Program, execution: &'a Execution, budget: &'a Budget) -> Self {
        let automaton = &program.automaton;
        let mut outgoing = vec![Vec::new(); automaton.locations.len()];
        for id in automaton.edge_ids() {
            outgoing[automaton.edge(id).source.index()].push(id);
        }
        let mut hints = vec![Vec::new(); automaton.locations.len()];
        for (index, step) in execution.path.iter().enumerate() {
            if let Some(edge) = automaton.edges.get(step.edge.index()) {
                hints[edge.source.index()].push(index);
            }
        }
        Replayer { program, execution, budget, outgoing, hints }
    }

    fn run(&self, mode: Mode) -> Result<Trace, Rejection> {
        let Program { arena, automaton } = self.program;
        let initial: Vec<Value> = automaton
            .variable_ids()
            .map(|id| match self.execution.initial.get(&id) {
                Some(value) => value.clone(),
                None => Value::default_of(&automaton.variable(id).sort),
            })
            .collect();
        let failure = |why: String| Rejection::NotReached { why };
        let interpreter = Interpreter::new(arena, automaton, initial.clone())
            .map_err(|error| failure(error.to_string()))?;
        let mut at = Position { interpreter, location: automaton.entry, hint: 0 };
        let mut steps: Vec<TraceStep> = Vec::new();
        let mut open: Vec<Open<'_>> = Vec::new();
        let mut seen: HashSet<(LocationId, Vec<Value>, Vec<usize>)> = HashSet::new();
        let (mut next, mut tried) = (0, 0);
        while !automaton.is_sink(at.location) {
            if let Some(why) = self.budget.exhausted() {
                return Err(Rejection::Undecided(Reason::Interrupted(why)));
            }
            let before = (mode == Mode::Search).then(|| at.clone());
            let new = next > 0 || before.as_ref().is_none_or(|before| seen.insert(before.state(automaton)));
            let taken = if new { self.step(&mut at, next)? } else { None };
            if let Some((number, step)) = taken {
                if let Some(position) = before {
                    open.push(Open { position, next: number + 1, steps: steps.len() });
                }
                steps.push(step);
                next = 0;
                tried += 1;
            } else if let Some(last) = open.pop() {
                (at, next) = (last.position, last.next);
                steps.truncate(last.steps);
            } else {
                let name = &automaton.location(at.location).name;
                return Err(failure(format!("no edge can be taken at `{name}` after {} steps", steps.len())));
            }
            let most = if mode == Mode::Search { SEARCH_STEPS } else { SPARE_STEPS };
            if tried > self.execution.path.len() + most {
                return Err(failure(format!("no sink after {} steps", steps.len())));
            }
        }
        let verdict = if at.location == automaton.error { Verdict::Unsafe } else { Verdict::Unmodelled };
        Ok(Trace::new(automaton, verdict, initial, steps))
    }

    /// Takes the first edge that can be taken, of those from number `next` on: the one of the next hint that
    /// leaves the location, then the others in order.
    fn step(&self, at: &mut Position<'a>, next: usize) -> Result<Option<(usize, TraceStep)>, Rejection> {
        let automaton = &self.program.automaton;
        let before = at.interpreter.store().to_vec();
        let mut asked: BTreeMap<(HavocSite, usize), Value> = BTreeMap::new();
        let mut choose = |site: HavocSite, occurrence: usize| {
            let value = match self.execution.havocs.get(&(site, occurrence as u64)) {
                Some(value) => value.clone(),
                None => Value::default_of(&automaton.variable(automaton.havoc(site).variable).sort),
            };
            asked.insert((site, occurrence), value.clone());
            value
        };
        let hints = &self.hints[at.location.index()];
        let hint = hints.get(hints.partition_point(|&index| index < at.hint)).copied();
        let hinted = hint.map(|index| &self.execution.path[index]);
        let edges = hinted
            .map(|hint| hint.edge)
            .into_iter()
            .chain(self.outgoing[at.location.index()].iter().copied());
        for (number, edge) in edges.enumerate().skip(next) {
            let command = &automaton.edge(edge).command;
            let along = hinted.filter(|_| number == 0);
            let mut step = Ok(Taken::Blocked);
            if let Some(hint) = along {
                // Arcs that are no path of the command are treated like a way that is blocked, and are
                // preferred further on.
                step = at.interpreter.follow(command, &hint.arcs, &mut choose).or(Ok(Taken::Blocked));
            }
            if step == Ok(Taken::Blocked) {
                let preferred = along.map_or(&[][..], |hint| &hint.arcs);
                step = at.interpreter.run_over(command, preferred, &mut choose);
            }
            match step {
                Ok(Taken::Blocked) => {}
                Ok(Taken::Taken(arcs)) => {
                    let after = at.interpreter.store();
                    let changes = automaton
                        .variable_ids()
                        .filter(|id| before[id.index()] != after[id.index()])
                        .map(|id| (id, after[id.index()].clone()))
                        .collect();
                    // Values asked for on ways that were given up again are left out.
                    let passed = |site: &HavocSite, occurrence: &usize| {
                        *occurrence < at.interpreter.occurrences(*site)
                    };
                    let inputs = asked.into_iter().filter(|((site, occurrence), _)| passed(site, occurrence));
                    let inputs = inputs.map(|((site, _), value)| (site, value)).collect();
                    at.location = automaton.edge(edge).target;
                    if let (Some(_), Some(index)) = (along, hint) {
                        at.hint = index + 1;
                    }
                    return Ok(Some((number, TraceStep { edge, arcs, changes, inputs })));
                }
                Err(error) => return Err(Rejection::NotReached { why: error.to_string() }),
            }
        }
        Ok(None)
    }
}

impl Position<'_> {
    /// All that the rest of the execution depends on, but for the hints.
    fn state(&self, automaton: &Automaton) -> (LocationId, Vec<Value>, Vec<usize>) {
        let sites = (0..automaton.havocs.len()).map(HavocSite::new);
        let occurrences = sites.map(|site| self.interpreter.occurrences(site)).collect();
        (self.location, self.interpreter.store().to_vec(), occurrences)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use nilas_program::parse_program;

    fn program(text: &str) -> Program {
        parse_program(text).unwrap_or_else(|errors| panic!("{}", errors[0].render("text", text)))
    }

    fn edges(program: &Program, path: &[usize], arcs: &[usize]) -> Result<Vec<usize>, Rejection> {
        let arcs: Vec<ArcId> = arcs.iter().map(|&arc| ArcId::new(arc)).collect();
        let path =
            path.iter().map(|&edge| crate::Step { edge: EdgeId::new(edge), arcs: arcs.clone() }).collect();
        let execution = Execution { path, ..Execution::default() };
        let trace = replay(program, &execution, &Budget::unlimited())?;
        Ok(trace.steps.iter().map(|step| step.edge.index()).collect())
    }

    const FORK: &str = "var x : bv8 entry a error e location a, b, c, d, e a -> b { x := 1 } b -> c { x := 2 } b -> d { x := 3 } \
         c -> c { assume x == 2; x := 5 } d -> e { assume x == 3 }";

    #[test]
    fn a_path_with_gaps_is_enough() {
        let program = program(FORK);
        assert_eq!(edges(&program, &[0, 2, 4], &[0]), Ok(vec![0, 2, 4]));
        assert_eq!(edges(&program, &[2], &[0]), Ok(vec![0, 2, 4]));
        // An edge of the path that is not met does not hide the ones after it.
        assert_eq!(edges(&program, &[3, 2], &[0]), Ok(vec![0, 2, 4]));
    }

    #[test]
    fn without_a_path_other_ways_are_tried() {
        let program = program(FORK);
        assert_eq!(edges(&program, &[], &[]), Ok(vec![0, 2, 4]));
        assert_eq!(edges(&program, &[0, 1], &[0]), Ok(vec![0, 2, 4]));
        let never = self::program(
            "var x : bv8 entry a error e a -> b { x := 1 } b -> b { x := x + 1 } b -> e { assume x == 1 && x == 2 }",
        );
        assert!(matches!(edges(&never, &[], &[]), Err(Rejection::NotReached { .. })));
    }

    #[test]
    fn an_execution_is_as_long_as_it_says() {
        let program = program(FORK);
        let taken = |steps| {
            let execution = Execution { steps: Some(steps), ..Execution::default() };
            replay(&program, &execution, &Budget::unlimited()).map(|trace| trace.steps.len())
        };
        assert_eq!(taken(3), Ok(3));
        assert_eq!(taken(9), Ok(3), "no more than");
        assert!(matches!(taken(2), Err(Rejection::NotReached { why }) if why.contains("3 steps")));
    }

    /// What is kept of a long execution agrees with all of it, also where the way has to be searched for.
    #[test]
    fn the_course_is_that_of_the_trace() {
        let input = "var x, y : bv8 entry a error e location a, b, c, e a -> b { havoc x; y := x } b -> c \
             c -> c { assume y <u 3; y := y + 1 } c -> e { assume y == 3; havoc x }";
        for text in [FORK, input] {
            let (program, execution) = (program(text), Execution::default());
            let budget = Budget::unlimited();
            let trace = replay(&program, &execution, &budget).unwrap();
            let course = follow(&program, &execution, &budget).unwrap();
            assert_eq!((course.verdict, course.steps), (trace.verdict, trace.steps.len() as u64));
            let mut edges: Vec<EdgeId> = Vec::new();
            for step in &trace.steps {
                if !edges.contains(&step.edge) {
                    edges.push(step.edge);
                }
            }
            assert_eq!(course.edges, edges);
            assert_eq!(course.last, trace.steps.last().map(|step| step.edge));
            let inputs: Vec<_> = trace.steps.iter().flat_map(|step| step.inputs.clone()).collect();
            assert_eq!(course.inputs, inputs);
            let mut seen = Vec::new();
            let mut see = |number: u64, edge: EdgeId, arc: Option<ArcId>, _: &nilas_program::Machine<'_>| {
                seen.push((number, edge, arc));
            };
            watch(&program, &execution, &budget, &mut see).unwrap();
            let mut expected = Vec::new();
            for (number, step) in (0..).zip(&trace.steps) {
                if step.arcs.is_empty() {
                    expected.push((number, step.edge, None));
                }
                expected.extend(step.arcs.iter().map(|&arc| (number, step.edge, Some(arc))));
            }
            assert_eq!(seen, expected);
        }
    }

    /// Whoever follows an execution looks at the budget: it may have millions of steps.
    #[test]
    fn a_long_execution_ends_with_the_budget() {
        let program = program(
            "var x : bv64 entry a error e a -> b { x := 0 } b -> b { x := x + 1 } b -> e { assume x == 99999999999 }",
        );
        let cancelled = Budget::unlimited();
        cancelled.cancel.cancel(nilas_smt::Interrupt::Timeout);
        let execution = Execution { steps: Some(u64::MAX), ..Execution::default() };
        let undecided = Rejection::Undecided(Reason::Interrupted(nilas_smt::Interrupt::Timeout));
        assert_eq!(follow(&program, &execution, &cancelled), Err(undecided.clone()));
        assert_eq!(replay(&program, &execution, &cancelled), Err(undecided.clone()));
        assert_eq!(watch(&program, &execution, &cancelled, &mut |_, _, _, _| {}), Err(undecided));
    }

    #[test]
    fn some_arcs_of_a_command_are_preferred() {
        let program = program(
            "var x : bv8 entry a error e a -> b { { x := 1 } [] { x := 2 }; x := x + 1 } b -> e { assume x == 3 }",
        );
        assert_eq!(edges(&program, &[0], &[1]), Ok(vec![0, 1]));
    }
}
