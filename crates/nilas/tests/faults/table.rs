//! The table for `benchmarks/results/`.

use crate::search::{Catch, Found, LONGER};
use crate::suite::Suite;
use nilas_fault::{ALL, Seeded};
use std::fmt::Write as _;
use std::time::Duration;

/// What is found so far.
pub(crate) fn table<'a>(
    rows: impl Iterator<Item = &'a (&'static Seeded, Found)>,
    suite: &Suite,
    time: Duration,
) -> String {
    let rows: Vec<&(&Seeded, Found)> = rows.collect();
    let mut text = format!(
        "Seeded faults: what finds them, in which program of an existing test, after how many seconds of processor time, at most {}.\n\
         NILAS_TABLE=benchmarks/results/seeded-faults.txt cargo test --release -p nilas --features faults --test faults\n\n\
         {} questions about programs of the tests `soundness`, `unknown`, `examples`, `lifetimes`, `sanitisers`, `idioms`, `generators` (with `features` and families) and `compiler` (fixed\n\
         seeds), asked in a fixed order in which the tests take turns, programs with a word of the fault's construct first, short ones before long ones; {} are slow or\n\
         not as promised without fault, and were left out. Faults in passes meet the tests of `nilas-program` first, those in memory and points-to analysis the unit tests of the module with memory. A search ends with the second reading, or {} s after another test found the fault.\n\
         second reading: the replay of an execution or the challenge of a proof ends with exit code 6.\n\
         other: a verdict that the test of the program does not allow (what it is instead of what), or evidence that is refused.\n\n",
        time.as_secs(),
        suite.questions.len(),
        suite.questions.iter().filter(|question| question.is_left_out()).count(),
        LONGER.as_secs(),
    );
    let count = |test: fn(&Found) -> bool| rows.iter().filter(|(_, found)| test(found)).count();
    writeln!(
        text,
        "faults planted {}, looked for {}, found {}: by replay or challenge {}, by other tests only {}; not found {}\n",
        ALL.len(),
        rows.len(),
        count(Found::is_caught),
        count(|found| found.reading.is_some()),
        count(|found| found.reading.is_none() && found.verdict.is_some()),
        count(|found| !found.is_caught()),
    )
    .unwrap();
    let mut part = "";
    for (seeded, found) in rows {
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
                writeln!(text, "    {what:<15} {how:<28} {seconds:>6.2} s  {place}").unwrap();
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
