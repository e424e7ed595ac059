//! Another checker on the same tasks: how it is called, and how its answer is read.

use super::index::{DataModel, Task};
use super::outcome::{Verdict, one_line, reason};
use super::process::{Ended, Limits, Measured};
use std::path::Path;
use std::process::Command;
use std::str::FromStr;

/// A command line for the shell, and what in its answer means which verdict.
#[derive(Clone, Debug)]
pub(crate) struct Tool {
    pub(crate) command: String,
    safe: Vec<Sign>,
    r#unsafe: Vec<Sign>,
}

/// Something in an answer that decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    /// Words of its output.
    Words(String),
    /// Its exit code.
    Exit(i32),
}

impl FromStr for Sign {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(code) = text.strip_prefix("exit:") {
            let code = code.parse().map_err(|_| format!("`{code}` is no exit code"))?;
            return Ok(Sign::Exit(code));
        }
        if text.trim().is_empty() {
            return Err("some words of the output, or `exit:CODE`, expected".into());
        }
        Ok(Sign::Words(text.to_owned()))
    }
}

/// What checkers commonly print.
const SAFE_WORDS: [&str; 4] = ["VERIFICATION SUCCESSFUL", "TRUE", "safe", "SAFE"];
const UNSAFE_WORDS: [&str; 5] = ["VERIFICATION FAILED", "FALSE", "unsafe", "UNSAFE", "FALSE(unreach-call)"];

impl Tool {
    /// A tool with the signs of its two verdicts. A verdict without a sign has the usual words of checkers,
    /// unless the other one has signs that are exit codes only: then nothing but exit codes is looked at.
    pub(crate) fn new(command: &str, safe: &[Sign], r#unsafe: &[Sign]) -> Result<Tool, String> {
        if !command.contains("{file}") {
            return Err("`--tool` needs `{file}` where the program's name goes".into());
        }
        let words = |words: &[&str]| words.iter().map(|&words| Sign::Words(words.to_owned())).collect();
        let codes_only =
            |signs: &[Sign]| !signs.is_empty() && signs.iter().all(|sign| matches!(sign, Sign::Exit(_)));
        let or_usual = |signs: &[Sign], other: &[Sign], usual: &[&str]| {
            if signs.is_empty() && !codes_only(other) { words(usual) } else { signs.to_vec() }
        };
        Ok(Tool {
            command: command.to_owned(),
            safe: or_usual(safe, r#unsafe, &SAFE_WORDS),
            r#unsafe: or_usual(r#unsafe, safe, &UNSAFE_WORDS),
        })
    }

    /// All that decides what a run means, for the settings of a results file.
    pub(crate) fn signs(&self) -> String {
        format!("safe {:?}, unsafe {:?}", self.safe, self.r#unsafe)
    }

    /// The shell's command for a task.
    pub(crate) fn call(&self, task: &Task, file: &Path, limits: Limits) -> Command {
        let bits = if task.data_model == Some(DataModel::Ilp32) { "32" } else { "64" };
        let text = self
            .command
            .replace("{bits}", bits)
            .replace("{timeout}", &limits.cpu_s.to_string())
            .replace("{memory}", &limits.memory_mb.to_string())
            .replace("{file}", &quoted(&file.to_string_lossy()));
        let mut command = Command::new("sh");
        command.args(["-c", &text]);
        command
    }

    /// What an answer means: the sign that comes last decides, since checkers print their verdict at the end.
    pub(crate) fn read(&self, measured: &Measured) -> (Verdict, &'static str, String) {
        let stdout = String::from_utf8_lossy(&measured.stdout);
        let stderr = String::from_utf8_lossy(&measured.stderr);
        let code = match &measured.ended {
            Ended::Exit(code) => Some(*code),
            Ended::Signal(signal) => return (Verdict::Failed, reason::CRASH, signal.clone()),
            _ => None,
        };
        let last = |signs: &[Sign], text: &str| {
            let places = signs.iter().filter_map(|sign| match sign {
                Sign::Words(words) => last_place(text, words),
                Sign::Exit(sign) => (code == Some(*sign)).then_some(text.len()),
            });
            places.max()
        };
        for text in [&stdout, &stderr] {
            match (last(&self.safe, text), last(&self.r#unsafe, text)) {
                (None, None) => {}
                (safe, r#unsafe) if safe == r#unsafe => {
                    return (Verdict::Unknown, reason::OTHER, "signs of both verdicts".into());
                }
                (safe, r#unsafe) if safe > r#unsafe => return (Verdict::Safe, "", String::new()),
                _ => return (Verdict::Unsafe, "", String::new()),
            }
        }
        // Most tools say last why they give up.
        let words = stdout.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or(&stderr);
        let detail = format!("exit code {}: {}", code.unwrap_or(-1), one_line(words));
        (Verdict::Unknown, reason::OTHER, detail)
    }
}

/// The end of the last place where the words stand by themselves, not as part of longer ones (`unsafe` is not
/// `safe`).
fn last_place(text: &str, words: &str) -> Option<usize> {
    let part = |character: Option<char>| character.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.rmatch_indices(words).map(|(start, _)| (start, start + words.len())).find_map(|(start, end)| {
        let before = text[..start].chars().next_back();
        let joined = part(before) && part(words.chars().next());
        let runs_on = part(text[end..].chars().next()) && part(words.chars().next_back());
        (!joined && !runs_on).then_some(end)
    })
}

/// One word for the shell, whatever is in it.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn verdict(tool: &Tool, stdout: &str, code: i32) -> Verdict {
        let measured = Measured {
            ended: Ended::Exit(code),
            cpu_s: 0.0,
            wall_s: 0.0,
            memory_bytes: 0,
            stdout: stdout.into(),
            stderr: Vec::new(),
        };
        tool.read(&measured).0
    }

    #[test]
    fn usual_words() {
        let tool = Tool::new("x {file}", &[], &[]).unwrap();
        for (text, expected) in [
            ("VERIFICATION SUCCESSFUL\n", Verdict::Safe),
            ("VERIFICATION FAILED\n", Verdict::Unsafe),
            ("Verification result: TRUE. No property violation found.", Verdict::Safe),
            ("Verification result: FALSE. Property violation.", Verdict::Unsafe),
            ("FALSE(unreach-call)", Verdict::Unsafe),
            ("safe", Verdict::Safe),
            ("unsafe", Verdict::Unsafe),
            ("the step is safe\nVERIFICATION FAILED", Verdict::Unsafe),
            ("UNKNOWN", Verdict::Unknown),
            ("unsafely TRUEish", Verdict::Unknown),
            ("", Verdict::Unknown),
        ] {
            assert_eq!(verdict(&tool, text, 0), expected, "{text}");
        }
    }

    #[test]
    fn own_words_and_exit_codes() {
        let sign = |text: &str| text.parse::<Sign>().unwrap();
        let tool = Tool::new("x {file}", &[sign("unsat")], &[sign("sat")]).unwrap();
        assert_eq!(verdict(&tool, "unsat\n", 0), Verdict::Safe);
        assert_eq!(verdict(&tool, "sat\n", 0), Verdict::Unsafe);
        assert_eq!(verdict(&tool, "TRUE\n", 0), Verdict::Unknown);
        let tool = Tool::new("x {file}", &[sign("exit:0")], &[sign("exit:10")]).unwrap();
        assert_eq!(verdict(&tool, "VERIFICATION FAILED", 0), Verdict::Safe);
        assert_eq!(verdict(&tool, "", 10), Verdict::Unsafe);
        assert_eq!(verdict(&tool, "", 1), Verdict::Unknown);
        let tool = Tool::new("x {file}", &[sign("exit:0")], &[]).unwrap();
        assert_eq!(verdict(&tool, "UNSAFE", 1), Verdict::Unknown);
        assert!("exit:one".parse::<Sign>().is_err());
        assert!("".parse::<Sign>().is_err());
        assert!(Tool::new("cbmc", &[], &[]).is_err());
    }

    #[test]
    fn names_reach_the_shell_whole() {
        let output =
            Command::new("sh").args(["-c", &format!("printf %s {}", quoted("a 'b' $c \"d\""))]).output();
        assert_eq!(String::from_utf8(output.unwrap().stdout).unwrap(), "a 'b' $c \"d\"");
    }
}
