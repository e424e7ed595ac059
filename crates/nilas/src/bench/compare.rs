//! Two results files against each other, task by task.

use super::html;
use super::index::Expected;
use super::plot::{self, Point};
use super::results::{Results, Row};
use super::table::{Tally, align};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// Two runs over the tasks that both have.
pub(crate) struct Comparison<'r> {
    first: &'r Results,
    second: &'r Results,
    names: [String; 2],
    /// In the order of the first file.
    common: Vec<(&'r Row, &'r Row)>,
}

/// Who solved a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Solved {
    Both,
    First,
    Second,
    Neither,
}

fn solved(pair: &(&Row, &Row)) -> Solved {
    match (pair.0.correct() == Some(true), pair.1.correct() == Some(true)) {
        (true, true) => Solved::Both,
        (true, false) => Solved::First,
        (false, true) => Solved::Second,
        (false, false) => Solved::Neither,
    }
}

impl<'r> Comparison<'r> {
    /// The names tell the runs apart, so they are those of the files where the checkers are the same.
    pub(crate) fn new(first: &'r Results, second: &'r Results, files: [&str; 2]) -> Comparison<'r> {
        let others: BTreeMap<&str, &Row> = second.rows.iter().map(|row| (&*row.path, row)).collect();
        let common = first.rows.iter().filter_map(|row| Some((row, *others.get(&*row.path)?))).collect();
        let mut names = [first.title(), second.title()];
        if names[0] == names[1] {
            names = files.map(str::to_owned);
        }
        Comparison { first, second, names, common }
    }

    fn count(&self, who: Solved) -> usize {
        self.common.iter().filter(|pair| solved(pair) == who).count()
    }

    /// Sums over the common tasks of each run.
    fn tallies(&self) -> [Tally; 2] {
        [
            Tally::of(self.common.iter().map(|pair| pair.0), self.first.timeout_s()),
            Tally::of(self.common.iter().map(|pair| pair.1), self.second.timeout_s()),
        ]
    }

    /// A line per set: who solved how many, and the time on what both solved.
    fn cells(&self) -> Vec<Vec<String>> {
        let mut cells: Vec<Vec<String>> = vec![
            ["set", "tasks", "both", "only A", "only B", "neither", "CPU s A (both)", "CPU s B (both)"]
                .map(str::to_owned)
                .to_vec(),
        ];
        let mut sets: Vec<&str> = Vec::new();
        for (row, _) in &self.common {
            if !sets.contains(&&*row.set) {
                sets.push(&row.set);
            }
        }
        let line = |name: &str, pairs: &[&(&Row, &Row)]| {
            let count = |who| pairs.iter().filter(|pair| solved(pair) == who).count().to_string();
            let both = || pairs.iter().filter(|pair| solved(pair) == Solved::Both);
            vec![
                name.to_owned(),
                pairs.len().to_string(),
                count(Solved::Both),
                count(Solved::First),
                count(Solved::Second),
                count(Solved::Neither),
                format!("{:.1}", both().map(|pair| pair.0.outcome.cpu_s).sum::<f64>()),
                format!("{:.1}", both().map(|pair| pair.1.outcome.cpu_s).sum::<f64>()),
            ]
        };
        for set in sets {
            let pairs: Vec<_> = self.common.iter().filter(|(row, _)| row.set == set).collect();
            cells.push(line(set, &pairs));
        }
        cells.push(line("total", &self.common.iter().collect::<Vec<_>>()));
        cells
    }

    /// Tasks whose verdicts are safe in one run and unsafe in the other: one of them is wrong, whatever the index says.
    fn contradictions(&self) -> Vec<&(&'r Row, &'r Row)> {
        self.common
            .iter()
            .filter(|(a, b)| matches!((a.correct(), b.correct()), (Some(x), Some(y)) if x != y))
            .collect()
    }

    fn only(&self, who: Solved) -> Vec<&'r Row> {
        let pick = |pair: &(&'r Row, &'r Row)| if who == Solved::First { pair.0 } else { pair.1 };
        self.common.iter().filter(|pair| solved(pair) == who).map(pick).collect()
    }

    /// Sizes of the two runs, where one has tasks that the other lacks.
    fn missing(&self) -> Option<String> {
        let (first, second, common) = (self.first.rows.len(), self.second.rows.len(), self.common.len());
        (first != common || second != common).then(|| {
            format!("Only the {common} tasks that both have are compared; A has {first}, B has {second}.")
        })
    }

    fn limits_differ(&self) -> Option<&'static str> {
        let same = |key: &str| self.first.settings[key] == self.second.settings[key];
        (!same("timeout") || !same("memory_limit")).then_some("The two runs had different limits.")
    }

    fn heading(&self) -> String {
        let [first, second] = &self.names;
        let [a, b] = self.tallies();
        let line = |letter: &str, name: &str, tally: &Tally| {
            format!(
                "{letter}: {name}: {} solved, {} wrong, {} failed, PAR-2 {:.2} s, score {}\n",
                tally.solved(),
                tally.wrong,
                tally.failed,
                tally.par2_s(),
                tally.score
            )
        };
        line("A", first, &a) + &line("B", second, &b)
    }

    pub(crate) fn text(&self) -> String {
        let mut text = self.heading();
        for note in self.missing().into_iter().chain(self.limits_differ().map(str::to_owned)) {
            text.push_str(&format!("{note}\n"));
        }
        text.push_str(&align(&self.cells()));
        for (who, letter) in [(Solved::First, "A"), (Solved::Second, "B")] {
            for row in self.only(who) {
                let (verdict, time) = (row.outcome.verdict.word(), row.outcome.cpu_s);
                text.push_str(&format!("only {letter}: {}: {verdict}, {time:.2} s\n", row.path));
            }
        }
        for (a, b) in self.contradictions() {
            let (first, second) = (a.outcome.verdict.word(), b.outcome.verdict.word());
            text.push_str(&format!("contradiction: {}: A says {first}, B says {second}\n", a.path));
        }
        text
    }

    pub(crate) fn json(&self) -> Json {
        let [a, b] = self.tallies();
        let paths = |who| self.only(who).iter().map(|row| row.path.clone()).collect::<Vec<_>>();
        json!({
            "a": { "name": self.names[0], "total": a.json() },
            "b": { "name": self.names[1], "total": b.json() },
            "tasks": self.common.len(),
            "both": self.count(Solved::Both),
            "neither": self.count(Solved::Neither),
            "only_a": paths(Solved::First),
            "only_b": paths(Solved::Second),
            "contradictions": self.contradictions().iter().map(|pair| pair.0.path.clone()).collect::<Vec<_>>(),
        })
    }

    pub(crate) fn html(&self) -> String {
        let [first, second] = &self.names;
        let limit_s = self.first.timeout_s().max(self.second.timeout_s());
        let mut body = String::new();
        for (line, results) in self.heading().lines().zip([self.first, self.second]) {
            body.push_str(&format!("<p>{}</p>\n{}", html::escape(line), html::origin(results)));
        }
        for note in self.missing().into_iter().chain(self.limits_differ().map(str::to_owned)) {
            body.push_str(&format!("<p>{note}</p>\n"));
        }
        body.push_str("<h2>Sets</h2>\n");
        body.push_str(&html::table(&self.cells(), true));
        body.push_str("<h2>Task by task</h2>\n");
        let time = |row: &Row| (row.correct() == Some(true)).then_some(row.outcome.cpu_s);
        let point = |(a, b): &(&Row, &Row)| Point {
            name: a.path.clone(),
            safe: a.expected == Expected::Safe,
            x_s: time(a),
            y_s: time(b),
        };
        let points: Vec<Point> = self.common.iter().map(point).collect();
        body.push_str(&plot::scatter(&format!("A: {first}"), &format!("B: {second}"), &points, limit_s));
        body.push_str("<h2>Solved tasks by time</h2>\n");
        let rows = |second: bool| -> Vec<Row> {
            self.common.iter().map(|pair| if second { pair.1.clone() } else { pair.0.clone() }).collect()
        };
        let series = [
            html::series(&format!("A: {first}"), &rows(false)),
            html::series(&format!("B: {second}"), &rows(true)),
        ];
        body.push_str(&plot::cactus(&series, limit_s));
        body.push_str(&self.differences());
        html::page(&format!("{first} and {second}"), &body)
    }

    /// Every task on which the runs differ.
    fn differences(&self) -> String {
        let mut cells: Vec<Vec<String>> =
            vec![["path", "expected", "A", "CPU s A", "B", "CPU s B"].map(str::to_owned).to_vec()];
        let said = |row: &Row| {
            let wrong = if row.correct() == Some(false) { " (wrong)" } else { "" };
            let reason = &row.outcome.reason;
            let why = if reason.is_empty() { String::new() } else { format!(": {reason}") };
            format!("{}{why}{wrong}", row.outcome.verdict.word())
        };
        for (a, b) in self.common.iter().filter(|(a, b)| a.outcome.verdict != b.outcome.verdict) {
            let time = |row: &Row| format!("{:.2}", row.outcome.cpu_s);
            cells.push(vec![
                a.path.clone(),
                a.expected.word().to_owned(),
                said(a),
                time(a),
                said(b),
                time(b),
            ]);
        }
        format!("<h2>Different answers</h2>\n{}", html::table(&cells, false))
    }
}

#[cfg(test)]
mod tests {
    use super::super::outcome::Verdict;
    use super::super::results::tests::row;
    use super::*;

    fn run(engine: &str, verdicts: &[(&str, Verdict, f64)]) -> Results {
        let rows =
            verdicts.iter().map(|&(path, verdict, time)| row(path, Expected::Safe, verdict, time)).collect();
        let settings = json!({ "timeout": 10.0, "engine": engine });
        Results { settings, command: String::new(), rows }
    }

    #[test]
    fn tasks_are_matched_by_path() {
        use Verdict::{Safe, Unknown, Unsafe};
        let first =
            run("bmc", &[("a", Safe, 1.0), ("b", Safe, 2.0), ("c", Unknown, 10.0), ("d", Unsafe, 1.0)]);
        let second = run("ic3cfa", &[("d", Safe, 1.0), ("c", Safe, 3.0), ("a", Safe, 0.5), ("x", Safe, 1.0)]);
        let comparison = Comparison::new(&first, &second, ["1.csv", "2.csv"]);
        let count = |who| comparison.count(who);
        assert_eq!((count(Solved::Both), count(Solved::First)), (1, 0));
        assert_eq!((count(Solved::Second), count(Solved::Neither)), (2, 0));
        let text = comparison.text();
        assert!(text.contains("A: nilas bmc: 1 solved, 1 wrong"), "{text}");
        assert!(text.contains("B: nilas ic3cfa: 3 solved, 0 wrong"), "{text}");
        assert!(text.contains("only B: c: safe, 3.00 s"), "{text}");
        assert!(text.contains("contradiction: d: A says unsafe, B says safe"), "{text}");
        assert!(text.contains("Only the 3 tasks"), "{text}");
        let html = comparison.html();
        assert_eq!(html.matches("<svg").count(), 2);
        assert_eq!(html.matches("fill-opacity").count(), 3, "every task that one of them solved");
    }

    #[test]
    fn files_name_runs_of_one_checker() {
        let first = run("bmc", &[("a", Verdict::Safe, 1.0)]);
        let comparison = Comparison::new(&first, &first, ["old.csv", "new.csv"]);
        assert!(comparison.text().starts_with("A: old.csv: 1 solved"), "{}", comparison.text());
        assert!(comparison.missing().is_none());
    }
}
