//! Streams of questions, as `nilas check --record-queries` writes them, to each solver in one run: answers and
//! processor time side by side, as a table in Markdown.
//!
//! ```text
//! cargo run --release -p nilas-icp --example stream -- SECONDS FILE.smt2...
//! ```

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use nilas_icp::{Icp, Options as IcpOptions};
use nilas_smt::script::{Options, Outcome, Word, run_script};
use nilas_smt::{Budget, CancelFlag, Embedded, Interrupt, Solver};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

type Make = fn() -> Box<dyn Solver>;

const SOLVERS: [(&str, Make); 3] = [
    ("bits", || Box::new(<Embedded>::new())),
    ("icp", || Box::new(Icp::default())),
    ("icp-only", || Box::new(Icp::new(IcpOptions { hand_over: false, ..IcpOptions::default() }))),
];

/// Seconds that the main thread has computed, where Linux tells.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap();
    text.split(' ').next().and_then(|text| text.parse::<f64>().ok()).unwrap() / 1e9
}

/// Runs a script on a solver, for so many seconds of processor time.
fn run(text: &str, solver: Make, seconds: f64) -> (Outcome, f64) {
    let start = processor_time();
    let (cancel, done) = (CancelFlag::new(), AtomicBool::new(false));
    let budget = Budget { cancel: cancel.clone(), ..Budget::default() };
    let options = Options { budget, solver, ..Options::default() };
    let outcome = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                if processor_time() - start > seconds {
                    cancel.cancel(Interrupt::Timeout);
                }
                std::thread::sleep(Duration::from_millis(10));
            }
        });
        let outcome = run_script(text, &options, &mut std::io::sink()).unwrap();
        done.store(true, Ordering::Relaxed);
        outcome
    });
    (outcome, processor_time() - start)
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let seconds: f64 = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(10.0);
    println!(
        "| stream | checks | decided by bits | icp | icp-only | bits (s) | icp (s) | icp-only (s) | icp / bits |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let mut sums = [(0usize, 0.0); SOLVERS.len()];
    let mut checks = 0;
    for file in arguments {
        let text = std::fs::read_to_string(&file).unwrap();
        let results = SOLVERS.map(|(_, make)| run(&text, make, seconds));
        let count = results.iter().map(|(outcome, _)| outcome.answers.len()).max().unwrap_or(0);
        checks += count;
        for at in 0..count {
            let words: Vec<Word> = results
                .iter()
                .filter_map(|(outcome, _)| outcome.answers.get(at).copied())
                .filter(|&word| word != Word::Unknown)
                .collect();
            assert!(words.windows(2).all(|pair| pair[0] == pair[1]), "{file}: check {at} is disputed");
        }
        let decided = results
            .each_ref()
            .map(|(outcome, _)| outcome.answers.iter().filter(|&&word| word != Word::Unknown).count());
        let times = results.each_ref().map(|(_, time)| *time);
        for (sum, (decided, time)) in sums.iter_mut().zip(decided.into_iter().zip(times)) {
            *sum = (sum.0 + decided, sum.1 + time);
        }
        let name = std::path::Path::new(&file).file_name().unwrap_or_default().to_string_lossy().into_owned();
        println!(
            "| {name} | {count} | {} | {} | {} | {:.2} | {:.2} | {:.2} | {:.2} |",
            decided[0],
            decided[1],
            decided[2],
            times[0],
            times[1],
            times[2],
            times[1] / times[0].max(1e-6)
        );
    }
    println!(
        "| all | {checks} | {} | {} | {} | {:.2} | {:.2} | {:.2} | {:.2} |",
        sums[0].0,
        sums[1].0,
        sums[2].0,
        sums[0].1,
        sums[1].1,
        sums[2].1,
        sums[1].1 / sums[0].1.max(1e-6)
    );
}
