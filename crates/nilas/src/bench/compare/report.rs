//! A comparison as a page, as a picture, and as a table of tasks.

use super::super::csv;
use super::super::html;
use super::super::index::Expected;
use super::super::plot::{self, Point, Quantity};
use super::super::results::Row;
use super::{Comparison, taken};

/// The columns that each run has in the table of tasks.
const OF_A_RUN: [&str; 5] = ["verdict", "cpu_s", "solver_calls", "frames", "memory_mb"];

impl Comparison<'_> {
    pub(crate) fn html(&self) -> String {
        let [first, second] = &self.names;
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
        for line in self.efforts() {
            body.push_str(&format!("<p>{line}.</p>\n"));
        }
        body.push_str(&self.plots().concat());
        body.push_str("<h2>Solved tasks by time</h2>\n");
        let rows = |second: bool| -> Vec<Row> {
            self.common.iter().map(|pair| if second { pair.1.clone() } else { pair.0.clone() }).collect()
        };
        let series = [
            html::series(&format!("A: {first}"), &rows(false)),
            html::series(&format!("B: {second}"), &rows(true)),
        ];
        body.push_str(&plot::cactus(&series, self.longest_s()));
        body.push_str(&self.differences());
        html::page(&format!("{first} and {second}"), &body)
    }

    /// The scatter plots as one picture.
    pub(crate) fn svg(&self) -> String {
        plot::beside(&self.plots())
    }

    /// What each run said and took, a line per task.
    pub(crate) fn csv(&self) -> String {
        let mut header = ["path", "set", "expected"].map(str::to_owned).to_vec();
        for run in ["a", "b"] {
            header.extend(OF_A_RUN.map(|column| format!("{column}_{run}")));
        }
        let mut text = csv::line(&header);
        for (a, b) in &self.common {
            let mut line = vec![a.path.clone(), a.set.clone(), a.expected.word().to_owned()];
            for row in [a, b] {
                let outcome = &row.outcome;
                let count = |count: Option<u64>| count.map_or(String::new(), |count| count.to_string());
                line.extend([
                    outcome.verdict.word().to_owned(),
                    format!("{:.2}", outcome.cpu_s),
                    count(outcome.effort.solver_calls),
                    count(outcome.effort.frames),
                    format!("{:.1}", outcome.memory_mb),
                ]);
            }
            text.push_str(&csv::line(&line));
        }
        text
    }

    fn longest_s(&self) -> f64 {
        self.first.timeout_s().max(self.second.timeout_s())
    }

    /// A scatter plot of times, and one of calls where both runs tell them.
    pub(crate) fn plots(&self) -> Vec<String> {
        let [first, second] = &self.names;
        let known = |quantity: &Quantity| {
            *quantity == Quantity::CpuSeconds || !self.taken(*quantity).pairs.is_empty()
        };
        let names = [format!("A: {first}"), format!("B: {second}")];
        Quantity::ALL.into_iter().filter(known).map(|quantity| self.plot(quantity, &names)).collect()
    }

    /// A scatter plot with names for the two runs.
    pub(crate) fn plot(&self, quantity: Quantity, [first, second]: &[String; 2]) -> String {
        let points: Vec<Point> = self.common.iter().filter_map(|pair| point(pair, quantity)).collect();
        let values = points.iter().flat_map(|point| [point.x, point.y]).flatten();
        let most = match quantity {
            Quantity::CpuSeconds => self.longest_s(),
            Quantity::SolverCalls => values.fold(0.0, f64::max),
        };
        plot::scatter(quantity, first, second, &points, most)
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

/// A task in a plot; none where a run has solved it but does not tell what it took.
fn point((a, b): &(&Row, &Row), quantity: Quantity) -> Option<Point> {
    let untold = |row: &Row| row.correct() == Some(true) && taken(row, quantity).is_none();
    (!untold(a) && !untold(b)).then(|| Point {
        name: a.path.clone(),
        safe: a.expected == Expected::Safe,
        x: taken(a, quantity),
        y: taken(b, quantity),
    })
}
