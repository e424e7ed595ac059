//! Counts of answers by group, and the table that is written to `benchmarks/results/`.

use super::nilas::Answer;
use std::collections::BTreeMap;
use std::fmt::Write as _;

#[derive(Default)]
struct Group {
    programs: usize,
    questions: usize,
    decided: usize,
    wrong: usize,
}

/// Results of a run.
#[derive(Default)]
pub(crate) struct Tally {
    groups: BTreeMap<String, Group>,
    unknown: BTreeMap<String, usize>,
    failures: Vec<String>,
}

impl Tally {
    pub(crate) fn program(&mut self, group: &str) {
        self.groups.entry(group.into()).or_default().programs += 1;
    }

    /// One answer; a wrong or broken one comes with its title.
    pub(crate) fn answer(&mut self, group: &str, answer: &Answer, wrong: Option<String>) {
        let group = self.groups.entry(group.into()).or_default();
        group.questions += 1;
        group.decided += usize::from(answer.decided());
        if let Answer::Unknown(reason) = answer {
            *self.unknown.entry(reason.clone()).or_default() += 1;
        }
        if let Some(wrong) = wrong {
            group.wrong += 1;
            self.failures.push(wrong);
        }
    }

    /// Nothing is wrong, and enough is decided for that to mean something.
    pub(crate) fn assert(&self, least: usize) {
        assert!(self.failures.is_empty(), "{} wrong:\n{}", self.failures.len(), self.failures.join("\n"));
        let (questions, decided) =
            self.groups.values().fold((0, 0), |(q, d), group| (q + group.questions, d + group.decided));
        assert!(
            decided * 100 >= questions * least,
            "only {decided} of {questions} questions are decided:\n{:#?}",
            self.unknown
        );
    }

    /// The table; written to the file `NILAS_TABLE` names, with the command that `title` tells.
    pub(crate) fn table(&self, title: &str) -> String {
        let mut text = format!("{title}\n\n");
        let row = |name: &str, group: &Group| {
            let unknown = group.questions - group.decided;
            let Group { programs, questions, decided, wrong } = group;
            format!("{name:<24} {programs:>9} {questions:>10} {decided:>8} {unknown:>8} {wrong:>6}\n")
        };
        writeln!(
            text,
            "{:<24} {:>9} {:>10} {:>8} {:>8} {:>6}",
            "group", "programs", "questions", "decided", "unknown", "wrong"
        )
        .unwrap();
        let mut all = Group::default();
        for (name, group) in &self.groups {
            text += &row(name, group);
            all.programs += group.programs;
            all.questions += group.questions;
            all.decided += group.decided;
            all.wrong += group.wrong;
        }
        text += &row("all", &all);
        text += "\nunknown, by reason\n";
        let mut reasons: Vec<_> = self.unknown.iter().collect();
        reasons.sort_by_key(|(reason, count)| (std::cmp::Reverse(**count), reason.as_str()));
        for (reason, count) in reasons {
            writeln!(text, "{count:>6}  {reason}").unwrap();
        }
        if !self.failures.is_empty() {
            writeln!(text, "\nwrong\n{}", self.failures.join("\n")).unwrap();
        }
        text
    }

    /// Prints the table, and writes it where `NILAS_TABLE` says.
    pub(crate) fn publish(&self, title: &str) {
        let table = self.table(title);
        eprintln!("{table}");
        if let Ok(path) = std::env::var("NILAS_TABLE") {
            std::fs::write(path, table).unwrap();
        }
    }
}
