//! Transition systems and Horn clauses: an answer per goal, in the words of the input.

use crate::answer::{Answer, Goal, Parts, Shown, Standing};
use crate::check::{self, several};
use crate::frames;
use crate::gate;
use crate::input::Input;
use crate::nonlinear;
use crate::observer::Listener;
use crate::options::Options;
use crate::refusal::Refusal;
use crate::search::{Ended, Search};
use nilas_engine::{EngineRef, Question, Unknown, Verdict, examine};
use nilas_evidence::{Account, Evidence};
use nilas_program::Program;
use nilas_smt::record::Tape;
use nilas_smt::{Budget, Interrupt};
use nilas_system::{
    Derivation, Form, Functional, GoalId, Interpretation, Layout, System, Unfolded, btor2, portable,
    to_automaton, to_plain_automaton,
};
use std::sync::Arc;

/// Checks all goals, one after the other.
pub(crate) fn check(
    system: &Arc<System>,
    input: Input,
    search: &Search<'_>,
    options: &Options,
    listener: &mut Listener<'_>,
) -> Result<Answer, Refusal> {
    let taking = |&number: &usize| match system.is_linear() {
        true => search.plan.engines[number].takes(Question::Clauses),
        false => search.plan.engines[number].name() == nonlinear::ENGINE,
    };
    let numbers: Vec<usize> = (0..search.plan.engines.len()).filter(taking).collect();
    let engines: Vec<EngineRef> = numbers.iter().map(|&number| search.plan.engines[number]).collect();
    let tapes: Vec<Tape> =
        numbers.iter().filter_map(|&number| search.plan.tapes.get(number).cloned()).collect();
    let mut search = *search;
    if !engines.is_empty() {
        (search.plan.engines, search.plan.tapes) = (&engines, &tapes);
    }
    let replacing = [("--one-relation", options.one_relation), ("--unfold", options.unfold)];
    if let Some((name, _)) = replacing.iter().find(|(_, given)| options.save && *given) {
        let message = format!("nilas: --evidence is about the automaton, which {name} replaces");
        return Err(Refusal::usage(message));
    }
    if options.save && system.goals.len() > 1 {
        let message = format!("nilas: --evidence takes one goal, this file has {}", system.goals.len());
        return Err(Refusal::usage(message));
    }
    let (mut goals, mut unaccepted) = (Vec::new(), None);
    let ids: Vec<GoalId> = system.goal_ids().collect();
    let ask = |search: &Search<'_>, goal| goal_answer(system, goal, &input, search, options, &mut *listener);
    let is_open = |(goal, _): &(Goal, Unaccepted)| goal.standing == Standing::Unknown;
    for (goal, undecided) in search.each(&ids, ask, is_open)? {
        listener.observer.goal(&goal);
        goals.push(goal);
        unaccepted = undecided;
    }
    Ok(Answer { parts: Parts::Goals(goals), unaccepted, ..Answer::of(input, several()) })
}

/// A goal of which nothing is known.
fn open(system: &Arc<System>, goal: GoalId, input: &Input) -> Goal {
    Goal {
        name: system.goals[goal.0].name.clone(),
        several: system.goals.len() > 1,
        system: Arc::clone(system),
        source: input.source.clone(),
        standing: Standing::Unknown,
        word: "unknown",
        engine: None,
        reason: None,
        shown: None,
        found: None,
    }
}

/// Evidence that was not accepted, and why not.
pub(crate) type Unaccepted = Option<(Evidence, String)>;

fn goal_answer(
    system: &Arc<System>,
    goal: GoalId,
    input: &Input,
    search: &Search<'_>,
    options: &Options,
    listener: &mut Listener<'_>,
) -> Result<(Goal, Unaccepted), Refusal> {
    let mut told = open(system, goal, input);
    if let Some(why) = &system.undecided {
        told.reason = Some(why.clone());
        return Ok((told, None));
    }
    if !system.is_linear() {
        return nonlinear::goal_answer(told, goal, input, search, options, listener);
    }
    let route = Route::new(system, goal, options);
    let found = match search.run(input.with_program(route.program().clone()), listener, &mut |_, _| None)? {
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
    let verdict = route.back(report.verdict.clone())?;
    let (confirmed, derivation) = match &verdict {
        Verdict::Unsafe(evidence) => (None, Some(route.derivation(system, evidence)?)),
        verdict => (route.confirm(system, goal, verdict, &search.session.budget())?, None),
    };
    let unaccepted = match (&verdict, &confirmed) {
        (Verdict::Safe(evidence), Some(why)) => Some((evidence.clone(), why.clone())),
        (Verdict::Unchecked { evidence, why }, _) => Some((evidence.clone(), why.to_string())),
        _ => None,
    };
    told.engine = Some(report.engine.name());
    match &verdict {
        _ if confirmed.is_some() => told.reason = confirmed,
        Verdict::Safe(evidence) => {
            told.standing = Standing::Safe;
            told.word = if system.form == Form::Horn { "sat" } else { "safe" };
            if options.model {
                let model = model(system, &route, evidence, &found.input, search, listener)?;
                told.shown = Some(Shown::Model(model));
            } else if system.form != Form::Horn {
                told.shown = Some(Shown::Invariant);
            }
        }
        Verdict::Unsafe(_) => {
            told.standing = Standing::Unsafe;
            told.word = if system.form == Form::Horn { "unsat" } else { "unsafe" };
            told.shown = derivation.map(|derivation| match system.form {
                Form::Btor2 => Shown::Witness(btor2::witness(system, goal, &system.inputs, &derivation)),
                Form::Horn | Form::Vmt => Shown::Derivation(derivation),
            });
        }
        verdict => {
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

/// How the clauses for a goal become an automaton for engines, and evidence comes back.
struct Route {
    /// The automaton with a location per predicate.
    layout: Layout,
    /// What engines get instead.
    instead: Instead,
}

/// Another form of the clauses.
enum Instead {
    Nothing,
    /// One relation.
    Functional(Box<Functional>),
    /// Control as locations.
    Unfolded(Box<Unfolded>),
}

impl Route {
    fn new(system: &System, goal: GoalId, options: &Options) -> Self {
        let layout = to_automaton(system, Some(goal));
        let instead = if options.one_relation {
            Instead::Functional(Box::new(Functional::new(system, &layout, goal)))
        } else {
            let unfolded = options.unfold.then(|| Unfolded::new(system, goal)).flatten();
            unfolded.map_or(Instead::Nothing, |unfolded| Instead::Unfolded(Box::new(unfolded)))
        };
        Route { layout, instead }
    }

    fn program(&self) -> &Program {
        match &self.instead {
            Instead::Nothing => &self.layout.program,
            Instead::Functional(functional) => functional.program(),
            Instead::Unfolded(unfolded) => unfolded.program(),
        }
    }

    /// Why a verdict must not be told, if so; see [`confirm`].
    fn confirm(
        &self,
        system: &System,
        goal: GoalId,
        verdict: &Verdict,
        budget: &Budget,
    ) -> Result<Option<String>, Refusal> {
        match (&self.instead, verdict) {
            (Instead::Unfolded(unfolded), Verdict::Safe(evidence)) => {
                // With a formula at every location each clause is a question of its own, and a small one. With
                // few formulas, long ways of clauses whose equations are not solved become one.
                let layout = unfolded.layout();
                let whole = Interpretation::new(layout, evidence).and_then(|it| it.evidence(layout));
                // The clauses as read may have cycles that solving has found impossible.
                let Some(whole) = whole else {
                    return Ok(Some("a proof was found, but not for every place of the control".into()));
                };
                holds(unfolded.plain(), layout, &whole, budget)
            }
            _ => confirm(system, Some(goal), &self.layout, verdict, budget),
        }
    }

    /// A verdict in which evidence of safety is about the layout.
    fn back(&self, verdict: Verdict) -> Result<Verdict, Refusal> {
        let Instead::Functional(functional) = &self.instead else { return Ok(verdict) };
        let carried = |evidence: Evidence| {
            functional.evidence(&self.layout, &evidence).ok_or_else(|| {
                Refusal::internal("nilas: internal error: a proof of the relation says nothing of its states")
            })
        };
        Ok(match verdict {
            Verdict::Safe(evidence) => Verdict::Safe(carried(evidence)?),
            other => other,
        })
    }

    /// An execution as a derivation by the clauses as read.
    fn derivation(&self, system: &System, evidence: &Evidence) -> Result<Derivation, Refusal> {
        match (&self.instead, evidence) {
            (Instead::Functional(functional), Evidence::Execution(execution)) => {
                functional.derivation(system, execution).ok_or_else(no_derivation)
            }
            (Instead::Unfolded(unfolded), Evidence::Execution(execution)) => {
                unfolded.derivation(system, execution).ok_or_else(no_derivation)
            }
            _ => derivation(system, &self.layout, evidence),
        }
    }
}

pub(crate) fn no_derivation() -> Refusal {
    Refusal::internal("nilas: internal error: an execution is no derivation by the clauses as read")
}

/// Why an answer must not be told: the engines' automaton has solved equations, evidence must hold of the
/// clauses as they were read. A proof is checked on them, an execution is evaluated against them.
pub(crate) fn confirm(
    system: &System,
    goal: Option<GoalId>,
    layout: &Layout,
    verdict: &Verdict,
    budget: &Budget,
) -> Result<Option<String>, Refusal> {
    let evidence = match verdict {
        Verdict::Safe(evidence) => evidence,
        Verdict::Unsafe(evidence) => return derivation(system, layout, evidence).map(|_| None),
        _ => return Ok(None),
    };
    holds(&to_plain_automaton(system, goal).program, layout, evidence, budget)
}

/// Why a proof does not hold, or is not known to, of an automaton with the clauses as read.
fn holds(
    plain: &Program,
    layout: &Layout,
    evidence: &Evidence,
    budget: &Budget,
) -> Result<Option<String>, Refusal> {
    let examined = |evidence: &Evidence| {
        examine(plain, portable(layout, evidence), budget, &mut Account::default()).verdict
    };
    let mut verdict = examined(evidence);
    if matches!(verdict, Verdict::Rejected { .. })
        && let Some(whole) = Interpretation::new(layout, evidence).and_then(|it| it.evidence(layout))
    {
        // Where solving has left no way to a goal, nothing is said about predicates; here something must be.
        verdict = examined(&whole);
    }
    match verdict {
        Verdict::Safe(_) => Ok(None),
        Verdict::Rejected { why, .. } => {
            let message =
                format!("nilas: internal error: a proof does not hold of the clauses as read: {why}");
            Err(Refusal::internal(message))
        }
        Verdict::Unchecked { why, .. } => {
            Ok(Some(format!("a proof was found, but {}", gate::unchecked(&why))))
        }
        Verdict::Unknown(why) => Ok(Some(format!("a proof was found, but checking it ended early: {why}"))),
        Verdict::Unsafe(_) => Ok(Some("a proof was found that is none".into())),
    }
}

/// The execution as a derivation by the clauses as read.
fn derivation(system: &System, layout: &Layout, evidence: &Evidence) -> Result<Derivation, Refusal> {
    let derivation = match evidence {
        Evidence::Execution(execution) => Derivation::new(system, layout, execution),
        _ => None,
    };
    derivation.ok_or_else(no_derivation)
}

pub(crate) fn overdue(why: Interrupt) -> String {
    Unknown::Interrupted(why).to_string()
}

/// The interpretation of all predicates, checked once more as a whole where that is possible.
fn model(
    system: &System,
    route: &Route,
    evidence: &Evidence,
    input: &Input,
    search: &Search<'_>,
    listener: &mut Listener<'_>,
) -> Result<String, Refusal> {
    let layout = &route.layout;
    let mut interpretation = match &route.instead {
        Instead::Unfolded(unfolded) => {
            let carried = unfolded.evidence(layout, evidence);
            carried.and_then(|evidence| Interpretation::new(layout, &evidence))
        }
        _ => Interpretation::new(layout, evidence),
    };
    if interpretation.is_none() {
        // The proof bounds loops and has no formulas, or not for all that is read: other engines find some.
        let mut others = search.plan.registry.portfolio();
        others.retain(|engine| engine.takes(Question::Clauses) && !engine.needs_bound());
        let mut again = *search;
        again.plan.engines = &others;
        if let Ended::Found(found) =
            again.run(input.with_program(layout.program.clone()), listener, &mut |_, _| None)?
            && let Some(Verdict::Safe(evidence)) = found.reports.first().map(|report| &report.verdict)
        {
            interpretation = Interpretation::new(layout, evidence);
        }
    }
    let Some(interpretation) = interpretation else {
        return Ok("; no interpretation was found: the proof bounds the length of derivations\n".to_owned());
    };
    let note = match interpretation.evidence(layout).map(|whole| {
        examine(&layout.program, whole, &search.session.budget(), &mut Account::default()).verdict
    }) {
        Some(Verdict::Safe(_)) | None => "",
        Some(Verdict::Rejected { why, .. }) => {
            let message = format!("nilas: internal error: an interpretation was rejected: {why}");
            return Err(Refusal::internal(message));
        }
        Some(_) => "; the interpretation could not be checked once more in time\n",
    };
    Ok(format!("{note}{}", interpretation.print(system, layout)))
}
