//! Two runs against each other, task by task. A task counts for both where both have it; times and counts are
//! only ever compared on tasks that both solved.

mod report;

use super::plot::Quantity;
use super::ratio::Ratios;
use super::results::{Results, Row};
use super::table::{Tally, align, rounded};
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

/// What a task took of something, where it was solved and that is known.
pub(super) fn taken(row: &Row, quantity: Quantity) -> Option<f64> {
    let solved = row.correct() == Some(true);
    let value = match quantity {
        Quantity::CpuSeconds => Some(row.outcome.cpu_s),
        Quantity::SolverCalls => row.outcome.effort.solver_calls.map(|calls| calls as f64),
    };
    value.filter(|_| solved)
}

/// What two runs took of something, on tasks that both solved.
pub(super) struct Taken {
    pub(super) quantity: Quantity,
    pub(super) pairs: Vec<(f64, f64)>,
}

impl Taken {
    pub(super) fn sums(&self) -> (f64, f64) {
        self.pairs.iter().fold((0.0, 0.0), |(first, second), (a, b)| (first + a, second + b))
    }

    /// How many times as much the second one took.
    pub(super) fn ratios(&self) -> Option<Ratios> {
        Ratios::of(&self.pairs, self.quantity.least())
    }

    fn line(&self) -> Option<String> {
        let ((a, b), digits) = (self.sums(), usize::from(self.quantity == Quantity::CpuSeconds));
        Some(format!(
            "{} on {} tasks that both solved: A {a:.digits$}, B {b:.digits$}; B/A: {}",
            self.quantity.words(),
            self.pairs.len(),
            self.ratios()?.text()
        ))
    }

    fn json(&self) -> Json {
        let (a, b) = self.sums();
        json!({
            "tasks": self.pairs.len(),
            "a": rounded(a),
            "b": rounded(b),
            "b_per_a": self.ratios().map(|ratios| ratios.json()),
        })
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

    pub(super) fn taken(&self, quantity: Quantity) -> Taken {
        let pair = |(a, b): &(&Row, &Row)| Some((taken(a, quantity)?, taken(b, quantity)?));
        Taken { quantity, pairs: self.common.iter().filter_map(pair).collect() }
    }

    /// Tasks that both solved, that only the first one solved, and only the second one.
    pub(super) fn counts(&self) -> [usize; 3] {
        [Solved::Both, Solved::First, Solved::Second].map(|who| self.count(who))
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
        let mut header =
            vec!["set", "tasks", "both", "only A", "only B", "neither", "CPU s A (both)", "CPU s B (both)"];
        let calls_known = !self.taken(Quantity::SolverCalls).pairs.is_empty();
        if calls_known {
            header.extend(["calls A (both)", "calls B (both)"]);
        }
        let mut cells: Vec<Vec<String>> = vec![header.into_iter().map(str::to_owned).collect()];
        let mut sets: Vec<&str> = Vec::new();
        for (row, _) in &self.common {
            if !sets.contains(&&*row.set) {
                sets.push(&row.set);
            }
        }
        let line = |name: &str, pairs: &[&(&Row, &Row)]| {
            let count = |who| pairs.iter().filter(|pair| solved(pair) == who).count().to_string();
            let both = |quantity| {
                let pair = |(a, b): &&(&Row, &Row)| Some((taken(a, quantity)?, taken(b, quantity)?));
                Taken { quantity, pairs: pairs.iter().filter_map(pair).collect() }.sums()
            };
            let ((a, b), (calls_a, calls_b)) = (both(Quantity::CpuSeconds), both(Quantity::SolverCalls));
            let mut line = vec![
                name.to_owned(),
                pairs.len().to_string(),
                count(Solved::Both),
                count(Solved::First),
                count(Solved::Second),
                count(Solved::Neither),
                format!("{a:.1}"),
                format!("{b:.1}"),
            ];
            if calls_known {
                line.extend([format!("{calls_a:.0}"), format!("{calls_b:.0}")]);
            }
            line
        };
        for set in sets {
            let pairs: Vec<_> = self.common.iter().filter(|(row, _)| row.set == set).collect();
            cells.push(line(set, &pairs));
        }
        cells.push(line("total", &self.common.iter().collect::<Vec<_>>()));
        cells
    }

    /// Tasks whose verdicts are safe in one run and unsafe in the other: one of them is wrong, whatever the
    /// index says.
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

    /// Times and calls on what both solved, a line each.
    fn efforts(&self) -> Vec<String> {
        Quantity::ALL.into_iter().filter_map(|quantity| self.taken(quantity).line()).collect()
    }

    pub(crate) fn text(&self) -> String {
        let mut text = self.heading();
        for note in self.missing().into_iter().chain(self.limits_differ().map(str::to_owned)) {
            text.push_str(&format!("{note}\n"));
        }
        text.push_str(&align(&self.cells(), true));
        for line in self.efforts() {
            text.push_str(&format!("{line}\n"));
        }
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
            "cpu_s": self.taken(Quantity::CpuSeconds).json(),
            "solver_calls": self.taken(Quantity::SolverCalls).json(),
            "only_a": paths(Solved::First),
            "only_b": paths(Solved::Second),
            "contradictions": self.contradictions().iter().map(|pair| pair.0.path.clone()).collect::<Vec<_>>(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::index::Expected;
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
        assert_eq!(html.matches("<svg").count(), 3);
        assert_eq!(html.matches("fill-opacity").count(), 2 * 3, "every task that one of them solved");
    }

    #[test]
    fn times_and_calls_are_compared_on_what_both_solved() {
        use Verdict::{Safe, Unknown};
        let mut first =
            run("bmc", &[("a", Safe, 1.0), ("b", Safe, 2.0), ("c", Safe, 1.0), ("d", Unknown, 9.0)]);
        let second = run("x", &[("a", Safe, 30.0), ("b", Safe, 2.0), ("c", Safe, 4.0), ("d", Safe, 1.0)]);
        first.rows[0].outcome.effort.solver_calls = None;
        first.rows[1].outcome.effort.solver_calls = Some(7);
        let comparison = Comparison::new(&first, &second, ["1.csv", "2.csv"]);
        let text = comparison.text();
        let (times, calls) = (
            "CPU seconds on 3 tasks that both solved: A 4.0, B 36.0; B/A: median 4.0, mean 12, from 1.0 to 30\n",
            "solver calls on 2 tasks that both solved: A 77, B 140; B/A: median 5.5, mean 5.5, from 1.0 to 10\n",
        );
        assert!(text.contains(times) && text.contains(calls), "{text}");
        assert_eq!(comparison.json()["cpu_s"]["b_per_a"]["median"], json!(4.0));
        let total = text.lines().find(|line| line.starts_with("total")).unwrap_or_default();
        let cells: Vec<&str> = total.split_whitespace().collect();
        assert_eq!(cells, ["total", "4", "3", "0", "1", "0", "4.0", "36.0", "77", "140"], "{text}");
        // A task that was solved with a number of calls that is not known has no place in the plot of calls.
        let svg = comparison.svg();
        assert_eq!(svg.matches("<title>a: ").count(), 1, "{svg}");
        assert!(svg.contains("<title>d: not solved / 70 calls</title>"), "{svg}");
    }

    #[test]
    fn the_joined_table_has_a_line_per_task() {
        let first = run("bmc", &[("a, b", Verdict::Safe, 1.0)]);
        let text = Comparison::new(&first, &first, ["1.csv", "2.csv"]).csv();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2, "{text}");
        assert_eq!(lines[1], "\"a, b\",s,safe,safe,1.00,70,,10.0,safe,1.00,70,,10.0", "{text}");
    }

    #[test]
    fn files_name_runs_of_one_checker() {
        let first = run("bmc", &[("a", Verdict::Safe, 1.0)]);
        let comparison = Comparison::new(&first, &first, ["old.csv", "new.csv"]);
        assert!(comparison.text().starts_with("A: old.csv: 1 solved"), "{}", comparison.text());
        assert!(comparison.missing().is_none());
    }
}
