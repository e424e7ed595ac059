//! The table for `benchmarks/results/`.

use crate::search::{Catch, Found};
use crate::suite::Suite;
use nilas_fault::Seeded;
use std::fmt::Write as _;
use std::time::Duration;

pub(crate) fn table(faults: &[&Seeded], found: &[Found], suite: &Suite, time: Duration) -> String {
    let mut text = format!(
        "Seeded faults: what finds them, in which program of an existing test, after how many seconds of processor time, at most {}.\n\
         NILAS_TABLE=benchmarks/results/seeded-faults.txt cargo test --release -p nilas --features faults --test faults\n\n\
         {} questions about programs of the tests `soundness`, `unknown`, `examples` and `generators` (fixed seeds), asked in\n\
         a fixed order, programs with a word of the fault's construct first; {} are slow or not decided without fault, and were left out.\n\
         second reading: the replay of an execution or the challenge of a proof ends with exit code 6.\n\
         other: a verdict that the test of the program does not allow (what it is instead of what), or evidence that is refused.\n\n",
        time.as_secs(),
        suite.questions.len(),
        suite.questions.iter().filter(|question| question.is_left_out()).count(),
    );
    let count = |test: fn(&Found) -> bool| found.iter().filter(|found| test(found)).count();
    writeln!(
        text,
        "faults {}, found {}, by replay and challenge alone {}, by other tests alone {}, not found {}\n",
        found.len(),
        count(Found::is_caught),
        count(|found| found.reading.is_some()),
        count(|found| found.reading.is_none() && found.verdict.is_some()),
        count(|found| !found.is_caught()),
    )
    .unwrap();
    let mut part = "";
    for (seeded, found) in faults.iter().zip(found) {
        if seeded.part != part {
            part = seeded.part;
            writeln!(text, "{part}\n").unwrap();
        }
        writeln!(text, "  {}: {} ({} questions asked)", seeded.name, seeded.sentence, found.asked).unwrap();
        let mut row = |what: &str, catch: &Option<Catch>| {
            if let Some(Catch { outcome, usual, place, after }) = catch {
                let seconds = after.as_secs_f32();
                let how = match what {
                    "second reading" => outcome.to_string(),
                    _ => format!("{outcome} instead of {usual}"),
                };
                writeln!(text, "    {what:<15} {how:<28} {seconds:>5.1} s  {place}").unwrap();
            }
        };
        row("second reading", &found.reading);
        row("other", &found.verdict);
        if !found.is_caught() {
            row("verdict lost", &found.lost);
            text.push_str("    NOT FOUND\n");
        }
        text.push('\n');
    }
    text
}
