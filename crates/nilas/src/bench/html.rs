//! A report in one HTML file that needs nothing else: tables, plots, and every task.

use super::plot::{self, Series};
use super::results::{Results, Row};
use super::table::{self, Summary};

const STYLE: &str = "
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 1100px; padding: 0 1em; color: #1b1b1b; }
h1 { font-size: 1.5em; } h2 { font-size: 1.15em; margin-top: 2em; }
code { font-size: 0.9em; overflow-wrap: anywhere; }
table { border-collapse: collapse; font-size: 0.88em; }
th, td { padding: 2px 9px; text-align: right; border-bottom: 1px solid #e3e3e3; white-space: nowrap; }
th:first-child, td:first-child, td.text { text-align: left; }
td.text { white-space: normal; }
thead th { position: sticky; top: 0; background: #fff; border-bottom: 2px solid #999; }
tr.total td { border-top: 2px solid #999; font-weight: 600; }
tr.wrong, tr.failed { background: #fde0dc; } tr.solved { background: #e9f5ea; }
.scroll { overflow-x: auto; }
";

/// Text that is not markup.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// A whole page.
pub(crate) fn page(title: &str, body: &str) -> String {
    let title = escape(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{body}</body>\n</html>\n"
    )
}

/// Cells whose first line is the header; the last line is set apart when it holds sums.
pub(crate) fn table(cells: &[Vec<String>], sums: bool) -> String {
    let mut html = String::from("<div class=\"scroll\"><table>\n");
    for (number, line) in cells.iter().enumerate() {
        let (tag, row) = match number {
            0 => ("th", "<thead><tr>"),
            _ if sums && number + 1 == cells.len() => ("td", "<tr class=\"total\">"),
            _ => ("td", "<tr>"),
        };
        html.push_str(row);
        for cell in line {
            html.push_str(&format!("<{tag}>{}</{tag}>", escape(cell)));
        }
        html.push_str(if number == 0 { "</tr></thead>\n" } else { "</tr>\n" });
    }
    html.push_str("</table></div>\n");
    html
}

/// What was solved, for a cactus plot.
pub(crate) fn series(name: &str, rows: &[Row]) -> Series {
    let solved = rows.iter().filter(|row| row.correct() == Some(true));
    Series { name: name.to_owned(), times_s: solved.map(|row| row.outcome.cpu_s).collect() }
}

/// How a run was made.
pub(crate) fn origin(results: &Results) -> String {
    format!(
        "<p>Made by <code>{}</code><br>with <code>{}</code></p>\n",
        escape(&results.command),
        escape(&results.settings.to_string())
    )
}

/// The report of one run.
pub(crate) fn report(results: &Results) -> String {
    let rows = &results.rows;
    let summary = Summary::of(rows, results.timeout_s());
    let (safe, r#unsafe) = table::known(rows);
    let mut body = origin(results);
    body.push_str(&format!(
        "<p>{} tasks, {safe} known to be safe and {unsafe} to be unsafe: {} solved, {} wrong, {} failed.</p>\n",
        rows.len(),
        summary.total.solved(),
        summary.total.wrong,
        summary.total.failed
    ));
    body.push_str("<h2>Sets</h2>\n");
    body.push_str(&table(&summary.cells(), true));
    body.push_str(
        "<p>PAR-2 is the average of the processor seconds, with twice the limit for what was not solved. Points: 2 for safe, 1 for unsafe, \
         −32 for a wrong safe, −16 for a wrong unsafe. Failed: rejected evidence, crashes.</p>\n",
    );
    body.push_str("<h2>Solved tasks by time</h2>\n");
    body.push_str(&plot::cactus(&[series(&results.title(), rows)], results.timeout_s()));
    let refusals = table::refusals(rows);
    if !refusals.is_empty() {
        body.push_str("<h2>Refused</h2>\n<ul>\n");
        for (message, paths) in refusals {
            let (message, count, paths) = (escape(&message), paths.len(), escape(&paths.join(", ")));
            body.push_str(&format!("<li>{count} × {message}<br><code>{paths}</code></li>\n"));
        }
        body.push_str("</ul>\n");
    }
    body.push_str("<h2>Tasks</h2>\n");
    body.push_str(&tasks(rows));
    page(&format!("Benchmark of {}", results.title()), &body)
}

fn tasks(rows: &[Row]) -> String {
    let mut html = String::from("<div class=\"scroll\"><table>\n<thead><tr>");
    for column in
        ["path", "tier", "expected", "verdict", "CPU s", "wall s", "MB", "calls", "engine", "reason"]
    {
        html.push_str(&format!("<th>{column}</th>"));
    }
    html.push_str("</tr></thead>\n");
    for row in rows {
        let outcome = &row.outcome;
        let class = match row.correct() {
            Some(true) => "solved",
            Some(false) => "wrong",
            None => outcome.verdict.word(),
        };
        let why = match (&*outcome.reason, &*outcome.detail) {
            (reason, "") => reason.to_owned(),
            (reason, detail) => format!("{reason}: {detail}"),
        };
        html.push_str(&format!("<tr class=\"{class}\">"));
        for cell in [
            &row.path,
            &row.tier,
            row.expected.word(),
            outcome.verdict.word(),
            &format!("{:.2}", outcome.cpu_s),
            &format!("{:.2}", outcome.wall_s),
            &format!("{:.0}", outcome.memory_mb),
            &outcome.effort.solver_calls.map_or(String::new(), |calls| calls.to_string()),
            &outcome.engine,
        ] {
            html.push_str(&format!("<td>{}</td>", escape(cell)));
        }
        html.push_str(&format!("<td class=\"text\">{}</td></tr>\n", escape(&why)));
    }
    html.push_str("</table></div>\n");
    html
}

#[cfg(test)]
mod tests {
    use super::super::index::Expected;
    use super::super::outcome::Verdict;
    use super::super::results::tests::row;
    use super::*;

    #[test]
    fn a_report_stands_alone() {
        let rows = vec![
            row("a<script>.c", Expected::Safe, Verdict::Safe, 1.0),
            row("b.c", Expected::Safe, Verdict::Unsafe, 1.0),
            row("c.c", Expected::Safe, Verdict::Refused, 1.0),
        ];
        let settings = serde_json::json!({ "timeout": 15.0, "engine": "bmc" });
        let html = report(&Results { settings, command: "nilas bench <x>".into(), rows });
        assert!(html.contains("a&lt;script&gt;.c") && !html.contains("<script"), "{html}");
        assert!(html.contains("<tr class=\"wrong\"><td>b.c</td>"), "{html}");
        assert!(html.contains("Benchmark of nilas bmc"), "{html}");
        // The only address is the name of the SVG namespace, which nothing is loaded from.
        let others = html.replace("http://www.w3.org/2000/svg", "");
        for external in ["http://", "https://", "src=", "href=", "url(", "@import"] {
            assert!(!others.contains(external), "{external}");
        }
        for tag in ["table", "tr", "td", "th", "svg", "ul", "li", "div", "body", "html", "p"] {
            let (open, close) = (
                html.matches(&format!("<{tag}>")).count() + html.matches(&format!("<{tag} ")).count(),
                html.matches(&format!("</{tag}>")).count(),
            );
            assert_eq!(open, close, "{tag}");
        }
    }
}
