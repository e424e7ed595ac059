//! Engines at work on a program, again and again while a bound of the lowering is in their way; and what is
//! admitted of what they find.

use crate::gate;
use crate::input::{Input, Stop};
use crate::models::{Model, Models};
use crate::observer::{Listener, Warning};
use crate::portfolio::{self, Plan, Run};
use crate::refusal::Refusal;
use crate::session::Session;
use nilas_c::Bound;
use nilas_engine::{Report, Unknown, Verdict};
use nilas_evidence::{Trace, follow};
use nilas_report::Reached;
use nilas_smt::Interrupt;
use nilas_smt::record::Tape;
use std::time::Instant;

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
    /// A limit was reached while the program was lowered again.
    Unread(Interrupt),
}

impl<'a> Search<'a> {
    /// The same that ends earlier.
    pub(crate) fn within(&self, until: Option<Instant>) -> Search<'a> {
        Search { plan: Plan { until, ..self.plan }, session: self.session }
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
            let ended = portfolio::run(
                &input.program,
                input.calls.as_ref(),
                *plan,
                session,
                models.clone(),
                listener,
                &cut,
            );
            if let Some(error) = plan.tapes.first().and_then(Tape::error) {
                listener.warn(Warning::Unrecorded(error.clone()));
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
                Some(bound)
                    if session.limits().overdue().is_none()
                        && plan.until.is_none_or(|until| Instant::now() < until) =>
                {
                    if bound == Bound::Memory {
                        let mut inputs = inputs(&input, &reports, session);
                        inputs.extend(models.take());
                        if let Some(reached) = hunt(&input, &inputs) {
                            return Ok(Ended::Reached(Box::new(input), reached));
                        }
                    }
                    match input.raise(bound, &session.budget()) {
                        Ok(()) => {}
                        Err(Stop::Interrupted(why)) => return Ok(Ended::Unread(why)),
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
