//! Several settings over the same tasks: a line per setting, in the manner of tables 6.1 and 6.2 of the
//! IC3CFA thesis, and each setting against the last one, as in its figures 6.1.1 and 6.1.3.
//!
//! Times, calls and memory are summed over solved tasks: what an unsolved one took is only the limit. Sums
//! over tasks that every setting solved can be compared line by line.

use super::compare::Comparison;
use super::html;
use super::plot::{self, Quantity};
use super::ratio::{Ratios, factor};
use super::results::{Results, Row};
use super::table::{self, Tally, align, rounded};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;

/// Runs that differ in their setting only. All have the same tasks, in the same order.
pub(crate) struct Ablation<'r> {
    runs: &'r [Results],
    /// Tasks that every setting solved.
    common: BTreeSet<&'r str>,
    /// Those of them of which every setting tells the number of its calls.
    counted: BTreeSet<&'r str>,
}

/// What some tasks took together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sums {
    cpu_s: f64,
    calls: u64,
    memory_mb: f64,
}

impl Sums {
    fn of<'r>(rows: impl Iterator<Item = &'r Row>) -> Sums {
        let mut sums = Sums::default();
        for Row { outcome, .. } in rows {
            sums.cpu_s += outcome.cpu_s;
            sums.calls += outcome.effort.solver_calls.unwrap_or(0);
            sums.memory_mb += outcome.memory_mb;
        }
        sums
    }

    fn json(self) -> Json {
        json!({ "cpu_s": rounded(self.cpu_s), "solver_calls": self.calls, "memory_mb": rounded(self.memory_mb) })
    }
}

fn solved(row: &Row) -> bool {
    row.correct() == Some(true)
}

impl<'r> Ablation<'r> {
    pub(crate) fn new(runs: &'r [Results]) -> Ablation<'r> {
        let in_all = |wanted: fn(&Row) -> bool| -> BTreeSet<&'r str> {
            let sets = runs.iter().map(|run| {
                let rows = run.rows.iter().filter(|row| wanted(row));
                rows.map(|row| &*row.path).collect::<BTreeSet<&str>>()
            });
            sets.reduce(|a, b| a.intersection(&b).copied().collect()).unwrap_or_default()
        };
        let counted = |row: &Row| solved(row) && row.outcome.effort.solver_calls.is_some();
        Ablation { runs, common: in_all(solved), counted: in_all(counted) }
    }

    fn sums(&self, run: &Results) -> [Sums; 3] {
        let over = |wanted: &dyn Fn(&Row) -> bool| Sums::of(run.rows.iter().filter(|row| wanted(row)));
        [
            over(&solved),
            over(&|row| self.common.contains(&*row.path)),
            over(&|row| self.counted.contains(&*row.path)),
        ]
    }

    fn tally(run: &Results) -> Tally {
        Tally::of(&run.rows, run.timeout_s())
    }

    /// A line per setting.
    fn cells(&self) -> Vec<Vec<String>> {
        let header = [
            "setting",
            "solved",
            "safe",
            "unsafe",
            "failed",
            "wrong",
            "score",
            "CPU s",
            "t solved",
            "calls solved",
            "MB solved",
            "t common",
            "calls common",
            "MB common",
        ];
        let mut cells = vec![header.map(str::to_owned).to_vec()];
        for run in self.runs {
            let tally = Self::tally(run);
            let [all, common, counted] = self.sums(run);
            cells.push(vec![
                run.setting().to_owned(),
                format!("{} / {}", tally.solved(), tally.tasks),
                tally.safe.to_string(),
                tally.r#unsafe.to_string(),
                tally.failed.to_string(),
                tally.wrong.to_string(),
                tally.score.to_string(),
                format!("{:.1}", tally.cpu_s),
                format!("{:.1}", all.cpu_s),
                all.calls.to_string(),
                format!("{:.0}", all.memory_mb),
                format!("{:.1}", common.cpu_s),
                counted.calls.to_string(),
                format!("{:.0}", common.memory_mb),
            ]);
        }
        cells
    }

    fn legend(&self) -> String {
        let (common, counted) = (self.common.len(), self.counted.len());
        let partly = if counted < common { format!(" (calls: {counted} tasks)") } else { String::new() };
        format!(
            "CPU s: processor seconds of all tasks; solved: sums over what the setting solved; common: over the {common} tasks that all solved{partly}."
        )
    }

    /// Each setting but the last against the last.
    fn comparisons(&self) -> Vec<Comparison<'r>> {
        let Some((last, others)) = self.runs.split_last() else { return Vec::new() };
        others.iter().map(|run| Comparison::new(last, run, ["", ""])).collect()
    }

    /// A line per setting against the last one: who solved what, and how many times as much the setting takes
    /// of what both solved.
    fn against_last(&self) -> Vec<Vec<String>> {
        let last = self.runs.last().map(Results::setting).unwrap_or_default();
        let header = [
            format!("against {last}"),
            "both solve".into(),
            format!("only {last}"),
            "only it".into(),
            "t".into(),
            format!("t {last}"),
            "t ratio median".into(),
            "calls".into(),
            format!("calls {last}"),
            "calls ratio median".into(),
            "mean".into(),
        ];
        let mut cells = vec![header.to_vec()];
        for (comparison, run) in self.comparisons().iter().zip(self.runs) {
            let [both, only_last, only_it] = comparison.counts();
            let (times, calls) =
                (comparison.taken(Quantity::CpuSeconds), comparison.taken(Quantity::SolverCalls));
            let ((last_s, it_s), (last_calls, it_calls)) = (times.sums(), calls.sums());
            let ratio = |ratio: Option<f64>| ratio.map_or("-".to_owned(), factor);
            let calls = calls.ratios();
            cells.push(vec![
                run.setting().to_owned(),
                both.to_string(),
                only_last.to_string(),
                only_it.to_string(),
                format!("{it_s:.1}"),
                format!("{last_s:.1}"),
                ratio(times.ratios().map(|ratios| ratios.median())),
                format!("{it_calls:.0}"),
                format!("{last_calls:.0}"),
                ratio(calls.as_ref().map(Ratios::median)),
                ratio(calls.as_ref().map(Ratios::mean)),
            ]);
        }
        cells
    }

    pub(crate) fn text(&self, remarks: bool) -> String {
        let mut text = align(&self.cells(), false);
        if self.runs.len() > 1 {
            text.push('\n');
            text.push_str(&align(&self.against_last(), false));
        }
        if remarks {
            text.push_str(&format!("\n{}\n", self.legend()));
            for run in self.runs {
                for line in table::remarks(&run.rows).lines() {
                    text.push_str(&format!("{}: {line}\n", run.setting()));
                }
            }
        }
        text
    }

    pub(crate) fn json(&self) -> Json {
        let run = |run: &Results| {
            let [all, common, counted] = self.sums(run);
            let mut object = Self::tally(run).json();
            object["setting"] = json!(run.setting());
            object["settings"] = run.settings.clone();
            object["of_solved"] = all.json();
            object["of_common"] = common.json();
            object["of_common"]["solver_calls"] = json!(counted.calls);
            object
        };
        json!({
            "runs": self.runs.iter().map(run).collect::<Vec<_>>(),
            "common": self.common.len(),
            "against_last": self.comparisons().iter().map(Comparison::json).collect::<Vec<_>>(),
        })
    }

    /// The times of pairs of settings, given by name, against each other; without any, of each setting
    /// against the last.
    pub(crate) fn svg(&self, pairs: &[[String; 2]]) -> String {
        let find = |name: &str| self.runs.iter().find(|run| run.setting() == name);
        let last = self.runs.last().map(Results::setting).unwrap_or_default();
        let against_last = |run: &Results| [run.setting().to_owned(), last.to_owned()];
        let mut pairs = pairs.to_vec();
        if pairs.is_empty() {
            pairs.extend(self.runs.iter().rev().skip(1).rev().map(against_last));
        }
        let plot = |pair: &[String; 2]| {
            let comparison = Comparison::new(find(&pair[0])?, find(&pair[1])?, ["", ""]);
            Some(comparison.plot(Quantity::CpuSeconds, pair))
        };
        plot::beside(&pairs.iter().filter_map(plot).collect::<Vec<_>>())
    }

    pub(crate) fn html(&self) -> String {
        let mut body = self.runs.first().map(html::origin).unwrap_or_default();
        body.push_str("<h2>Settings</h2>\n");
        body.push_str(&html::table(&self.cells(), false));
        body.push_str(&format!("<p>{}</p>\n", html::escape(&self.legend())));
        if self.runs.len() > 1 {
            body.push_str(&html::table(&self.against_last(), false));
            body.push_str("<p>Ratio: how many times as much the setting takes of what both solve.</p>\n");
        }
        body.push_str("<h2>Options</h2>\n<ul>\n");
        for run in self.runs {
            let words = run.settings["options"].as_array().into_iter().flatten().filter_map(Json::as_str);
            let options = words.collect::<Vec<_>>().join(" ");
            let (name, options) = (html::escape(run.setting()), html::escape(&options));
            body.push_str(&format!("<li>{name}: <code>{options}</code></li>\n"));
        }
        body.push_str("</ul>\n<h2>Solved tasks by time</h2>\n");
        let series: Vec<_> = self.runs.iter().map(|run| html::series(run.setting(), &run.rows)).collect();
        body.push_str(&plot::cactus(&series, self.runs.first().map_or(0.0, Results::timeout_s)));
        for (comparison, run) in self.comparisons().iter().zip(self.runs) {
            body.push_str(&format!("<h2>Against {}</h2>\n", html::escape(run.setting())));
            body.push_str(&comparison.plots().concat());
        }
        body.push_str("<h2>Tasks</h2>\n");
        body.push_str(&html::table(&self.tasks(), false));
        html::page("Settings over the same tasks", &body)
    }

    /// A line per task: what each setting said, and its time.
    fn tasks(&self) -> Vec<Vec<String>> {
        let mut header = vec!["path".to_owned(), "expected".to_owned()];
        header.extend(self.runs.iter().map(|run| run.setting().to_owned()));
        let mut cells = vec![header];
        let rows = self.runs.first().map(|run| &*run.rows).unwrap_or_default();
        for (number, row) in rows.iter().enumerate() {
            let mut line = vec![row.path.clone(), row.expected.word().to_owned()];
            for row in self.runs.iter().map(|run| &run.rows[number]) {
                let word = match row.correct() {
                    Some(false) => "wrong",
                    Some(true) => row.outcome.verdict.word(),
                    None => &row.outcome.reason,
                };
                line.push(format!("{word} {:.2}", row.outcome.cpu_s));
            }
            cells.push(line);
        }
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::super::index::Expected;
    use super::super::outcome::Verdict;
    use super::super::results::tests::row;
    use super::*;

    /// Verdicts and times on tasks a, b, …; calls are ten per second.
    fn run(name: &str, verdicts: &[(Verdict, f64)]) -> Results {
        let rows = verdicts.iter().zip('a'..).map(|(&(verdict, cpu_s), path)| {
            let mut row = row(&path.to_string(), Expected::Safe, verdict, cpu_s);
            row.outcome.effort.solver_calls = Some((10.0 * cpu_s) as u64);
            row
        });
        let settings = json!({ "timeout": 10.0, "setting": name, "options": ["--techniques", name] });
        Results { settings, command: "nilas bench <x>".into(), rows: rows.collect() }
    }

    fn runs() -> [Results; 3] {
        use Verdict::{Safe, Unknown, Unsafe};
        [
            run("none", &[(Safe, 4.0), (Unknown, 10.0), (Unknown, 10.0), (Unsafe, 1.0)]),
            run("old", &[(Safe, 8.0), (Safe, 9.0), (Unknown, 10.0), (Unknown, 10.0)]),
            run("new", &[(Safe, 2.0), (Safe, 1.0), (Safe, 5.0), (Unknown, 10.0)]),
        ]
    }

    #[test]
    fn a_line_per_setting() {
        let runs = runs();
        let text = Ablation::new(&runs).text(true);
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        // Solved, safe, unsafe, failed, wrong, score, CPU s; time, calls and memory of what it solved, and of
        // the one common task.
        let none = "none 1 / 4 1 0 0 1 -14 25.0 4.0 40 10 4.0 40 10";
        let old = "old 2 / 4 2 0 0 0 4 37.0 17.0 170 20 8.0 80 10";
        let new = "new 3 / 4 3 0 0 0 6 18.0 8.0 80 30 2.0 20 10";
        for (line, expected) in lines[2..5].iter().zip([none, old, new]) {
            assert_eq!(line.join(" "), expected, "{text}");
        }
        // Both, only new, only it, times, ratio, calls, ratios.
        let (none, old) = ("none 1 2 0 4.0 2.0 2.0 40 20 2.0 2.0", "old 2 1 0 17.0 3.0 6.5 170 30 6.5 6.5");
        for (line, expected) in lines[8..10].iter().zip([none, old]) {
            assert_eq!(line.join(" "), expected, "{text}");
        }
        assert!(text.contains("over the 1 tasks that all solved."), "{text}");
        assert!(text.contains("none: wrong: d: unsafe, but known to be safe"), "{text}");
    }

    #[test]
    fn calls_are_compared_where_all_are_known() {
        let mut runs = runs();
        runs[1].rows[0].outcome.effort.solver_calls = None;
        let ablation = Ablation::new(&runs);
        assert!(ablation.text(true).contains("1 tasks that all solved (calls: 0 tasks)"));
        assert_eq!(ablation.json()["runs"][0]["of_common"]["solver_calls"], json!(0));
        assert_eq!(ablation.json()["runs"][0]["of_common"]["cpu_s"], json!(4.0));
        assert_eq!(ablation.json()["against_last"][1]["both"], json!(2));
    }

    #[test]
    fn pairs_of_settings_are_drawn() {
        let runs = runs();
        let ablation = Ablation::new(&runs);
        let pair = ["none", "old"].map(str::to_owned);
        let svg = ablation.svg(&[pair]);
        assert!(svg.contains(">none, CPU seconds<") && svg.contains(">old, CPU seconds<"), "{svg}");
        assert_eq!(svg.matches("<svg ").count(), 1 + 1, "{svg}");
        assert_eq!(ablation.svg(&[]).matches("<svg ").count(), 1 + 2);
    }

    #[test]
    fn the_page_has_all_plots() {
        let runs = runs();
        let html = Ablation::new(&runs).html();
        // One cactus plot, and two scatter plots for each setting but the last.
        assert_eq!(html.matches("<svg").count(), 1 + 2 * 2, "{html}");
        assert!(html.contains("<td>wrong 1.00</td>") && html.contains("--techniques old"), "{html}");
        let one = Ablation::new(&runs[..1]);
        assert_eq!(one.html().matches("<svg").count(), 1);
        assert_eq!(one.text(false).lines().count(), 3, "{}", one.text(false));
    }
}
