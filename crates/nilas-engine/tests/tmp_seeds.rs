#![allow(clippy::unwrap_used)]
mod support;
use nilas_engine::*;
use nilas_smt::Budget;
use support::{Rng, explore, random_program};
#[test]
fn seeds() {
    let from: u64 = std::env::var("FROM").unwrap().parse().unwrap();
    let to: u64 = std::env::var("TO").unwrap().parse().unwrap();
    let mut times = std::collections::BTreeMap::new();
    for seed in from..to {
        let program = random_program(&mut Rng::new(seed));
        let truth = explore(&program);
        for engine in
            [Engine::Ic3Cfa, Engine::TreeIc3, Engine::TreeIc3Itp, Engine::TreeIc3ItpMono, Engine::TreeItp]
        {
            let mut options = Options::default();
            options.tree.check_tree = seed % 8 == 0;
            let start = std::time::Instant::now();
            let budget =
                Budget { deadline: Some(start + std::time::Duration::from_secs(3)), ..Budget::unlimited() };
            let report = verify(&program, engine, &options, &budget, &mut Silent);
            let t = start.elapsed().as_secs_f64();
            *times.entry(engine).or_insert(0.0) += t;
            let ok = match &report.verdict {
                Verdict::Safe(_) => !truth.error && !truth.unmodelled,
                Verdict::Unsafe(_) => truth.error,
                Verdict::Unknown(Unknown::Unmodelled { .. }) => truth.unmodelled && !truth.error,
                _ => false,
            };
            if !ok || t > 0.5 {
                println!(
                    "seed {seed} {engine} {t:.2} {ok} {:?}\n {:?}",
                    match &report.verdict {
                        Verdict::Unknown(u) => format!("{u}"),
                        Verdict::Rejected { why, .. } => format!("{why}"),
                        v => format!("{v:?}").chars().take(60).collect(),
                    },
                    report.counters
                );
            }
        }
    }
    println!("{times:?}");
}
