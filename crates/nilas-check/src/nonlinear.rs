//! Horn clauses with several predicates in a body: their predicates are procedures, and the engine that knows
//! these decides ([`Procedures`]).
//!
//! *Sat* is told with an interpretation of every predicate that was checked clause by clause, on the clauses
//! as read; *unsat* with a derivation, each fact of which was evaluated against its clause.

use crate::answer::{Goal, Shown, Standing};
use crate::check;
use crate::frames;
use crate::gate;
use crate::input::Input;
use crate::observer::Listener;
use crate::options::Options;
use crate::refusal::Refusal;
use crate::search::{Ended, Search};
use crate::system::{Unaccepted, no_derivation, overdue};
use nilas_engine::{EngineRef, Verdict};
use nilas_evidence::{Account, Contracts, Evidence, Rejection, check_contracts};
use nilas_smt::Budget;
use nilas_system::{Derivation, GoalId, Procedures, System};
use std::sync::Arc;

/// The engine that knows procedures.
pub(crate) const ENGINE: &str = "summaries";

/// What evidence says about the clauses as read.
pub(crate) enum Confirmed {
    /// An interpretation of all predicates.
    Interpreted(Box<Contracts>),
    Derived(Derivation),
    /// It is not known whether it holds of them.
    Undecided(String),
    /// There was none.
    Nothing,
}

impl Confirmed {
    /// Why an answer must not be told.
    pub(crate) fn undecided(self) -> Option<String> {
        match self {
            Confirmed::Undecided(why) => Some(why),
            _ => None,
        }
    }
}

/// Evidence about the program with procedures, on the clauses as they were read.
pub(crate) fn confirm(
    system: &System,
    goal: Option<GoalId>,
    input: &Input,
    verdict: &Verdict,
    budget: &Budget,
) -> Result<Confirmed, Refusal> {
    let procedures = Procedures::new(system, goal);
    match verdict {
        Verdict::Safe(Evidence::Contracts(contracts)) => {
            let Some(interpretation) = procedures.contracts(contracts) else {
                return Err(Refusal::internal("nilas: internal error: contracts are not of the clauses"));
            };
            match check_contracts(&procedures.module, &interpretation, budget, &mut Account::default()) {
                Ok(()) => Ok(Confirmed::Interpreted(Box::new(interpretation))),
                Err(Rejection::Undecided(why)) => {
                    Ok(Confirmed::Undecided(format!("a proof was found, but {}", gate::unchecked(&why))))
                }
                Err(why) => {
                    let message =
                        format!("nilas: internal error: a proof does not hold of the clauses as read: {why}");
                    Err(Refusal::internal(message))
                }
            }
        }
        Verdict::Safe(_) => Ok(Confirmed::Undecided("a proof was found that interprets no predicate".into())),
        Verdict::Unsafe(Evidence::Execution(execution)) => {
            let calls = input.calls.as_deref().ok_or_else(no_derivation)?;
            let derivation = procedures.derivation(system, &input.program, calls, execution);
            derivation.map(Confirmed::Derived).ok_or_else(no_derivation)
        }
        _ => Ok(Confirmed::Nothing),
    }
}

/// The answer for a goal of which nothing is known.
pub(crate) fn goal_answer(
    mut told: Goal,
    goal: GoalId,
    input: &Input,
    search: &Search<'_>,
    options: &Options,
    listener: &mut Listener<'_>,
) -> Result<(Goal, Unaccepted), Refusal> {
    let system = Arc::clone(&told.system);
    let number = search.plan.engines.iter().position(|engine| engine.name() == ENGINE);
    let Some(number) = number.filter(|_| !options.one_relation) else {
        let why = "a clause has several predicates in its body: the engine `summaries` decides such clauses";
        told.reason = Some(why.to_owned());
        return Ok((told, None));
    };
    let engines: [EngineRef; 1] = [search.plan.engines[number]];
    let mut search = *search;
    search.plan.engines = &engines;
    search.plan.tapes = search.plan.tapes.get(number..=number).unwrap_or_default();
    let module = Arc::new(Procedures::new(&system, Some(goal)).module);
    let input = match input.with_module(module, &search.session.budget()) {
        Ok(input) => input,
        Err(why) => {
            told.reason = Some(overdue(why));
            return Ok((told, None));
        }
    };
    let found = match search.run(input, listener, &mut |_, _| None)? {
        Ended::Found(found) => found,
        Ended::Reached(..) => return Err(Refusal::internal("nilas: internal error: no program was run")),
        Ended::Overdue(_, why) | Ended::Unread(_, why) => {
            told.reason = Some(overdue(why));
            return Ok((told, None));
        }
    };
    let Some(report) = found.reports.first() else {
        return Err(Refusal::internal("nilas: internal error: no engine ran"));
    };
    let verdict = &report.verdict;
    let confirmed = confirm(&system, Some(goal), &found.input, verdict, &search.session.budget())?;
    told.engine = Some(report.engine.name());
    let mut unaccepted = match verdict {
        Verdict::Unchecked { evidence, why } => Some((evidence.clone(), why.to_string())),
        _ => None,
    };
    match confirmed {
        Confirmed::Interpreted(interpretation) => {
            (told.standing, told.word) = (Standing::Safe, "sat");
            if options.model {
                let procedures = Procedures::new(&system, Some(goal));
                told.shown = procedures.print(&system, &interpretation).map(Shown::Model);
            }
        }
        Confirmed::Derived(derivation) => {
            (told.standing, told.word) = (Standing::Unsafe, "unsat");
            told.shown = Some(Shown::Derivation(derivation));
        }
        Confirmed::Undecided(why) => {
            if let Verdict::Safe(evidence) = verdict {
                unaccepted = Some((evidence.clone(), why.clone()));
            }
            told.reason = Some(why);
        }
        Confirmed::Nothing => {
            told.standing = Standing::of(verdict);
            let who = (report.engine.name(), report.engine_time);
            told.reason = Some(gate::reason(&found.input, verdict, who).text);
        }
    }
    let mut summary = check::summary(&found.input, report, &found.reports, found.trace);
    summary.frames = frames::of(&found.reports, options.frames);
    told.found = Some((Box::new(found.input), summary));
    Ok((told, unaccepted))
}
