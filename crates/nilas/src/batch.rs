//! `nilas check --batch`: each file is a program of its own. A line for each, and one exit code.

use crate::check;
use crate::cli::CheckArgs;
use crate::exit::Exit;
use crate::paint;
use nilas_check::{Refusal, RefusalKind, Session, Silent, Standing, Task};
use serde_json::{Value as Json, json};
use std::time::Instant;

/// The answer to one program.
struct Row {
    file: String,
    standing: Standing,
    /// What is told in text, and as an object.
    line: String,
    object: Json,
    seconds: f64,
}

pub(crate) fn run(args: &CheckArgs) -> Result<Exit, Refusal> {
    let mut rows = Vec::new();
    for file in &args.files.files {
        let row = check_one(args, file)?;
        if !args.common.json {
            let line = format!("{}: {}\n", row.file, row.line);
            crate::print(&paint_in(args, &line));
        }
        rows.push(row);
    }
    let all = Standing::of_all(rows.iter().map(|row| row.standing));
    if args.common.json {
        let programs: Vec<&Json> = rows.iter().map(|row| &row.object).collect();
        let object = json!({ "verdict": all.word(), "programs": programs });
        crate::print(&format!("{object:#}\n"));
    } else if !args.common.quiet {
        crate::print(&summary(&rows));
    }
    Ok(Exit::of(all))
}

/// A file that cannot be read is told, and the others go on.
fn check_one(args: &CheckArgs, file: &std::path::Path) -> Result<Row, Refusal> {
    let began = Instant::now();
    let name = file.display().to_string();
    let options = check::options(args)?;
    let task = Task::of_files(&[file.to_owned()], None, args.language.library());
    let answer = task.and_then(|task| Session::start(&options.limits).check(&task, &options, &mut Silent));
    let seconds = began.elapsed().as_secs_f64();
    Ok(match answer {
        Ok(answer) => {
            let standing = answer.standing();
            let line = match args.common.quiet {
                true => standing.word().to_owned(),
                false => check::first_line(&answer),
            };
            let object = check::object(args, &answer);
            Row { file: name, standing, line, object, seconds }
        }
        Err(refusal) => {
            let standing = match refusal.kind {
                RefusalKind::Internal => Standing::Internal,
                RefusalKind::Limit => Standing::Unknown,
                RefusalKind::Usage | RefusalKind::Input => Standing::Refused,
            };
            let object = check::refused(&name, &refusal);
            Row {
                file: name,
                standing,
                line: format!("refused: {}", first(&refusal.message)),
                object,
                seconds,
            }
        }
    })
}

/// What a message comes to, in a line: of one by a compiler, what that says first.
fn first(message: &str) -> &str {
    let mut lines = message.lines();
    let line = lines.next().unwrap_or_default();
    let line = match lines.next() {
        Some(next) if line == "error: preprocessing failed" => next,
        _ => line,
    };
    line.trim_start_matches("nilas: ").trim_start_matches("error: ")
}

/// The table below the lines.
fn summary(rows: &[Row]) -> String {
    let count = |wanted: &[Standing]| rows.iter().filter(|row| wanted.contains(&row.standing)).count();
    let seconds: f64 = rows.iter().map(|row| row.seconds).sum();
    let parts = [
        (count(&[Standing::Safe]), "safe"),
        (count(&[Standing::Unsafe]), "unsafe"),
        (count(&[Standing::Unknown]), "unknown"),
        (count(&[Standing::Refused]), "refused"),
        (count(&[Standing::Internal]), "internal errors"),
    ];
    let parts: Vec<String> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    let word = if rows.len() == 1 { "program" } else { "programs" };
    format!("{} {word}: {} ({seconds:.1} s)\n", rows.len(), parts.join(", "))
}

fn paint_in(args: &CheckArgs, line: &str) -> String {
    match line.split_once(": ").filter(|_| args.color.applies()) {
        Some((file, rest)) => format!("{file}: {}", paint::verdicts(rest)),
        None => line.to_owned(),
    }
}
