//! The SAT cores of the embedded solver on the query streams that IC3CFA really makes.
//!
//! Runs IC3CFA on the given programs, once per core in turn, a few rounds; prints the best time of each core
//! and how many checks it was for. Cores give different models and so different runs: the number of checks is
//! part of the result.
//!
//! ```sh
//! cargo run --release -p nilas-engine --example sat_cores -- examples/*.cfa
//! ```

#![allow(clippy::print_stdout)]

use nilas_engine::{Ic3CfaSettings, Outcome, Silent, ic3cfa};
use nilas_program::{large_blocks, parse_program};
use nilas_smt::{Budget, SatCore};
use std::time::{Duration, Instant};

const ROUNDS: usize = 5;
const LIMIT: Duration = Duration::from_secs(3);

fn main() {
    println!("{:<28}{:>10}{:>10}{:>12}{:>12}", "program", "core", "checks", "µs/check", "outcome");
    let mut totals: Vec<(SatCore, f64, u64)> = SatCore::ALL.iter().map(|&core| (core, 0.0, 0)).collect();
    for path in std::env::args().skip(1) {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let Ok(program) = parse_program(&text) else { continue };
        let (small, _) = large_blocks(&program);
        for (core, seconds, checks) in &mut totals {
            let mut best: Option<(f64, u64, &str)> = None;
            for _ in 0..ROUNDS {
                let budget = Budget { deadline: Some(Instant::now() + LIMIT), ..Budget::default() };
                let settings = Ic3CfaSettings { core: *core, ..Ic3CfaSettings::default() };
                let started = Instant::now();
                let (outcome, counters) = ic3cfa(&small, settings, &budget, &mut Silent);
                let time = started.elapsed().as_secs_f64();
                let word = match outcome {
                    Outcome::Safe(_) => "safe",
                    Outcome::Unsafe(_) => "unsafe",
                    Outcome::Unknown(_) | Outcome::OnlyExecution => "unknown",
                };
                let asked = counters.get("solver checks").copied().unwrap_or(0);
                // Runs that the limit ends are compared by checks per second, so the best one is the fastest.
                let faster = |(best_time, best_asked, _): &(f64, u64, &str)| {
                    time / (asked.max(1) as f64) < best_time / ((*best_asked).max(1) as f64)
                };
                if best.as_ref().is_none_or(faster) {
                    best = Some((time, asked, word));
                }
                if word == "unknown" {
                    break;
                }
            }
            let Some((time, asked, word)) = best else { continue };
            let name = path.rsplit('/').next().unwrap_or(&path);
            let per_check = time * 1e6 / asked.max(1) as f64;
            println!("{name:<28}{:>10}{asked:>10}{per_check:>12.1}{word:>12}", core.name());
            *seconds += time;
            *checks += asked;
        }
    }
    for (core, seconds, checks) in totals {
        let per_check = seconds * 1e6 / checks.max(1) as f64;
        println!("{:<28}{:>10}{checks:>10}{per_check:>12.1}", "all", core.name());
    }
}
