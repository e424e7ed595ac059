//! `cargo run -p nilas-check --example check_file -- FILE.c`: Nilas from Rust.

#![allow(clippy::print_stdout)]

use nilas_check::{Conclusion, Language, LimitOptions, Options, Refusal, Silent, Task, check};
use std::time::Duration;

fn main() -> Result<(), Refusal> {
    let files: Vec<_> = std::env::args_os().skip(1).map(Into::into).collect();
    let task = Task::of_files(&files, None, Language::default())?;
    let limits = LimitOptions { time: Some(Duration::from_secs(60)), ..LimitOptions::default() };
    let answer = check(&task, &Options { limits, ..Options::default() }, &mut Silent)?;
    match &answer.summary.conclusion {
        Conclusion::Safe(_) => println!("the error cannot be reached"),
        Conclusion::Unsafe(_) => println!("{} steps", answer.trace().map_or(0, |it| it.course.steps)),
        Conclusion::Reached(reached) => println!("{}: {}", reached.place, reached.what),
        Conclusion::Unknown(why) => println!("unknown: {why}"),
    }
    Ok(())
}
