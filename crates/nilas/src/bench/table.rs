//! The table of a benchmark run: a line per set, and one for everything.

use super::index::Expected;
use super::outcome::{Verdict, reason};
use super::results::Row;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// What unsolved tasks ended with, as columns.
pub(crate) const REASONS: [&str; 6] =
    [reason::TIME, reason::MEMORY, reason::UNCHECKED, reason::UNMODELLED, reason::UNSUPPORTED, reason::OTHER];

/// Counts and sums over some tasks.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tally {
    pub(crate) tasks: usize,
    /// Correct verdicts of both kinds.
    pub(crate) safe: usize,
    pub(crate) r#unsafe: usize,
    /// Unknown, by reason as in [`REASONS`].
    pub(crate) unknown: [usize; REASONS.len()],
    pub(crate) refused: usize,
    pub(crate) failed: usize,
    pub(crate) wrong: usize,
    pub(crate) cpu_s: f64,
    /// The most that any of them held.
    pub(crate) memory_mb: f64,
    /// Processor seconds of what was solved, and twice the limit for the rest.
    par2_sum_s: f64,
    pub(crate) score: i64,
}

impl Tally {
    pub(crate) fn add(&mut self, row: &Row, timeout_s: f64) {
        let outcome = &row.outcome;
        self.tasks += 1;
        match (outcome.verdict, row.correct()) {
            (_, Some(false)) => self.wrong += 1,
            (Verdict::Safe, _) => self.safe += 1,
            (Verdict::Unsafe, _) => self.r#unsafe += 1,
            (Verdict::Refused, _) => self.refused += 1,
            (Verdict::Failed, _) => self.failed += 1,
            (Verdict::Unknown, _) => {
                let place = REASONS.iter().position(|reason| *reason == outcome.reason);
                self.unknown[place.unwrap_or(REASONS.len() - 1)] += 1;
            }
        }
        self.cpu_s += outcome.cpu_s;
        self.memory_mb = self.memory_mb.max(outcome.memory_mb);
        let solved = row.correct() == Some(true);
        self.par2_sum_s += if solved { outcome.cpu_s } else { 2.0 * timeout_s };
        self.score += outcome.verdict.score(row.expected);
    }

    pub(crate) fn of<'r>(rows: impl IntoIterator<Item = &'r Row>, timeout_s: f64) -> Tally {
        let mut tally = Tally::default();
        for row in rows {
            tally.add(row, timeout_s);
        }
        tally
    }

    pub(crate) fn solved(&self) -> usize {
        self.safe + self.r#unsafe
    }

    /// Penalised average runtime.
    pub(crate) fn par2_s(&self) -> f64 {
        if self.tasks == 0 { 0.0 } else { self.par2_sum_s / self.tasks as f64 }
    }

    pub(crate) fn json(&self) -> Json {
        let unknown: serde_json::Map<String, Json> = REASONS
            .iter()
            .zip(self.unknown)
            .map(|(reason, count)| ((*reason).to_owned(), json!(count)))
            .collect();
        json!({
            "tasks": self.tasks,
            "solved": self.solved(),
            "safe": self.safe,
            "unsafe": self.r#unsafe,
            "unknown": unknown,
            "refused": self.refused,
            "failed": self.failed,
            "wrong": self.wrong,
            "cpu_s": rounded(self.cpu_s),
            "memory_mb": rounded(self.memory_mb),
            "par2_s": rounded(self.par2_s()),
            "score": self.score,
        })
    }
}

/// To hundredths: sums of measured times carry no more.
pub(crate) fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

/// Sets in the order of their first task, and everything.
pub(crate) struct Summary {
    pub(crate) sets: Vec<(String, Tally)>,
    pub(crate) total: Tally,
}

impl Summary {
    pub(crate) fn of(rows: &[Row], timeout_s: f64) -> Summary {
        let mut sets: Vec<(String, Tally)> = Vec::new();
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for row in rows {
            let place = *places.entry(&row.set).or_insert_with(|| {
                sets.push((row.set.clone(), Tally::default()));
                sets.len() - 1
            });
            sets[place].1.add(row, timeout_s);
        }
        Summary { sets, total: Tally::of(rows, timeout_s) }
    }

    /// The table as cells, the header first and everything last. Reasons that nothing ended with have no
    /// column.
    pub(crate) fn cells(&self) -> Vec<Vec<String>> {
        let shown: Vec<usize> = (0..REASONS.len()).filter(|&reason| self.total.unknown[reason] > 0).collect();
        let mut header = vec!["set", "tasks", "solved", "safe", "unsafe"];
        header.extend(shown.iter().map(|&reason| REASONS[reason]));
        header.extend(["refused", "failed", "wrong", "CPU s", "max MB", "PAR-2 s", "score"]);
        let mut cells = vec![header.into_iter().map(str::to_owned).collect::<Vec<_>>()];
        for (name, tally) in
            self.sets.iter().map(|(name, tally)| (&**name, tally)).chain([("total", &self.total)])
        {
            let mut line = vec![name.to_owned()];
            line.extend(
                [tally.tasks, tally.solved(), tally.safe, tally.r#unsafe].map(|count| count.to_string()),
            );
            line.extend(shown.iter().map(|&reason| tally.unknown[reason].to_string()));
            line.extend([tally.refused, tally.failed, tally.wrong].map(|count| count.to_string()));
            line.push(format!("{:.1}", tally.cpu_s));
            line.push(format!("{:.0}", tally.memory_mb));
            line.push(format!("{:.2}", tally.par2_s()));
            line.push(tally.score.to_string());
            cells.push(line);
        }
        cells
    }

    pub(crate) fn json(&self) -> Json {
        let sets: Vec<Json> = self
            .sets
            .iter()
            .map(|(name, tally)| {
                let mut object = tally.json();
                object["set"] = json!(name);
                object
            })
            .collect();
        json!({ "sets": sets, "total": self.total.json() })
    }
}

/// Cells as text: the first column to the left, numbers to the right; the last line is set apart when it
/// holds sums.
pub(crate) fn align(cells: &[Vec<String>], sums: bool) -> String {
    let columns = cells.first().map_or(0, Vec::len);
    let width = |column: usize| cells.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let rule = format!("{}\n", "-".repeat(widths.iter().sum::<usize>() + 2 * columns.saturating_sub(1)));
    let mut text = String::new();
    for (number, line) in cells.iter().enumerate() {
        if number == 1 || (sums && number + 1 == cells.len()) {
            text.push_str(&rule);
        }
        for (column, cell) in line.iter().enumerate() {
            let width = widths[column];
            let padded = if column == 0 { format!("{cell:<width$}") } else { format!("  {cell:>width$}") };
            text.push_str(&padded);
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

/// What needs a look: wrong verdicts and failures by name, refusals by message.
pub(crate) fn remarks(rows: &[Row]) -> String {
    let mut text = String::new();
    for row in rows.iter().filter(|row| row.correct() == Some(false)) {
        let (verdict, expected) = (row.outcome.verdict.word(), row.expected.word());
        text.push_str(&format!("wrong: {}: {verdict}, but known to be {expected}\n", row.path));
    }
    for row in rows.iter().filter(|row| row.outcome.verdict == Verdict::Failed) {
        text.push_str(&format!("failed: {}: {}: {}\n", row.path, row.outcome.reason, row.outcome.detail));
    }
    for (message, paths) in refusals(rows) {
        text.push_str(&format!("refused: {} × {message} ({}", paths.len(), paths[0]));
        text.push_str(if paths.len() > 1 { ", …)\n" } else { ")\n" });
    }
    let late = rows.iter().filter(|row| row.outcome.detail == reason::BY_THE_CLOCK).count();
    if late > 0 {
        text.push_str(&format!(
            "note: ended by the clock with processor time left (asleep, or on a busy machine): {late}\n"
        ));
    }
    text
}

/// The messages of refusals without their place, the most frequent first, with the tasks.
pub(crate) fn refusals(rows: &[Row]) -> Vec<(String, Vec<&str>)> {
    let mut messages: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.outcome.verdict == Verdict::Refused) {
        messages.entry(without_place(&row.outcome.detail).to_owned()).or_default().push(&row.path);
    }
    let mut messages: Vec<_> = messages.into_iter().collect();
    messages.sort_by_key(|(_, paths)| std::cmp::Reverse(paths.len()));
    messages
}

/// `file:3:7: error: what` without everything before `what`.
fn without_place(message: &str) -> &str {
    message.split_once("error: ").map_or(message, |(_, what)| what)
}

/// Tasks that were solved, by what is known about them; for the head of a report.
pub(crate) fn known(rows: &[Row]) -> (usize, usize) {
    let safe = rows.iter().filter(|row| row.expected == Expected::Safe).count();
    (safe, rows.len() - safe)
}

#[cfg(test)]
mod tests {
    use super::super::results::tests::row;
    use super::*;

    fn rows() -> Vec<Row> {
        let mut rows = vec![
            row("a", Expected::Safe, Verdict::Safe, 1.0),
            row("b", Expected::Unsafe, Verdict::Unsafe, 2.0),
            row("c", Expected::Unsafe, Verdict::Safe, 3.0),
            row("d", Expected::Safe, Verdict::Unknown, 10.0),
            row("e", Expected::Safe, Verdict::Refused, 0.5),
            row("f", Expected::Safe, Verdict::Failed, 0.5),
        ];
        rows[1].set = "t".into();
        rows[4].outcome.detail = "FILE:3:7: error: no threads".into();
        rows[5].outcome.reason = reason::REJECTED.into();
        rows
    }

    #[test]
    fn everything_is_counted_once() {
        let summary = Summary::of(&rows(), 10.0);
        let total = &summary.total;
        assert_eq!((total.tasks, total.solved(), total.safe, total.r#unsafe), (6, 2, 1, 1));
        assert_eq!((total.wrong, total.refused, total.failed), (1, 1, 1));
        assert_eq!(total.unknown, [1, 0, 0, 0, 0, 0]);
        assert_eq!(total.score, 2 + 1 - 32);
        // Two solved in 1 + 2 seconds, four others at twice the limit.
        assert!((total.par2_s() - (1.0 + 2.0 + 4.0 * 20.0) / 6.0).abs() < 1e-9, "{}", total.par2_s());
        let sets: Vec<(&str, usize)> =
            summary.sets.iter().map(|(name, tally)| (&**name, tally.tasks)).collect();
        assert_eq!(sets, [("s", 5), ("t", 1)]);
    }

    #[test]
    fn the_table_is_aligned() {
        let summary = Summary::of(&rows(), 10.0);
        let text = align(&summary.cells(), true);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "set    tasks  solved  safe  unsafe  time limit  refused  failed  wrong  CPU s  max MB  PAR-2 s  score"
        );
        assert_eq!(
            lines[5],
            "total      6       2     1       1           1        1       1      1   17.0      10    13.83    -29",
            "{text}"
        );
        assert!(lines.iter().all(|line| line.len() == lines[0].len()), "{text}");
    }

    #[test]
    fn remarks_name_what_needs_a_look() {
        let text = remarks(&rows());
        assert!(text.contains("wrong: c: safe, but known to be unsafe\n"), "{text}");
        assert!(text.contains("failed: f: evidence rejected: "), "{text}");
        assert!(text.contains("refused: 1 × no threads (e)\n"), "{text}");
        assert_eq!(text.lines().count(), 3, "{text}");
    }

    #[test]
    fn nothing_is_a_table_too() {
        let summary = Summary::of(&[], 10.0);
        assert_eq!(summary.total.par2_s(), 0.0);
        assert_eq!(align(&summary.cells(), true).lines().count(), 3);
    }
}
