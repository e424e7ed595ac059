//! An answer as a page for a browser has it.

use crate::answer::{Answer, Goal, Parts, Standing, Target};
use crate::finding;
use crate::input::Input;
use crate::turns;
use nilas_evidence::{Answer as Evidenced, Answers, Evidence, Trace, replay};
use nilas_program::LocationId;
use nilas_report::html::{Page, Part, Proof, Question};
use nilas_report::{Conclusion, Summary};
use nilas_smt::Budget;
use std::time::Duration;

/// What following executions to error locations again may take, as work that is counted.
const PATIENCE: Duration = Duration::from_secs(5);

impl Answer {
    /// The answer as a page has it; `headline` is its first line.
    #[must_use]
    pub fn page(&self, headline: String) -> Page<'_> {
        let report = self.report(headline);
        let mut page = Page { report, parts: Vec::new(), questions: Vec::new() };
        match &self.parts {
            Parts::Goals(goals) => {
                page.parts = goals.iter().map(part).collect();
                page.questions = goals.iter().filter_map(goal).collect();
                return page;
            }
            Parts::Targets(targets, _) => {
                let part = |it: &Target| Part {
                    name: it.name.clone(),
                    verdict: it.standing.word(),
                    reason: it.why.clone(),
                };
                page.parts = targets.iter().map(part).collect();
            }
            Parts::One | Parts::Places(..) => {}
        }
        let Some(input) = &self.input else { return page };
        let mut question = question(input, &self.summary);
        match &self.parts {
            Parts::Targets(_, answers) => {
                let name = |target| input.program.automaton.location(target).name.clone();
                question.proofs.extend(proofs(answers, &name));
                question.traces = traces(input, answers);
            }
            Parts::Places(_, answers) => {
                let name = |target| {
                    let at = input.errors.iter().position(|&error| error == target);
                    let check = at.and_then(|at| input.checks.get(at));
                    check.map(|check| finding::of_check(input, check).headline()).unwrap_or_default()
                };
                question.proofs.extend(proofs(answers, &name));
            }
            Parts::One | Parts::Goals(_) => {}
        }
        page.questions.push(question);
        page
    }
}

/// The question whether the error can be reached.
fn question<'a>(input: &'a Input, summary: &'a Summary) -> Question<'a> {
    let proofs = match &summary.conclusion {
        Conclusion::Safe(evidence) => vec![Proof { about: Vec::new(), evidence }],
        _ => Vec::new(),
    };
    let (name, program, source) = (None, &input.program, &input.source);
    Question { name, program, source, errors: &input.errors, summary, proofs, traces: Vec::new() }
}

/// All proofs, each with the names of the targets that it is about.
fn proofs<'a>(answers: &'a Answers, name: &dyn Fn(LocationId) -> String) -> Vec<Proof<'a>> {
    let mut proofs = Vec::new();
    for (&target, answer) in answers {
        let Evidenced::Evidence(evidence) = answer else { continue };
        if matches!(evidence, Evidence::Execution(_)) {
            continue;
        }
        let follows = |it: &Evidenced| matches!(it, Evidenced::With(leader) if *leader == target);
        let others = answers.iter().filter(|(_, answer)| follows(answer)).map(|(&other, _)| other);
        let about = std::iter::once(target).chain(others).map(name).collect();
        proofs.push(Proof { about, evidence });
    }
    proofs
}

/// What executions to error locations of an automaton do, with the names of the locations.
fn traces(input: &Input, answers: &Answers) -> Vec<(String, Trace)> {
    let budget = turns::counted(&Budget::unlimited(), PATIENCE);
    let targets = input.targets();
    let trace = |(&target, answer): (&LocationId, &Evidenced)| {
        let Evidenced::Evidence(Evidence::Execution(execution)) = answer else { return None };
        let trace = replay(&targets.about(target), execution, &budget).ok()?;
        Some((targets.name(target).to_owned(), trace))
    };
    answers.iter().filter_map(trace).collect()
}

fn part(goal: &Goal) -> Part {
    let Goal { name, standing, word, reason, .. } = goal;
    let name = if *word == standing.word() { name.clone() } else { format!("{name} ({word})") };
    Part { name, verdict: standing.word(), reason: reason.clone() }
}

fn goal(goal: &Goal) -> Option<Question<'_>> {
    let (input, summary) = goal.found.as_ref()?;
    let mut question = question(input, summary);
    question.name = goal.several.then_some(&*goal.name);
    // What is not accepted of the clauses as read is no proof.
    question.proofs.retain(|_| goal.standing == Standing::Safe);
    Some(question)
}
