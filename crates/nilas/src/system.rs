//! `nilas check` on transition systems and Horn clauses: an answer per goal, in the words of the input.

use crate::check::{self, Ended, Found, Search};
use crate::exit::Exit;
use crate::gate;
use crate::input::{Input, Refusal};
use nilas_engine::{Engine, Report, Unknown, Verdict, examine};
use nilas_evidence::{Account, Evidence};
use nilas_report::{Answer, Summary, text};
use nilas_smt::record::Tape;
use nilas_smt::{Budget, Interrupt, Reason};
use nilas_system::{
    Derivation, Form, GoalId, Interpretation, Layout, System, btor2, portable, to_automaton,
    to_plain_automaton,
};
use nilas_term::smtlib::print_value;
use serde_json::json;
use std::fmt::Write;

/// What is told about a goal.
struct Told {
    verdict: &'static str,
    /// The verdict as the input's own tools say it.
    word: &'static str,
    engine: Option<&'static str>,
    reason: Option<String>,
    /// Model, derivation, invariant or trace.
    evidence: Option<String>,
    statistics: String,
    exit: Exit,
}

/// Checks all goals, one after the other, and prints the answers.
pub(crate) fn check(system: &System, input: &Input, search: &Search<'_>) -> Result<Exit, Refusal> {
    let args = search.args;
    // A run says that nothing is chosen, but the clauses as read choose all their variables.
    let searching = |&number: &usize| search.plan.engines[number] != Engine::Run;
    let numbers: Vec<usize> = (0..search.plan.engines.len()).filter(searching).collect();
    let engines: Vec<Engine> = numbers.iter().map(|&number| search.plan.engines[number]).collect();
    let tapes: Vec<Tape> =
        numbers.iter().filter_map(|&number| search.plan.tapes.get(number).cloned()).collect();
    let mut search = Search { args, plan: search.plan, limits: search.limits };
    if !engines.is_empty() {
        (search.plan.engines, search.plan.tapes) = (&engines, &tapes);
    }
    let search = &search;
    if args.evidence.is_some() && system.goals.len() > 1 {
        let message = format!("nilas: --evidence takes one goal, this file has {}", system.goals.len());
        return Err(Refusal { message, exit: Exit::Usage });
    }
    let (mut exit, mut objects, mut output) = (Exit::Safe, Vec::new(), String::new());
    for goal in system.goal_ids() {
        let told = goal_answer(system, goal, input, search)?;
        let name = &system.goals[goal.0].name;
        if args.common.json {
            objects.push(json!({
                "name": name, "verdict": told.verdict, "answer": told.word, "engine": told.engine,
                "reason": told.reason, "evidence": told.evidence.as_deref().filter(|_| !args.common.quiet),
            }));
        } else {
            let prefix = if system.goals.len() > 1 { format!("{name}: ") } else { String::new() };
            // Writing to a string does not fail.
            let _ = match (&told.reason, told.engine) {
                (Some(why), _) if !args.common.quiet => writeln!(output, "{prefix}{}: {why}", told.word),
                (_, Some(engine)) if !args.common.quiet && system.form != Form::Horn => {
                    writeln!(output, "{prefix}{}  ({engine})", told.word)
                }
                _ => writeln!(output, "{prefix}{}", told.word),
            };
            if let Some(evidence) = told.evidence.as_deref().filter(|_| !args.common.quiet) {
                output.push_str(evidence);
            }
            if args.stats {
                output.push_str(&told.statistics);
            }
            crate::print(&std::mem::take(&mut output));
        }
        exit = worse(exit, told.exit);
    }
    if args.common.json {
        let verdict = match exit {
            Exit::Safe => "safe",
            Exit::Unsafe => "unsafe",
            _ => "unknown",
        };
        let object = json!({ "file": input.source.name(), "verdict": verdict, "goals": objects });
        crate::print(&format!("{object:#}\n"));
    }
    Ok(exit)
}

/// The exit code of two answers: a mistake of ours before an error before what is not known.
fn worse(one: Exit, other: Exit) -> Exit {
    let rank = |exit: &Exit| match exit {
        Exit::Internal => 3,
        Exit::Unsafe => 2,
        Exit::Safe => 0,
        _ => 1,
    };
    if rank(&other) > rank(&one) { other } else { one }
}

fn unknown(reason: String) -> Told {
    Told {
        verdict: "unknown",
        word: "unknown",
        engine: None,
        reason: Some(reason),
        evidence: None,
        statistics: String::new(),
        exit: Exit::Unknown,
    }
}

fn goal_answer(system: &System, goal: GoalId, input: &Input, search: &Search<'_>) -> Result<Told, Refusal> {
    if let Some(why) = &system.undecided {
        return Ok(unknown(why.clone()));
    }
    let layout = to_automaton(system, Some(goal));
    let found = match search.run(input.with_program(layout.program.clone()))? {
        Ended::Found(found) => found,
        Ended::Overdue(_, why) | Ended::Unread(why) => return Ok(unknown(overdue(why))),
    };
    let Some(report) = found.reports.first() else {
        return Err(Refusal { message: "nilas: internal error: no engine ran".into(), exit: Exit::Internal });
    };
    let confirmed = confirm(system, Some(goal), &layout, &report.verdict, &search.limits.budget())?;
    if let Some(path) = &search.args.evidence {
        let verdict = match (&report.verdict, &confirmed) {
            (Verdict::Safe(evidence), Some(why)) => {
                Verdict::Unchecked { evidence: evidence.clone(), why: Reason::Failed(why.clone()) }
            }
            (verdict, _) => verdict.clone(),
        };
        check::save(path, &found.input, &verdict, None)?;
    }
    let mut told = Told {
        verdict: "unknown",
        word: "unknown",
        engine: Some(report.engine.name()),
        reason: None,
        evidence: None,
        statistics: statistics(&found, report),
        exit: gate::exit(&report.verdict),
    };
    match &report.verdict {
        _ if confirmed.is_some() => {
            told.reason = confirmed;
            told.exit = Exit::Unknown;
        }
        Verdict::Safe(evidence) => {
            told.verdict = "safe";
            told.word = if system.form == Form::Horn { "sat" } else { "safe" };
            if search.args.model {
                told.evidence = Some(model(system, &layout, evidence, &found.input, search)?);
            } else if system.form != Form::Horn {
                told.evidence = Some(invariant(&found.input, report));
            }
        }
        Verdict::Unsafe(evidence) => {
            told.verdict = "unsafe";
            told.word = if system.form == Form::Horn { "unsat" } else { "unsafe" };
            let derivation = derivation(system, &layout, evidence)?;
            told.evidence = Some(match system.form {
                Form::Btor2 => btor2::witness(system, goal, &system.inputs, &derivation),
                Form::Horn | Form::Vmt => steps(system, input, &derivation),
            });
        }
        verdict => {
            let who = (report.engine.name(), report.engine_time);
            told.reason = Some(gate::reason(&found.input, verdict, who));
        }
    }
    Ok(told)
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
    let plain = to_plain_automaton(system, goal).program;
    let examined = |evidence: &Evidence| {
        examine(&plain, portable(layout, evidence), budget, &mut Account::default()).verdict
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
            Err(Refusal { message, exit: Exit::Internal })
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
    derivation.ok_or_else(|| {
        let message = "nilas: internal error: an execution is no derivation by the clauses as read";
        Refusal { message: message.into(), exit: Exit::Internal }
    })
}

fn overdue(why: Interrupt) -> String {
    Unknown::Interrupted(why).to_string()
}

/// Counters and times alone, as `nilas check` prints them.
fn statistics(found: &Found, report: &Report) -> String {
    let mut summary = check::summary(&found.input, report, &found.reports);
    summary.answer = Answer::Unknown(String::new());
    let detail = text::Detail { evidence: false, statistics: true };
    let all = text::render(&found.input.program, &found.input.source, &summary, detail);
    all.split_once('\n').map(|(_, rest)| rest.to_owned()).unwrap_or_default()
}

/// What carries the proof, as `nilas check` tells it of automata.
fn invariant(input: &Input, report: &Report) -> String {
    let mut summary: Summary = check::summary(input, report, &[]);
    summary.statistics.clear();
    let detail = text::Detail { evidence: true, statistics: false };
    let all = text::render(&input.program, &input.source, &summary, detail);
    all.split_once('\n').map(|(_, rest)| rest.to_owned()).unwrap_or_default()
}

/// The interpretation of all predicates, checked once more as a whole where that is possible.
fn model(
    system: &System,
    layout: &Layout,
    evidence: &Evidence,
    input: &Input,
    search: &Search<'_>,
) -> Result<String, Refusal> {
    let mut interpretation = Interpretation::new(layout, evidence);
    if interpretation.is_none() {
        // The proof bounds loops and has no formulas: another engine finds some.
        let mut again = Search { args: search.args, plan: search.plan, limits: search.limits };
        again.plan.engines = &[Engine::Ic3Cfa];
        if let Ended::Found(found) = again.run(input.with_program(layout.program.clone()))?
            && let Some(Verdict::Safe(evidence)) = found.reports.first().map(|report| &report.verdict)
        {
            interpretation = Interpretation::new(layout, evidence);
        }
    }
    let Some(interpretation) = interpretation else {
        return Ok("; no interpretation was found: the proof bounds the length of derivations\n".to_owned());
    };
    let note = match interpretation.evidence(layout).map(|whole| {
        examine(&layout.program, whole, &search.limits.budget(), &mut Account::default()).verdict
    }) {
        Some(Verdict::Safe(_)) | None => "",
        Some(Verdict::Rejected { why, .. }) => {
            let message = format!("nilas: internal error: an interpretation was rejected: {why}");
            return Err(Refusal { message, exit: Exit::Internal });
        }
        Some(_) => "; the interpretation could not be checked once more in time\n",
    };
    Ok(format!("{note}{}", interpretation.print(system, layout)))
}

/// A derivation or trace, a fact per line.
fn steps(system: &System, input: &Input, derivation: &Derivation) -> String {
    let mut out = String::from(if system.form == Form::Horn { "derivation:\n" } else { "trace:\n" });
    let mut before: &[nilas_term::Value] = &[];
    for (number, fact) in derivation.facts.iter().enumerate() {
        let place = input.source.place(system.clauses[fact.clause].span);
        let line = place.map(|place| format!("   line {}", place.line)).unwrap_or_default();
        match &fact.holds {
            Ok((predicate, values)) if system.form == Form::Horn => {
                let values: Vec<String> = values.iter().map(print_value).collect();
                let name = &system.predicate(*predicate).name;
                let _ = writeln!(out, "  {}. {name}({}){line}", number + 1, values.join(", "));
            }
            Ok((predicate, values)) => {
                let _ = writeln!(out, "  state {number}:");
                for (index, (name, _)) in system.predicate(*predicate).parameters.iter().enumerate() {
                    if before.get(index) != values.get(index)
                        && let Some(value) = values.get(index)
                    {
                        let _ = writeln!(out, "    {name} = {}", text::value(value));
                    }
                }
                before = values;
            }
            Err(_) if system.form == Form::Horn => {
                let _ = writeln!(out, "  {}. false{line}", number + 1);
            }
            Err(goal) => {
                let _ = writeln!(out, "  {} is violated", system.goals[goal.0].name);
            }
        }
    }
    out
}
