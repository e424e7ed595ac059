//! The results file: comments that say how it was made, a header, one row per task.
//!
//! While tasks run, rows are appended in the order in which they end, each in one write: whenever the runner
//! is stopped, what is there is valid, up to a last line that may be incomplete and is then ignored. At the
//! end the file is put into the order of the index. A file is only ever continued under the settings it was
//! made with.

use super::csv::{self, Table};
use super::index::{Expected, Task};
use super::outcome::{Effort, Outcome, Verdict};
use nilas_check::{Refusal, read_text};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

const COLUMNS: [&str; 17] = [
    "path",
    "set",
    "tier",
    "expected",
    "verdict",
    "reason",
    "correct",
    "cpu_s",
    "wall_s",
    "memory_mb",
    "solver_calls",
    "frames",
    "lemmas",
    "nodes",
    "refinements",
    "engine",
    "detail",
];

/// Columns that older files lack, and cells that are empty where the checker does not tell.
const OPTIONAL: [&str; 5] = ["solver_calls", "frames", "lemmas", "nodes", "refinements"];

const SETTINGS: &str = "# settings: ";
const COMMAND: &str = "# command: ";

/// What came of one task.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) path: String,
    pub(crate) set: String,
    pub(crate) tier: String,
    pub(crate) expected: Expected,
    pub(crate) outcome: Outcome,
}

impl Row {
    pub(crate) fn new(task: &Task, outcome: Outcome) -> Row {
        let Task { path, set, tier, expected, .. } = task;
        Row { path: path.clone(), set: set.clone(), tier: tier.clone(), expected: *expected, outcome }
    }

    pub(crate) fn correct(&self) -> Option<bool> {
        self.outcome.verdict.correct(self.expected)
    }

    fn line(&self) -> String {
        let Outcome { verdict, reason, detail, cpu_s, wall_s, memory_mb, engine, effort } = &self.outcome;
        let count = |count: Option<u64>| count.map_or(String::new(), |count| count.to_string());
        let correct = self.correct().map_or("", |correct| if correct { "correct" } else { "wrong" });
        csv::line(&[
            &self.path,
            &self.set,
            &self.tier,
            self.expected.word(),
            verdict.word(),
            reason,
            correct,
            &format!("{cpu_s:.2}"),
            &format!("{wall_s:.2}"),
            &format!("{memory_mb:.1}"),
            &count(effort.solver_calls),
            &count(effort.frames),
            &count(effort.lemmas),
            &count(effort.nodes),
            &count(effort.refinements),
            engine,
            detail,
        ])
    }
}

/// A results file in memory.
#[derive(Clone, Debug)]
pub(crate) struct Results {
    /// What decides about verdicts and times, as one JSON object.
    pub(crate) settings: Json,
    pub(crate) command: String,
    pub(crate) rows: Vec<Row>,
}

impl Results {
    /// The time limit of its runs, for the penalty of what was not solved.
    pub(crate) fn timeout_s(&self) -> f64 {
        self.settings["timeout"].as_f64().unwrap_or(0.0)
    }

    /// Who was measured, in a few words.
    pub(crate) fn title(&self) -> String {
        let text = |key: &str| self.settings[key].as_str().unwrap_or_default();
        match (text("tool"), self.setting()) {
            ("", "") => format!("nilas {}", text("engine")),
            ("", setting) => format!("nilas {} ({setting})", text("engine")),
            (tool, _) => tool.to_owned(),
        }
    }

    /// The name of the setting, where it was one of a grid.
    pub(crate) fn setting(&self) -> &str {
        self.settings["setting"].as_str().unwrap_or_default()
    }

    pub(crate) fn read(path: &Path) -> Result<Results, Refusal> {
        Results::parse(&read_text(path)?)
            .map_err(|message| Refusal::new(format!("{}:{message}", path.display())))
    }

    fn parse(text: &str) -> Result<Results, String> {
        // A last line without its end was cut off.
        let text = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let (mut settings, mut command) = (Json::Null, String::new());
        let (mut rest, mut line_number) = (text, 1);
        while rest.starts_with('#') {
            let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
            if let Some(text) = line.strip_prefix(SETTINGS) {
                settings = serde_json::from_str(text)
                    .map_err(|error| format!("{line_number}: the settings cannot be read: {error}"))?;
            }
            if let Some(text) = line.strip_prefix(COMMAND) {
                command = text.to_owned();
            }
            rest = after;
            line_number += 1;
        }
        if settings.is_null() {
            return Err("1: no results of `nilas bench`: a line with its settings is missing".into());
        }
        let table = Table::parse(rest, line_number).map_err(|error| error.to_string())?;
        let mut there = COLUMNS.to_vec();
        there.retain(|column| !OPTIONAL.contains(column) || table.column(column).is_some());
        if table.header != there {
            return Err(format!("{line_number}: other columns than {}", COLUMNS.join(",")));
        }
        let mut rows = Vec::new();
        for record in table.records {
            let bad = |what: &str| format!("{}: {what}", record.line);
            let field = |column: &str| {
                let place = there.iter().position(|name| *name == column);
                place.map_or("", |place| &*record.fields[place])
            };
            let number = |column: &str| {
                let number =
                    field(column).parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
                number.ok_or_else(|| bad(&format!("`{column}` is no number: `{}`", field(column))))
            };
            let count = |column: &str| match field(column) {
                "" => Ok(None),
                text => {
                    let count = text.parse::<u64>();
                    count.map(Some).map_err(|_| bad(&format!("`{column}` is no count: `{text}`")))
                }
            };
            let outcome = Outcome {
                verdict: Verdict::parse(field("verdict")).ok_or_else(|| bad("no such verdict"))?,
                reason: field("reason").to_owned(),
                detail: field("detail").to_owned(),
                cpu_s: number("cpu_s")?,
                wall_s: number("wall_s")?,
                memory_mb: number("memory_mb")?,
                engine: field("engine").to_owned(),
                effort: Effort {
                    solver_calls: count("solver_calls")?,
                    frames: count("frames")?,
                    lemmas: count("lemmas")?,
                    nodes: count("nodes")?,
                    refinements: count("refinements")?,
                },
            };
            rows.push(Row {
                path: field("path").to_owned(),
                set: field("set").to_owned(),
                tier: field("tier").to_owned(),
                expected: Expected::parse(field("expected"))
                    .ok_or_else(|| bad("`expected` is neither safe nor unsafe"))?,
                outcome,
            });
        }
        Ok(Results { settings, command, rows })
    }

    fn head(&self) -> String {
        let settings = &self.settings;
        format!("{SETTINGS}{settings}\n{COMMAND}{}\n{}", self.command, csv::line(&COLUMNS))
    }

    fn text(&self) -> String {
        let mut text = self.head();
        for row in &self.rows {
            text.push_str(&row.line());
        }
        text
    }
}

/// A results file that rows are added to.
pub(crate) struct Writer {
    path: PathBuf,
    file: File,
    /// What is in the file, as far as it was there before.
    pub(crate) results: Results,
}

impl Writer {
    /// Starts a file, or goes on with one that was made under the same settings.
    pub(crate) fn open(path: &Path, settings: &Json, command: &str) -> Result<Writer, Refusal> {
        let fresh = Results { settings: settings.clone(), command: command.to_owned(), rows: Vec::new() };
        let there = std::fs::metadata(path).is_ok_and(|metadata| metadata.len() > 0);
        let results = if there { Results::read(path)? } else { fresh };
        if results.settings != *settings {
            let message = format!(
                "nilas: `{}` was made with other settings; name another file, or remove it to start anew\n  there: {}\n  now:   {settings}",
                path.display(),
                results.settings
            );
            return Err(Refusal::usage(message));
        }
        // Written whole, so that a line that was cut off is gone.
        replace(path, &results.text())?;
        let file = File::options().append(true).open(path).map_err(|error| cannot_write(path, &error))?;
        Ok(Writer { path: path.to_owned(), file, results })
    }

    pub(crate) fn add(&mut self, row: Row) -> Result<(), Refusal> {
        self.file.write_all(row.line().as_bytes()).map_err(|error| cannot_write(&self.path, &error))?;
        self.results.rows.push(row);
        Ok(())
    }

    /// Puts the file into the order of the index; rows of other tasks come last.
    pub(crate) fn finish(mut self, order: &[Task]) -> Result<(), Refusal> {
        let place: BTreeMap<&str, usize> =
            order.iter().enumerate().map(|(place, task)| (&*task.path, place)).collect();
        self.results.rows.sort_by_key(|row| place.get(&*row.path).copied().unwrap_or(usize::MAX));
        replace(&self.path, &self.results.text())
    }
}

/// Writes a file so that at any time there is either the old one or the new one.
pub(crate) fn replace(path: &Path, text: &str) -> Result<(), Refusal> {
    // Something like /dev/stdout cannot be replaced, only written to.
    if std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return std::fs::write(path, text).map_err(|error| cannot_write(path, &error));
    }
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    let part = PathBuf::from(name);
    let written = std::fs::write(&part, text).and_then(|()| std::fs::rename(&part, path));
    written.map_err(|error| cannot_write(path, &error))
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Refusal {
    Refusal::usage(format!("nilas: cannot write `{}`: {error}", path.display()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
pub(crate) mod tests {
    use super::*;

    /// A row with a verdict and a time.
    pub(crate) fn row(path: &str, expected: Expected, verdict: Verdict, cpu_s: f64) -> Row {
        let outcome = Outcome {
            verdict,
            reason: if verdict == Verdict::Unknown { "time limit".into() } else { String::new() },
            detail: "a \"detail\", with a comma".into(),
            cpu_s,
            wall_s: cpu_s,
            memory_mb: 10.0,
            engine: "bmc".into(),
            effort: Effort { solver_calls: Some(70), ..Effort::default() },
        };
        Row { path: path.into(), set: "s".into(), tier: "T1".into(), expected, outcome }
    }

    fn results() -> Results {
        let rows = vec![
            row("b.c", Expected::Unsafe, Verdict::Safe, 1.5),
            row("a, or so.c", Expected::Safe, Verdict::Unknown, 15.0),
        ];
        Results { settings: serde_json::json!({ "timeout": 15.0 }), command: "nilas bench".into(), rows }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let text = results().text();
        let again = Results::parse(&text).unwrap();
        assert_eq!(again.rows, results().rows, "{text}");
        assert_eq!(again.timeout_s(), 15.0);
        assert_eq!(again.command, "nilas bench");
    }

    #[test]
    fn a_line_that_was_cut_off_is_ignored() {
        let text = results().text();
        assert_eq!(Results::parse(&text[..text.len() - 3]).unwrap().rows, results().rows[..1]);
    }

    #[test]
    fn files_without_the_counts_are_read_too() {
        let new = results().text();
        let none = new.replace("solver_calls,frames,lemmas,nodes,refinements,", "").replace(",70,,,,,", ",");
        let rows = Results::parse(&none).unwrap().rows;
        assert_eq!(rows.len(), 2, "{none}");
        assert!(rows.iter().all(|row| row.outcome.effort == Effort::default()), "{none}");
        let some = new.replace("nodes,refinements,", "").replace(",70,,,,,", ",70,,,");
        assert_eq!(Results::parse(&some).unwrap().rows, results().rows, "{some}");
    }

    #[test]
    fn mistakes_are_named() {
        let text = results().text();
        for (from, to, part) in [
            ("# settings: ", "# s: ", "1: no results"),
            ("{", "{{", "1: the settings"),
            ("path,set", "path,sets", "3: other columns"),
            ("1.50", "-1.50", "4: `cpu_s`"),
            (",70,", ",7.5,", "4: `solver_calls`"),
            ("frames,lemmas", "lemmas,frames", "3: other columns"),
            ("unsafe,safe", "unsafe,saf", "4: no such verdict"),
        ] {
            let message = Results::parse(&text.replacen(from, to, 1)).unwrap_err();
            assert!(message.starts_with(part), "{from}: {message}");
        }
    }
}
