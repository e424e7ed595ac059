//! What a check gives, as data.

use crate::finding;
use crate::input::Input;
use crate::observer::Warning;
use crate::places::{self, Place};
use crate::saved;
use nilas_engine::{Unknown, Verdict};
use nilas_evidence::{Answers, Evidence, Form, Header, Trace, text};
use nilas_report::{
    Assumption, Cause, Checked, Conclusion, Confirmation, Finding, Reached, Source, Summary, Why,
};
use nilas_system::{Derivation, System};
use std::sync::Arc;

/// An answer: the verdict with its evidence, and all there is to tell about it.
#[derive(Debug)]
pub struct Answer {
    /// What messages call the program.
    pub name: String,
    /// The program as it was lowered last, which the evidence is about; `None` if a limit was reached before
    /// it was there.
    pub input: Option<Box<Input>>,
    /// Verdict, evidence, trace, assumptions, statistics, and why nothing is known. Where there are several
    /// questions, it says nothing: the parts do.
    pub summary: Summary,
    /// Evidence that the checker did not decide, and why not.
    pub unaccepted: Option<(Evidence, String)>,
    /// The answers of several questions.
    pub parts: Parts,
    /// What the user should know besides.
    pub warnings: Vec<Warning>,
    /// What came of running tests of the executions that violate something, see [`Answer::confirm`].
    pub confirmations: Vec<(Option<Finding>, Confirmation)>,
}

/// The questions that a program asks.
#[derive(Debug)]
pub enum Parts {
    /// One: can the error be reached?
    One,
    /// One for each error location of an automaton.
    Targets(Vec<Target>, Answers),
    /// One for each place where a property could be violated.
    Places(Vec<Place>, Answers),
    /// One for each goal of a transition system or of Horn clauses.
    Goals(Vec<Goal>),
}

/// What an answer comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The error cannot be reached.
    Safe,
    /// The error can be reached.
    Unsafe,
    /// Nothing was shown.
    Unknown,
    /// Evidence was not accepted, and nobody knows what it is about.
    Refused,
    /// A bug in Nilas.
    Internal,
}

impl Standing {
    /// The verdict in one word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Standing::Safe => "safe",
            Standing::Unsafe => "unsafe",
            Standing::Unknown | Standing::Refused | Standing::Internal => "unknown",
        }
    }

    /// What several answers come to: what is broken first, then what can be reached, then what is not known.
    #[must_use]
    pub fn of_all(all: impl IntoIterator<Item = Standing>) -> Standing {
        let rank = |standing: &Standing| match standing {
            Standing::Internal => 4,
            Standing::Refused => 3,
            Standing::Unsafe => 2,
            Standing::Unknown => 1,
            Standing::Safe => 0,
        };
        all.into_iter().max_by_key(rank).unwrap_or(Standing::Safe)
    }

    pub(crate) fn of(verdict: &Verdict) -> Standing {
        match verdict {
            Verdict::Safe(_) => Standing::Safe,
            Verdict::Unsafe(_) => Standing::Unsafe,
            Verdict::Unknown(Unknown::Internal(_)) | Verdict::Rejected { .. } => Standing::Internal,
            Verdict::Unknown(_) | Verdict::Unchecked { .. } => Standing::Unknown,
        }
    }

    fn conclusion(conclusion: &Conclusion) -> Standing {
        match conclusion {
            Conclusion::Safe(_) => Standing::Safe,
            Conclusion::Unsafe(_) | Conclusion::Reached(_) => Standing::Unsafe,
            Conclusion::Unknown(why) if why.cause.is_internal() => Standing::Internal,
            Conclusion::Unknown(_) => Standing::Unknown,
        }
    }
}

/// What is told of one error location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its name.
    pub name: String,
    /// The verdict.
    pub standing: Standing,
    /// Why it is neither safe nor unsafe.
    pub why: Option<String>,
}

/// What is told of one goal.
#[derive(Debug)]
pub struct Goal {
    /// Its name.
    pub name: String,
    /// It is one of several.
    pub several: bool,
    /// The system or the clauses, and their text.
    pub system: Arc<System>,
    /// See [`Goal::system`].
    pub source: Source,
    /// The verdict.
    pub standing: Standing,
    /// The verdict as the input's own tools say it.
    pub word: &'static str,
    /// The engine that found it.
    pub engine: Option<&'static str>,
    /// Why nothing is known.
    pub reason: Option<String>,
    /// What carries the answer.
    pub shown: Option<Shown>,
    /// The automaton of the goal with what the engines did on it, if they ran.
    pub found: Option<(Box<Input>, Summary)>,
}

/// Evidence about a goal, in the terms of its input.
#[derive(Clone, Debug)]
pub enum Shown {
    /// The invariant of the automaton, see [`Goal::found`].
    Invariant,
    /// Definitions of all predicates, in SMT-LIB.
    Model(String),
    /// A witness in the format of BTOR2.
    Witness(String),
    /// A derivation by the clauses, or a trace of the system.
    Derivation(Derivation),
}

impl Answer {
    /// The answer to one question.
    pub(crate) fn of(input: Input, summary: Summary) -> Answer {
        Answer {
            name: input.source.name().to_owned(),
            input: Some(Box::new(input)),
            summary,
            unaccepted: None,
            parts: Parts::One,
            warnings: Vec::new(),
            confirmations: Vec::new(),
        }
    }

    /// There is no program: a limit was reached before.
    pub(crate) fn unread(name: String, cause: Cause, text: String) -> Answer {
        let summary = Summary::of(Conclusion::Unknown(Why { cause, text }), None);
        let (unaccepted, parts, warnings, confirmations) = (None, Parts::One, Vec::new(), Vec::new());
        Answer { name, input: None, summary, unaccepted, parts, warnings, confirmations }
    }

    /// What it comes to.
    #[must_use]
    pub fn standing(&self) -> Standing {
        match &self.parts {
            Parts::One => Standing::conclusion(&self.summary.conclusion),
            Parts::Targets(targets, _) => Standing::of_all(targets.iter().map(|target| target.standing)),
            Parts::Places(places, _) => places::standing(places),
            Parts::Goals(goals) => Standing::of_all(goals.iter().map(|goal| goal.standing)),
        }
    }

    /// The verdict in one word: `safe`, `unsafe` or `unknown`.
    #[must_use]
    pub fn verdict(&self) -> &'static str {
        self.standing().word()
    }

    /// The evidence of the verdict, about the program as it was lowered. An execution that was found by
    /// running the C program is [`Conclusion::Reached`].
    #[must_use]
    pub fn evidence(&self) -> Option<&Evidence> {
        match &self.summary.conclusion {
            Conclusion::Safe(evidence) | Conclusion::Unsafe(evidence) => Some(evidence),
            Conclusion::Reached(_) | Conclusion::Unknown(_) => None,
        }
    }

    /// What the execution to the error does, step by step.
    #[must_use]
    pub fn trace(&self) -> Option<&Trace> {
        self.summary.trace.as_ref()
    }

    /// Why nothing is known.
    #[must_use]
    pub fn reason(&self) -> Option<&Why> {
        match &self.summary.conclusion {
            Conclusion::Unknown(why) => Some(why),
            _ => None,
        }
    }

    /// What the answer rests on besides the text of the program.
    #[must_use]
    pub fn assumptions(&self) -> &[Assumption] {
        &self.summary.assumptions
    }

    /// What was asked about each place of a C program, and the answer. Where some assertion is asked about, the
    /// first violation leaves the others undecided.
    #[must_use]
    pub fn checked(&self) -> Vec<Checked> {
        if let Parts::Places(places, _) = &self.parts {
            let checked = |place: &Place| Checked {
                finding: place.finding.clone(),
                verdict: place.standing.word(),
                reason: place.why.clone(),
                reached: place.reached.clone(),
                course: place.course.clone(),
                confirmation: self.confirmation(&place.finding),
            };
            return places.iter().map(checked).collect();
        }
        let Some(input) = self.input.as_deref().filter(|input| input.source.is_c()) else {
            return Vec::new();
        };
        let summary = &self.summary;
        let reached = match (&summary.conclusion, &summary.replayed) {
            (Conclusion::Reached(reached), _) | (_, Some(Ok(reached))) => Some(reached.clone()),
            _ => None,
        };
        let violated = |finding: Finding| Checked {
            confirmation: self.confirmation(&finding),
            finding,
            verdict: "unsafe",
            reason: None,
            reached: reached.clone(),
            course: summary.course.clone(),
        };
        let other = |finding: Finding| {
            let (verdict, reason) = match &summary.conclusion {
                Conclusion::Safe(_) => ("safe", None),
                Conclusion::Unknown(why) => ("unknown", Some(why.text.clone())),
                _ => (
                    "unknown",
                    Some("another assertion fails (each has an answer with --property assert)".into()),
                ),
            };
            Checked { finding, verdict, reason, reached: None, course: None, confirmation: None }
        };
        let findings = input.checks.iter().map(|check| finding::of_check(input, check));
        let mut checked: Vec<Checked> = findings
            .map(|it| if Some(&it) == summary.finding.as_ref() { violated(it) } else { other(it) })
            .collect();
        if let Some(finding) = &summary.finding
            && !checked.iter().any(|it| it.verdict == "unsafe")
        {
            checked.push(violated(finding.clone()));
        }
        checked
    }

    /// What came of running a test of what violates this.
    fn confirmation(&self, finding: &Finding) -> Option<Confirmation> {
        let found = self.confirmations.iter().find(|(it, _)| it.as_ref() == Some(finding));
        found.map(|(_, confirmation)| confirmation.clone())
    }

    /// The answer as reports for machines have it; `headline` is its first line.
    #[must_use]
    pub fn report(&self, headline: String) -> nilas_report::Report<'_> {
        nilas_report::Report {
            name: self.name.clone(),
            version: env!("CARGO_PKG_VERSION"),
            source: self.input.as_ref().map(|input| &input.source),
            verdict: self.verdict(),
            headline,
            checked: self.checked(),
            assumptions: self.assumptions().iter().map(|it| it.text.clone()).collect(),
            warnings: self.warnings.iter().map(ToString::to_string).collect(),
            error: self.reason().filter(|why| why.cause.is_internal()).map(|why| why.text.clone()),
        }
    }

    /// The text of a file of evidence, which [`crate::verify`] checks again; `None` if there is none.
    #[must_use]
    pub fn evidence_file(&self) -> Option<String> {
        if let Parts::Goals(goals) = &self.parts {
            let (input, summary) = goals.first()?.found.as_ref()?;
            return evidence_file(input, summary, self.unaccepted.as_ref());
        }
        let input = self.input.as_ref()?;
        let no_place = matches!(&self.parts, Parts::Places(..)) && self.evidence().is_some();
        if let Parts::Targets(_, answers) | Parts::Places(_, answers) = &self.parts
            && !no_place
        {
            let given = answers.values().filter_map(|answer| match answer {
                nilas_evidence::Answer::Evidence(evidence) => Some(evidence),
                _ => None,
            });
            let header = Header { version: text::version(given), ..saved::header(input) };
            return Some(header.print() + &text::print_answers(&input.targets(), answers));
        }
        evidence_file(input, &self.summary, self.unaccepted.as_ref())
    }
}

fn evidence_file(input: &Input, summary: &Summary, undecided: Option<&(Evidence, String)>) -> Option<String> {
    let header = || saved::header(input);
    let (evidence, unaccepted) = match (&summary.conclusion, undecided) {
        (Conclusion::Reached(reached), _) => {
            let form = Form::Choices.word();
            return Some(format!("{}({form})\n{}", header().print(), choices(reached)));
        }
        (Conclusion::Safe(evidence) | Conclusion::Unsafe(evidence), None) => (evidence, None),
        (_, Some((evidence, why))) => (evidence, Some(why.clone())),
        (Conclusion::Unknown(_), None) => return None,
    };
    let version = text::version([evidence]);
    let mut file =
        Header { version, unaccepted, ..header() }.print() + &text::print(&input.program, evidence);
    if let Some(Ok(reached)) = &summary.replayed {
        file += &choices(reached);
    }
    Some(file)
}

/// The choices of an execution, as evidence files have them.
fn choices(reached: &Reached) -> String {
    let lines = reached.text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|choice| format!("{}{choice}\n", nilas_run::choice::EVIDENCE)).collect()
}
