//! The progress bar of a benchmark run, on a terminal only.

use super::outcome::Verdict;
use super::results::Row;
use std::io::{IsTerminal, Write};
use std::time::Instant;

const WIDTH: usize = 20;

/// How often the bar is drawn.
pub(crate) const REDRAW: std::time::Duration = std::time::Duration::from_millis(200);

/// Counts what is done and shows it in one line of standard error.
pub(crate) struct Progress {
    enabled: bool,
    verbose: bool,
    shown: bool,
    started: Instant,
    tasks: usize,
    /// Rows that were there before, which took no time now.
    kept: usize,
    done: usize,
    solved: usize,
    wrong: usize,
    failed: usize,
}

impl Progress {
    pub(crate) fn new(tasks: usize, kept: &[Row], quiet: bool, verbose: bool) -> Progress {
        let enabled = !quiet && std::io::stderr().is_terminal();
        let mut progress = Progress {
            enabled,
            verbose,
            shown: false,
            started: Instant::now(),
            tasks,
            kept: kept.len(),
            done: 0,
            solved: 0,
            wrong: 0,
            failed: 0,
        };
        for row in kept {
            progress.count(row);
        }
        progress
    }

    fn count(&mut self, row: &Row) {
        self.done += 1;
        match row.correct() {
            Some(true) => self.solved += 1,
            Some(false) => self.wrong += 1,
            None => self.failed += usize::from(row.outcome.verdict == Verdict::Failed),
        }
    }

    /// A task has ended, under a setting that may have a name.
    pub(crate) fn add(&mut self, row: &Row, setting: &str) {
        self.count(row);
        if self.verbose {
            self.clear();
            let outcome = &row.outcome;
            let wrong = if row.correct() == Some(false) { " WRONG" } else { "" };
            let why =
                if outcome.reason.is_empty() { String::new() } else { format!(" ({})", outcome.reason) };
            let setting = if setting.is_empty() { String::new() } else { format!("{setting}: ") };
            let _ = writeln!(
                std::io::stderr(),
                "{}/{} {setting}{}: {}{why}{wrong}, {:.2} s, {:.0} MB",
                self.done,
                self.tasks,
                row.path,
                outcome.verdict.word(),
                outcome.cpu_s,
                outcome.memory_mb
            );
        }
    }

    /// Draws the bar anew.
    pub(crate) fn draw(&mut self) {
        if !self.enabled {
            return;
        }
        let _ = write!(std::io::stderr(), "\r\x1b[2K{}", self.line(self.started.elapsed().as_secs_f64()));
        let _ = std::io::stderr().flush();
        self.shown = true;
    }

    fn line(&self, seconds: f64) -> String {
        let filled = (self.done * WIDTH).checked_div(self.tasks).unwrap_or(WIDTH).min(WIDTH);
        let bar: String = (0..WIDTH).map(|place| if place < filled { '#' } else { '.' }).collect();
        let mut line = format!("[{bar}] {}/{}  {} solved", self.done, self.tasks, self.solved);
        for (count, what) in [(self.wrong, "wrong"), (self.failed, "failed")] {
            if count > 0 {
                line.push_str(&format!(", {count} {what}"));
            }
        }
        line.push_str(&format!("  {}", clock(seconds)));
        let ran = self.done - self.kept;
        if ran > 0 {
            let left = seconds / ran as f64 * self.tasks.saturating_sub(self.done) as f64;
            line.push_str(&format!(", about {} left", clock(left)));
        }
        line
    }

    /// Removes the bar.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(std::io::stderr(), "\r\x1b[2K");
            let _ = std::io::stderr().flush();
        }
    }
}

/// Minutes and seconds.
fn clock(seconds: f64) -> String {
    let seconds = seconds as u64;
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::super::index::Expected;
    use super::super::results::tests::row;
    use super::*;

    #[test]
    fn the_line_counts_and_estimates() {
        let kept =
            [row("a", Expected::Safe, Verdict::Safe, 1.0), row("b", Expected::Safe, Verdict::Unknown, 1.0)];
        let mut progress = Progress::new(8, &kept, true, false);
        progress.add(&row("c", Expected::Safe, Verdict::Unsafe, 1.0), "");
        progress.add(&row("d", Expected::Safe, Verdict::Safe, 1.0), "");
        assert_eq!(
            progress.line(30.0),
            "[##########..........] 4/8  2 solved, 1 wrong  0:30, about 1:00 left"
        );
    }
}
