//! Answers for the goals of transition systems and Horn clauses, in the words of the input.

use crate::cli::CheckArgs;
use nilas_check::{Conclusion, Goal, Input, Shown, Standing, Summary, Why};
use nilas_report::{Source, Trace, text};
use nilas_system::{Derivation, Form, System};
use nilas_term::smtlib::print_value;
use serde_json::{Value as Json, json};
use std::fmt::Write;

/// What is told of a goal in text.
pub(crate) fn goal(args: &CheckArgs, goal: &Goal) -> String {
    let mut output = String::new();
    let quiet = args.common.quiet;
    let prefix = if goal.several { format!("{}: ", goal.name) } else { String::new() };
    // Writing to a string does not fail.
    let _ = match (&goal.reason, goal.engine) {
        (Some(why), _) if !quiet => writeln!(output, "{prefix}{}: {why}", goal.word),
        (_, Some(engine)) if !quiet && goal.system.form != Form::Horn => {
            writeln!(output, "{prefix}{}  ({engine})", goal.word)
        }
        _ => writeln!(output, "{prefix}{}", goal.word),
    };
    if !quiet {
        output.extend(shown(goal));
    }
    if args.stats
        && let Some((input, summary)) = &goal.found
    {
        output.push_str(&statistics(input, summary));
    }
    output
}

/// What is told of all goals in JSON.
pub(crate) fn json(file: &str, standing: Standing, goals: &[Goal], quiet: bool) -> Json {
    let goals = goals.iter().map(|goal| {
        json!({
            "name": goal.name, "verdict": goal.standing.word(), "answer": goal.word, "engine": goal.engine,
            "reason": goal.reason, "evidence": if quiet { None } else { shown(goal) },
        })
    });
    let goals: Vec<_> = goals.collect();
    json!({ "file": file, "verdict": standing.word(), "goals": goals })
}

/// The evidence of a goal.
fn shown(goal: &Goal) -> Option<String> {
    Some(match goal.shown.as_ref()? {
        Shown::Invariant => {
            let (input, summary) = goal.found.as_ref()?;
            invariant(input, summary)
        }
        Shown::Model(text) | Shown::Witness(text) => text.clone(),
        Shown::Derivation(derivation) => steps(&goal.system, &goal.source, derivation),
    })
}

/// Counters and times alone, as `nilas check` prints them.
fn statistics(input: &Input, summary: &Summary) -> String {
    let summary = Summary { conclusion: Conclusion::Unknown(Why::other("")), ..summary.clone() };
    let detail = text::Detail { evidence: false, statistics: true, trace: Trace::Short };
    behind_verdict(&text::render(&input.program, &input.source, &summary, detail))
}

/// What carries the proof, as `nilas check` tells it of automata.
fn invariant(input: &Input, summary: &Summary) -> String {
    text::evidence(&input.program, &input.source, summary, Trace::Short)
}

fn behind_verdict(all: &str) -> String {
    all.split_once('\n').map(|(_, rest)| rest.to_owned()).unwrap_or_default()
}

/// What a fact follows from, where that is not simply the one before.
fn premises(system: &System, premises: &[usize]) -> String {
    if system.is_linear() || premises.is_empty() {
        return String::new();
    }
    let numbers: Vec<String> = premises.iter().map(|premise| (premise + 1).to_string()).collect();
    format!("   from {}", numbers.join(", "))
}

/// A derivation or trace, a fact per line.
fn steps(system: &System, source: &Source, derivation: &Derivation) -> String {
    let mut out = String::from(if system.form == Form::Horn { "derivation:\n" } else { "trace:\n" });
    let mut before: &[nilas_term::Value] = &[];
    for (number, fact) in derivation.facts.iter().enumerate() {
        let span = system.clauses[fact.clause].span;
        let line = match source {
            Source::Automaton(text) if span != nilas_program::Span::default() => {
                format!("   line {}", text.own_line(span.start))
            }
            _ => String::new(),
        };
        match &fact.holds {
            Ok((predicate, values)) if system.form == Form::Horn => {
                let values: Vec<String> = values.iter().map(print_value).collect();
                let name = &system.predicate(*predicate).name;
                let from = premises(system, &fact.premises);
                let _ = writeln!(out, "  {}. {name}({}){from}{line}", number + 1, values.join(", "));
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
                let from = premises(system, &fact.premises);
                let _ = writeln!(out, "  {}. false{from}{line}", number + 1);
            }
            Err(goal) => {
                let _ = writeln!(out, "  {} is violated", system.goals[goal.0].name);
            }
        }
    }
    out
}
