//! Tables that others have published, read as if they were results of a run.
//!
//! Such a table is CSV with the columns `path` and `expected`, and for each tool `TOOL_status` (or just
//! `TOOL`) and `TOOL_s`; if there are any, `TOOL_smt_calls`, `TOOL_k` (frames) and `TOOL_mb` are used too.
//! Rows without a path or a status are left out: those programs cannot be compared.

use super::csv::{Malformed, Record, Table};
use super::index::{self, Expected};
use super::outcome::{Effort, Outcome, Verdict, reason};
use super::results::{Results, Row};
use nilas_check::{Refusal, read_text};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What `--compare` names: results of `nilas bench`, or `TABLE.csv:TOOL`, where the tool may be left out if
/// there is only one.
pub(crate) fn read(named: &Path) -> Result<Results, Refusal> {
    let (path, tool) = split(named);
    let text = read_text(&path)?;
    // Results start with how they were made.
    if text.starts_with('#') {
        return Results::read(&path);
    }
    let refuse = |error: Malformed| Refusal::new(format!("{}:{error}", path.display()));
    let table = Table::parse(&text, 1).map_err(refuse)?;
    let tools = tools(&table);
    if tools.is_empty() {
        let message = "no results of `nilas bench`, nor a table with the columns `path`, `expected`, `TOOL_status` and `TOOL_s`";
        return Err(refuse(Malformed { line: 1, message: message.into() }));
    }
    let tool = match (&tool, &*tools) {
        (Some(tool), _) if tools.contains(tool) => tool,
        (None, [tool]) => tool,
        _ => {
            let (path, tools) = (path.display(), tools.join(", "));
            let message = format!("nilas: name one of the tools of `{path}`, as in `{path}:TOOL`: {tools}");
            return Err(Refusal::usage(message));
        }
    };
    let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    results(&table, tool, &file).map_err(refuse)
}

/// A file and the tool after the colon. A file whose name holds a colon is itself.
fn split(named: &Path) -> (PathBuf, Option<String>) {
    let text = named.to_string_lossy();
    match text.rsplit_once(':') {
        Some((path, tool)) if !named.exists() && !tool.contains('/') => (path.into(), Some(tool.to_owned())),
        _ => (named.to_owned(), None),
    }
}

/// The tools that a table tells about.
fn tools(table: &Table) -> Vec<String> {
    let seconds = table.header.iter().filter_map(|column| column.strip_suffix("_s"));
    let known = ["path", "expected"].iter().all(|column| table.column(column).is_some());
    seconds.filter(|tool| known && status(table, tool).is_some()).map(str::to_owned).collect()
}

fn status(table: &Table, tool: &str) -> Option<usize> {
    table.column(&format!("{tool}_status")).or_else(|| table.column(tool))
}

fn results(table: &Table, tool: &str, file: &str) -> Result<Results, Malformed> {
    let column = |suffix: &str| table.column(&format!("{tool}_{suffix}"));
    let (path, expected, set, tier) =
        (table.column("path"), table.column("expected"), table.column("set"), table.column("tier"));
    let (status, seconds, calls) = (status(table, tool), column("s"), column("smt_calls"));
    let (frames, megabytes) = (column("k"), column("mb"));
    let mut rows = Vec::new();
    let mut seen = BTreeSet::new();
    for Record { line, fields } in &table.records {
        let refuse = |message: String| Malformed { line: *line, message };
        let field = |column: Option<usize>| column.map(|column| fields[column].trim()).unwrap_or_default();
        let number = |column: Option<usize>| match field(column) {
            "" => Ok(None),
            text => match text.parse::<f64>() {
                Ok(number) if number.is_finite() && number >= 0.0 => Ok(Some(number)),
                _ => Err(refuse(format!("`{text}` is no number"))),
            },
        };
        let (path, status) = (field(path), field(status));
        if path.is_empty() || status.is_empty() {
            continue;
        }
        if !seen.insert(path.to_owned()) {
            return Err(refuse(format!("`{path}` is listed twice")));
        }
        let (verdict, reason) = match &*status.to_lowercase() {
            "true" | "safe" => (Verdict::Safe, ""),
            "false" | "unsafe" => (Verdict::Unsafe, ""),
            "timeout" => (Verdict::Unknown, reason::TIME),
            "memory" | "memout" => (Verdict::Unknown, reason::MEMORY),
            _ => (Verdict::Unknown, reason::OTHER),
        };
        let Some(expected) = Expected::parse(field(expected)) else {
            return Err(refuse(format!("`expected` is `{}` instead of true or false", field(expected))));
        };
        let cpu_s = number(seconds)?;
        if cpu_s.is_none() && reason.is_empty() {
            return Err(refuse(format!("solved, but `{tool}_s` is empty")));
        }
        let outcome = Outcome {
            verdict,
            reason: reason.to_owned(),
            detail: if reason == reason::OTHER { status.to_owned() } else { String::new() },
            cpu_s: cpu_s.unwrap_or(0.0),
            wall_s: cpu_s.unwrap_or(0.0),
            memory_mb: number(megabytes)?.unwrap_or(0.0),
            engine: String::new(),
            effort: Effort {
                solver_calls: number(calls)?.map(|calls| calls as u64),
                frames: number(frames)?.map(|frames| frames as u64),
                ..Effort::default()
            },
        };
        let set = index::set_or_folder(field(set), path);
        rows.push(Row { path: path.to_owned(), set, tier: field(tier).to_owned(), expected, outcome });
    }
    // The limit is not part of such a table, but something usually ran into it.
    let longest = rows.iter().map(|row| row.outcome.cpu_s).fold(0.0, f64::max);
    let settings = json!({ "tool": format!("{tool} ({file})"), "timeout": longest });
    Ok(Results { settings, command: format!("(published: {file})"), rows })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn read(text: &str, tool: &str) -> Result<Results, String> {
        let table = Table::parse(text, 1).unwrap();
        assert!(tools(&table).contains(&tool.to_owned()), "{:?}", tools(&table));
        results(&table, tool, "t.csv").map_err(|error| error.to_string())
    }

    const HEADER: &str = "name,expected,x_status,x_s,x_smt_calls,x_k,x_mb,path\n";

    #[test]
    fn rows_with_a_path_are_read() {
        let text = format!(
            "{HEADER}one,true,true,13,1708,24,65,a/1.c\nno file,true,true,1,1,1,1,\n\
             two,false,Timeout,1800,,,1620,a/2.c\nthree,true,false,0.5,,,60,a/3.c\nfour,true,Memory,9,,,4000,a/4.c\n"
        );
        let results = read(&text, "x").unwrap();
        assert_eq!(results.title(), "x (t.csv)");
        assert_eq!(results.timeout_s(), 1800.0);
        let told: Vec<_> = results
            .rows
            .iter()
            .map(|row| (&*row.path, row.correct(), &*row.outcome.reason, row.outcome.effort.solver_calls))
            .collect();
        let expected = [
            ("a/1.c", Some(true), "", Some(1708)),
            ("a/2.c", None, reason::TIME, None),
            ("a/3.c", Some(false), "", None),
            ("a/4.c", None, reason::MEMORY, None),
        ];
        assert_eq!(told, expected);
        let first = &results.rows[0];
        assert_eq!(
            (&*first.set, first.outcome.memory_mb, first.outcome.effort.frames),
            ("a", 65.0, Some(24))
        );
    }

    #[test]
    fn several_tools_are_told_apart() {
        let text = "path,expected,a,a_s,b,b_s,c_s\nx.c,true,true,1,timeout,15,1\ny.c,true,,,error,2,1\n";
        let table = Table::parse(text, 1).unwrap();
        assert_eq!(tools(&table), ["a", "b"]);
        assert_eq!(read(text, "a").unwrap().rows.len(), 1);
        let rows = read(text, "b").unwrap().rows;
        assert_eq!((&*rows[1].outcome.reason, &*rows[1].outcome.detail), (reason::OTHER, "error"));
        assert_eq!(split(Path::new("/none/t.csv:b")), ("/none/t.csv".into(), Some("b".into())));
        assert_eq!(split(Path::new("/none/t.csv")), ("/none/t.csv".into(), None));
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (row, part) in [
            ("1,maybe,true,1,,,,x.c", "2: `expected`"),
            ("1,true,true,fast,,,,x.c", "2: `fast` is no number"),
            ("1,true,true,,,,,x.c", "2: solved, but `x_s` is empty"),
            ("1,true,true,1,,,,x.c\n2,true,true,1,,,,x.c", "3: `x.c` is listed twice"),
        ] {
            let message = read(&format!("{HEADER}{row}\n"), "x").unwrap_err();
            assert!(message.starts_with(part), "{row}: {message}");
        }
    }
}
