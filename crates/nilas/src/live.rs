//! What is told while a check is on its way, on standard error: warnings, events, and on a terminal one line
//! about what the engines are doing.

use crate::cli::CheckArgs;
use crate::system;
use nilas_check::{Goal, Observer, Status, Warning};
use nilas_engine::Progress;
use std::io::{IsTerminal, Write};
use std::time::Duration;

/// Tells what a check does.
pub(crate) struct Live<'a> {
    args: &'a CheckArgs,
    /// The progress of all engines is shown in one line.
    enabled: bool,
    shown: bool,
}

impl<'a> Live<'a> {
    pub(crate) fn new(args: &'a CheckArgs) -> Self {
        let enabled = !args.common.quiet && !args.common.json && std::io::stderr().is_terminal();
        Live { args, enabled, shown: false }
    }
}

/// How many columns the terminal has.
fn terminal_width() -> usize {
    terminal_size::terminal_size_of(std::io::stderr()).map_or(80, |(width, _)| usize::from(width.0))
}

/// As much of a line as fits, so that it is one line and can be written over.
fn fitted(line: &str, width: usize) -> String {
    // The last column stays free: some terminals go to the next line behind it.
    let most = width.saturating_sub(1);
    match line.char_indices().nth(most) {
        None => line.to_owned(),
        Some(_) => line.chars().take(most.saturating_sub(1)).chain(['…'].into_iter().take(most)).collect(),
    }
}

impl Observer for Live<'_> {
    fn progress(&mut self, elapsed: Duration, engines: &[Status]) {
        let seconds = elapsed.as_secs_f64();
        if !self.enabled || seconds < 0.2 {
            return;
        }
        let mut line = format!("{seconds:6.1} s");
        for Status { progress, found } in engines.iter().filter(|it| !it.progress.engine.is_empty()) {
            let Progress { engine, frame, lemmas, nodes, obligations, .. } = progress;
            if let Some(found) = found {
                let since = seconds - found.as_secs_f64();
                line.push_str(&format!(" | checking evidence of {engine}, {since:.1} s"));
                continue;
            }
            line.push_str(&match nodes {
                0 => format!(" | {engine}: frame {frame}"),
                nodes => format!(" | {engine}: {nodes} nodes"),
            });
            if *lemmas > 0 || *obligations > 0 {
                line.push_str(&format!(", {lemmas} lemmas, {obligations} obligations"));
            }
        }
        let line = fitted(&line, terminal_width());
        let _ = write!(std::io::stderr(), "\r\x1b[2K{line}");
        let _ = std::io::stderr().flush();
        self.shown = true;
    }

    fn searched(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(std::io::stderr(), "\r\x1b[2K");
            let _ = std::io::stderr().flush();
        }
    }

    fn wants_events(&self) -> bool {
        self.args.common.verbose
    }

    fn event(&mut self, event: &str) {
        let _ = writeln!(std::io::stderr(), "{event}");
    }

    fn warning(&mut self, warning: &Warning) {
        let common = &self.args.common;
        let told = match warning {
            Warning::Differences(_) => !common.quiet,
            Warning::Lead(_) | Warning::Inlined(_) => common.verbose,
            Warning::Unrecorded(_) | Warning::Rejected { .. } => true,
        };
        if told {
            let _ = writeln!(std::io::stderr(), "{warning}");
        }
    }

    fn goal(&mut self, goal: &Goal) {
        if !self.args.common.json {
            crate::print(&system::goal(self.args, goal));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::fitted;

    #[test]
    fn a_line_fits_any_width() {
        let line = "  1.0 s | bmc: frame 12 | ic3cfa: frame 3, 17 lemmas, 2 obligations";
        assert_eq!(fitted(line, 200), line);
        for width in 0..=line.len() + 2 {
            let shown = fitted(line, width);
            assert!(shown.chars().count() < width.max(1), "{width}: {shown}");
        }
        assert_eq!(fitted("abcdef", 5), "abc…");
    }
}
