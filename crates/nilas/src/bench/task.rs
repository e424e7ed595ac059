//! One task: the call of a checker, and what its end means.

use super::index::{DataModel, Task};
use super::outcome::{Effort, Outcome, Verdict, one_line, reason};
use super::process::{self, Ended, Limits, Measured};
use super::tool::Tool;
use super::warden::Warden;
use nilas_check::Cause;
use nilas_engine::EngineRef;
use nilas_report::Said;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The part of a hard limit that Nilas is told, so that it can end by itself with its statistics.
const SOFT: f64 = 0.95;

/// How `nilas check` is always called.
pub(crate) const ALWAYS: [&str; 3] = ["check", "--json", "--quiet"];

/// How much of the output is kept. That of Nilas is one JSON object that is needed whole.
const KEPT_OF_NILAS: usize = 64 << 20;
const KEPT_OF_TOOL: usize = 1 << 20;

/// Who is measured.
#[derive(Clone, Debug)]
pub(crate) enum Checker {
    /// The options name the engine, too, if there is one.
    Nilas {
        program: PathBuf,
        engine: Option<EngineRef>,
        options: Vec<String>,
    },
    Tool(Tool),
}

/// The running program. On Linux by a name that stays valid when the file is replaced by a new build in the
/// meantime.
pub(crate) fn own_program() -> std::io::Result<PathBuf> {
    let link = PathBuf::from(format!("/proc/{}/exe", std::process::id()));
    if link.exists() { Ok(link) } else { std::env::current_exe() }
}

/// Runs a checker on a task.
pub(crate) fn run(checker: &Checker, task: &Task, folder: &Path, limits: Limits, warden: &Warden) -> Outcome {
    let file = folder.join(&task.path);
    if !file.is_file() {
        return without_run(Verdict::Refused, reason::REFUSED, "no such file");
    }
    let (command, keep) = match checker {
        Checker::Nilas { program, options, .. } => {
            (call(program, options, task, &file, limits), KEPT_OF_NILAS)
        }
        Checker::Tool(tool) => (tool.call(task, &file, limits), KEPT_OF_TOOL),
    };
    let measured = match process::run(&command, limits, keep, warden) {
        Ok(measured) => measured,
        Err(error) => return without_run(Verdict::Failed, reason::OTHER, &format!("cannot be run: {error}")),
    };
    let limit = match measured.ended {
        Ended::OutOfTime => Some((reason::TIME, "processor time")),
        Ended::OutOfWallTime => Some((reason::TIME, reason::BY_THE_CLOCK)),
        Ended::OutOfMemory => Some((reason::MEMORY, "")),
        Ended::Exit(_) | Ended::Signal(_) => None,
    };
    let answer = match (limit, checker) {
        (Some((reason, detail)), _) => Answer::of(Verdict::Unknown, reason, detail),
        (None, Checker::Nilas { .. }) => answer(&measured, &file, limits),
        (None, Checker::Tool(tool)) => {
            let (verdict, reason, detail) = tool.read(&measured);
            Answer::of(verdict, reason, &detail)
        }
    };
    Outcome {
        verdict: answer.verdict,
        reason: answer.reason.into(),
        detail: answer.detail,
        cpu_s: measured.cpu_s,
        wall_s: measured.wall_s,
        memory_mb: answer.memory_mb.max(measured.memory_bytes as f64 / 1e6),
        engine: answer.engine,
        effort: answer.effort,
    }
}

fn without_run(verdict: Verdict, reason: &str, detail: &str) -> Outcome {
    Outcome {
        verdict,
        reason: reason.into(),
        detail: detail.into(),
        cpu_s: 0.0,
        wall_s: 0.0,
        memory_mb: 0.0,
        engine: String::new(),
        effort: Effort::default(),
    }
}

/// `nilas check` on a task.
fn call(program: &Path, options: &[String], task: &Task, file: &Path, limits: Limits) -> Command {
    let mut command = Command::new(program);
    command.args(ALWAYS);
    // Only C has a data model.
    let is_c = file.extension().is_some_and(|extension| extension == "c" || extension == "i");
    match task.data_model {
        Some(DataModel::Ilp32) if is_c => _ = command.arg("--32"),
        Some(DataModel::Lp64) if is_c => _ = command.arg("--64"),
        _ => {}
    }
    // What the call says counts for all tasks.
    let said = options.iter().any(|option| option.split('=').next() == Some("--unknown-functions"));
    if let Some(unknown) = task.unknown_functions.filter(|_| is_c && !said) {
        command.arg(format!("--unknown-functions={}", unknown.name()));
    }
    let memory_mb = ((limits.memory_mb as f64 * SOFT) as u64).max(1);
    command.arg(format!("--timeout={}", limits.wall_s * SOFT));
    // Without it the part of the time that is the checker's would be counted by the clock, and never begin.
    command.arg(format!("--cpu-timeout={}", limits.cpu_s * SOFT));
    command.arg(format!("--memory-limit={memory_mb}"));
    command.args(options).arg("--").arg(file);
    command
}

/// What a checker said.
struct Answer {
    verdict: Verdict,
    reason: &'static str,
    detail: String,
    engine: String,
    memory_mb: f64,
    effort: Effort,
}

impl Answer {
    fn of(verdict: Verdict, reason: &'static str, detail: &str) -> Answer {
        let (engine, effort) = (String::new(), Effort::default());
        Answer { verdict, reason, detail: one_line(detail), engine, memory_mb: 0.0, effort }
    }
}

/// What the end of `nilas check` means. The exit code decides, and what is printed must agree with it.
fn answer(measured: &Measured, file: &Path, limits: Limits) -> Answer {
    let stderr = String::from_utf8_lossy(&measured.stderr);
    let complaint = stderr.replace(&*file.to_string_lossy(), "FILE");
    let code = match &measured.ended {
        Ended::Exit(code) => *code,
        Ended::Signal(signal) => {
            return Answer::of(
                Verdict::Failed,
                reason::CRASH,
                &format!("{signal}: {}", one_line(&complaint)),
            );
        }
        // Limits are dealt with before.
        Ended::OutOfTime | Ended::OutOfWallTime | Ended::OutOfMemory => {
            return Answer::of(Verdict::Unknown, reason::OTHER, "a limit");
        }
    };
    let said = Said::parse(&measured.stdout);
    let why = match said.reason.as_str() {
        "" => &complaint,
        reason => reason,
    };
    let cause = Cause::of_text(why);
    let mut answer = match (code, said.verdict.as_str()) {
        (0, "safe") => Answer::of(Verdict::Safe, "", ""),
        (10, "unsafe") => Answer::of(Verdict::Unsafe, "", ""),
        // Nilas is told two time limits and does not say which one it was.
        (5, "unknown") if cause == Cause::Time => {
            let by_the_clock = measured.wall_s >= limits.wall_s * SOFT;
            Answer::of(Verdict::Unknown, reason::TIME, if by_the_clock { reason::BY_THE_CLOCK } else { "" })
        }
        (5, "unknown") => Answer::of(Verdict::Unknown, reason::of(cause), why),
        (1, _) => Answer::of(Verdict::Failed, reason::USAGE, &complaint),
        (2, _) => Answer::of(Verdict::Refused, reason::REFUSED, &complaint),
        (6, _) if why.contains("rejected") => Answer::of(Verdict::Failed, reason::REJECTED, why),
        (6, _) => Answer::of(Verdict::Failed, reason::INTERNAL, why),
        (code, verdict) => {
            let detail = format!("exit code {code}, but `{verdict}` was printed: {}", one_line(&complaint));
            Answer::of(Verdict::Failed, reason::INTERNAL, &detail)
        }
    };
    answer.memory_mb = said.counter("process", "peak memory in MB").unwrap_or(0.0);
    answer.effort = effort(&said);
    answer.engine = said.engine;
    answer
}

/// What the statistics of `nilas check` tell. Counters are numbers in JSON, whole ones.
fn effort(said: &Said) -> Effort {
    let whole = |count: Option<f64>| count.map(|count| count as u64);
    let own = |name: &str| whole(said.counter(&said.engine, name));
    Effort {
        solver_calls: whole(said.sum("solver checks")),
        frames: own("frames"),
        lemmas: own("lemmas learnt"),
        nodes: own("nodes"),
        refinements: own("refinements"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::index::Expected;
    use super::*;

    fn read(ended: Ended, stdout: &str, stderr: &str) -> (Verdict, &'static str, String) {
        let measured = Measured {
            ended,
            cpu_s: 1.0,
            wall_s: 1.0,
            memory_bytes: 0,
            stdout: stdout.into(),
            stderr: stderr.into(),
        };
        let answer = answer(&measured, Path::new("/t/x.c"), Limits::new(2.0, Some(8.0), 100));
        (answer.verdict, answer.reason, answer.detail)
    }

    /// Both limits of time are told, so that Nilas ends by itself; which one it was is seen from the clock.
    #[test]
    fn processor_time_is_a_limit_of_its_own() {
        let (set, tier, fields) = (String::new(), String::new(), Vec::new());
        let (expected, data_model, unknown_functions) = (Expected::Safe, None, None);
        let task = Task { path: "x.c".into(), expected, data_model, unknown_functions, set, tier, fields };
        let limits = Limits::new(2.0, Some(40.0), 100);
        let call = call(Path::new("nilas"), &[], &task, Path::new("/t/x.c"), limits);
        let arguments: Vec<&str> = call.get_args().filter_map(|argument| argument.to_str()).collect();
        assert!(arguments.contains(&"--cpu-timeout=1.9"), "{arguments:?}");
        assert!(arguments.contains(&"--timeout=38"), "{arguments:?}");
        let late = |wall_s: f64| {
            let stdout = "{\"verdict\": \"unknown\", \"reason\": \"time limit reached\"}".into();
            let (ended, stderr) = (Ended::Exit(5), Vec::new());
            let measured = Measured { ended, cpu_s: 1.9, wall_s, memory_bytes: 0, stdout, stderr };
            let answer = answer(&measured, Path::new("/t/x.c"), limits);
            (answer.verdict, answer.reason, answer.detail)
        };
        assert_eq!(late(2.5), (Verdict::Unknown, reason::TIME, String::new()));
        assert_eq!(late(38.5), (Verdict::Unknown, reason::TIME, reason::BY_THE_CLOCK.to_owned()));
    }

    #[test]
    fn exit_code_and_output_must_agree() {
        let says = |verdict: &str| format!("{{\"verdict\": \"{verdict}\", \"reason\": null}}");
        assert_eq!(read(Ended::Exit(0), &says("safe"), "").0, Verdict::Safe);
        assert_eq!(read(Ended::Exit(10), &says("unsafe"), "").0, Verdict::Unsafe);
        for (code, stdout) in [
            (0, says("unsafe")),
            (10, says("safe")),
            (0, String::new()),
            (5, says("safe")),
            (7, says("safe")),
        ] {
            assert_eq!(read(Ended::Exit(code), &stdout, "").0, Verdict::Failed, "{code} {stdout}");
        }
    }

    #[test]
    fn efforts_are_read_off_the_statistics() {
        let said = r#"{"bmc": {"solver checks": 7.0, "nodes": 5}, "ic3cfa": {"solver checks": 30, "frames": 4, "lemmas learnt": 9},
                      "process": {"peak memory in MB": 8}}"#;
        let by = |engine: &str| {
            let object = format!("{{\"engine\": \"{engine}\", \"statistics\": {said}}}");
            effort(&Said::parse(object.as_bytes()))
        };
        let both = Effort { solver_calls: Some(37), ..Effort::default() };
        assert_eq!(by("ic3cfa"), Effort { frames: Some(4), lemmas: Some(9), ..both });
        assert_eq!(by("bmc"), Effort { nodes: Some(5), ..both });
        assert_eq!(effort(&Said::parse(b"")), Effort::default());
    }

    #[test]
    fn reasons_are_told() {
        let unknown = "{\"verdict\": \"unknown\", \"reason\": \"not supported: x\"}";
        let expected = (Verdict::Unknown, reason::UNSUPPORTED, "not supported: x".to_owned());
        assert_eq!(read(Ended::Exit(5), unknown, ""), expected);
        let refusal = "/t/x.c:3:1: error: no threads\n  caret";
        let expected = (Verdict::Refused, reason::REFUSED, "FILE:3:1: error: no threads".to_owned());
        assert_eq!(read(Ended::Exit(2), "", refusal), expected);
        let rejected =
            "{\"verdict\": \"unknown\", \"reason\": \"internal error: the evidence of bmc was rejected: y\"}";
        let (verdict, why, _) = read(Ended::Exit(6), rejected, "");
        assert_eq!((verdict, why), (Verdict::Failed, reason::REJECTED));
        let (verdict, why, _) = read(Ended::Signal("signal: 6".into()), "", "");
        assert_eq!((verdict, why), (Verdict::Failed, reason::CRASH));
    }
}
