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
        line.truncate(150);
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
            Warning::Lead(_) => common.verbose,
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
