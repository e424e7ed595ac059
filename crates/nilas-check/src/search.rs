//! Engines at work on a program, again and again while a bound of the lowering is in their way; and what is
//! admitted of what they find.

use crate::gate;
use crate::input::{Input, Stop};
use crate::limits::Until;
use crate::models::{Model, Models};
use crate::observer::{Listener, Warning};
use crate::portfolio::{self, Plan, Run};
use crate::refusal::Refusal;
use crate::session::Session;
use crate::turns;
use nilas_c::Bound;
use nilas_engine::{Report, Unknown, Verdict};
use nilas_evidence::{Trace, follow};
use nilas_report::Reached;
use nilas_smt::Interrupt;
use nilas_smt::record::Tape;
use std::time::Duration;

/// One part in so many of the time that is left goes into a slice of a program.
const SLICE: u32 = 4;
/// But no more than this: slices find no executions, and programs that have one wait for the whole.
const LONGEST_SLICE: Duration = Duration::from_secs(8);

/// How to search.
#[derive(Clone, Copy)]
pub(crate) struct Search<'a> {
    pub(crate) plan: Plan<'a>,
    pub(crate) session: &'a Session,
}

/// What the engines found, on the program as it was lowered last.
pub(crate) struct Found {
    pub(crate) input: Input,
    /// The reports, the one that decides first.
    pub(crate) reports: Vec<Report>,
    /// What the execution does that decides.
    pub(crate) trace: Option<Trace>,
    /// An execution of less doubt may be found where unknown functions do less.
    pub(crate) less: bool,
    /// Inputs of executions that rely on what nobody knows; they may lead to the error all the same.
    pub(crate) doubtful: Vec<Model>,
    /// Inputs in the models of the engines.
    pub(crate) models: Models,
}

/// Runs the program in C, with inputs that may lead to the error. An execution that only a lack of memory in
/// the model keeps from being one says where to look, and looking costs less than a model of all memory.
pub(crate) type Hunt<'a> = &'a mut dyn FnMut(&Input, &[Model]) -> Option<Reached>;

/// How a search ended.
pub(crate) enum Ended {
    Found(Found),
    /// An execution of the C program reached the error.
    Reached(Box<Input>, Reached),
    /// A limit was reached while the engines ran.
    Overdue(Box<Input>, Interrupt),
    /// A limit was reached while the program was lowered again. The input is that of before.
    Unread(Box<Input>, Interrupt),
}

impl<'a> Search<'a> {
    /// The same that ends earlier: by the time that the limits measure, or by the work that stands for that
    /// time where turns are taken.
    pub(crate) fn within(&self, slice: Option<Duration>) -> Search<'a> {
        let plan = match self.plan.deterministic {
            true => Plan { work: slice.map(turns::work), ..self.plan },
            false => Plan { until: slice.map(|slice| self.session.limits().until(slice)), ..self.plan },
        };
        Search { plan, session: self.session }
    }

    /// What to run on a slice: a part of the time that is left.
    fn plan_of_slice(&self) -> Plan<'a> {
        let part = self.left().map_or(LONGEST_SLICE, |left| (left / SLICE).min(LONGEST_SLICE));
        let plan = self.within(Some(part)).plan;
        let until = plan.until.into_iter().chain(self.plan.until).min_by_key(|until| until.left());
        let work = plan.work.into_iter().chain(self.plan.work).min();
        Plan { until, work, ..plan }
    }

    /// The time that is left, if there is a limit. Where turns are taken, what is left is not looked at: that
    /// would be another time each time.
    pub(crate) fn left(&self) -> Option<Duration> {
        let limits = self.session.limits();
        if self.plan.deterministic { limits.all() } else { limits.left() }
    }

    /// Asks several questions under one limit. Each has its part of the time that is left; those that are
    /// open then have what is left after that.
    pub(crate) fn each<Q: Copy, A>(
        &self,
        questions: &[Q],
        mut ask: impl FnMut(&Search<'a>, Q) -> Result<A, Refusal>,
        is_open: impl Fn(&A) -> bool,
    ) -> Result<Vec<A>, Refusal> {
        let mut answers = Vec::new();
        let slice = |search: &Self, waiting: usize| {
            let waiting = u32::try_from(waiting).unwrap_or(u32::MAX);
            search.left().filter(|_| waiting > 1).map(|left| left / waiting)
        };
        for (at, &question) in questions.iter().enumerate() {
            let search = self.within(slice(self, questions.len() - at));
            answers.push(ask(&search, question)?);
        }
        let mut open: Vec<usize> = (0..answers.len()).filter(|&at| is_open(&answers[at])).collect();
        // The last one had all that was left; without a limit, everyone had.
        if questions.len() < 2 || self.left().is_none() {
            open.clear();
        }
        while let Some(at) = open.first().copied() {
            if self.session.limits().overdue().is_some()
                || self.session.limits().left() == Some(Duration::ZERO)
            {
                break;
            }
            let search = self.within(slice(self, open.len()));
            answers[at] = ask(&search, questions[at])?;
            open.remove(0);
        }
        Ok(answers)
    }

    /// Runs the engines, again and again while a bound of the lowering is in their way.
    pub(crate) fn run(
        &self,
        mut input: Input,
        listener: &mut Listener<'_>,
        hunt: Hunt<'_>,
    ) -> Result<Ended, Refusal> {
        let Search { plan, session } = self;
        loop {
            // They speak about this lowering only.
            let models = Models::default();
            let cut = |report: &Report| bound(&input, report).is_some();
            // A slice that engines are stuck with is none to stay with.
            let sliced = input.is_sliced();
            let until = plan.until;
            let plan = if sliced { self.plan_of_slice() } else { *plan };
            if listener.observer.wants_events() {
                listener.observer.event(&input.size());
            }
            let ended = portfolio::run(
                &input.program,
                input.calls.as_ref(),
                plan,
                session,
                models.clone(),
                listener,
                &cut,
            );
            if let Some(error) = plan.tapes.first().and_then(Tape::error) {
                listener.warn(Warning::Unrecorded(error.clone()));
            }
            let is_over = || session.limits().overdue().is_some() || until.is_some_and(Until::has_passed);
            let decides = |report: &Report| {
                let verdict = &report.verdict;
                !matches!(verdict, Verdict::Unknown(_) | Verdict::Unchecked { .. }) || cut(report)
            };
            let stuck = match &ended {
                Run::Reports(reports) => !reports.iter().any(decides),
                Run::Overdue(_) => true,
                Run::Died => false,
            };
            if sliced && stuck && !is_over() {
                match input.raise(Bound::Slice, &session.budget()) {
                    Ok(()) => continue,
                    Err(Stop::Interrupted(why)) => return Ok(Ended::Unread(Box::new(input), why)),
                    Err(Stop::Refused(refusal)) => return Err(refusal),
                }
            }
            let reports = match ended {
                Run::Reports(reports) => reports,
                Run::Overdue(why) => return Ok(Ended::Overdue(Box::new(input), why)),
                Run::Died => return Err(Refusal::internal("nilas: internal error: an engine died")),
            };
            let (mut less, mut doubtful, mut traces) = (false, Vec::new(), Vec::new());
            let mut admit = |report: Report| {
                let admitted = gate::admit(&input, report.verdict, report.stopped, &session.budget());
                less |= admitted.less;
                doubtful.extend(admitted.doubtful);
                traces.push(admitted.trace);
                Report { verdict: admitted.verdict, ..report }
            };
            let reports: Vec<Report> = reports.into_iter().map(&mut admit).collect();
            // An execution that only a bound of the lowering cut off: the bound is raised.
            let raise = reports.first().and_then(|report| bound(&input, report));
            match raise {
                Some(bound) if !is_over() => {
                    if bound == Bound::Memory {
                        let mut inputs = inputs(&input, &reports, session);
                        inputs.extend(models.take());
                        if let Some(reached) = hunt(&input, &inputs) {
                            return Ok(Ended::Reached(Box::new(input), reached));
                        }
                    }
                    match input.raise(bound, &session.budget()) {
                        Ok(()) => {}
                        Err(Stop::Interrupted(why)) => return Ok(Ended::Unread(Box::new(input), why)),
                        Err(Stop::Refused(refusal)) => return Err(refusal),
                    }
                }
                _ => {
                    let trace = traces.into_iter().next().flatten();
                    return Ok(Ended::Found(Found { input, reports, trace, less, doubtful, models }));
                }
            }
        }
    }
}

/// The inputs of executions that leave what is modelled.
fn inputs(input: &Input, reports: &[Report], session: &Session) -> Vec<Model> {
    let executions = reports.iter().filter_map(|report| match &report.verdict {
        Verdict::Unknown(Unknown::Unmodelled { execution, .. }) => Some(execution),
        _ => None,
    });
    let follow = |execution| follow(&input.program, execution, &session.budget()).ok();
    executions.filter_map(|execution| follow(execution).map(|course| course.inputs)).collect()
}

/// The bound of the lowering that an execution of the report ran into.
fn bound(input: &Input, report: &Report) -> Option<Bound> {
    match &report.verdict {
        Verdict::Unknown(Unknown::Unmodelled { edge, .. }) => input.bound(*edge),
        _ => None,
    }
}
