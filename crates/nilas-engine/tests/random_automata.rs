//! On random automata over small widths, explicit-state search and all engines agree, and all evidence is
//! accepted.

#![allow(clippy::unwrap_used)]

mod support;

use nilas_engine::{Settings, Silent, Techniques, Unknown, Verdict, verify};
use nilas_program::Program;
use nilas_smt::Budget;
use std::collections::BTreeMap;
use std::num::NonZero;
use support::{Reachable, Rng, explore, random_program};

const AUTOMATA: u64 = 3_000;

/// The engines, and on how many automata they run. All but BMC, and k-induction on paths that are not simple,
/// always end on finite automata.
const ENGINES: &[(&str, u64)] = &[
    ("bmc", AUTOMATA),
    ("k-ind", 2_000),
    ("itp", 2_000),
    ("ic3cfa", AUTOMATA),
    ("ic3", 2_000),
    ("ic3ia", 2_000),
    ("euf", 2_000),
    ("tree-ic3", 2_000),
    ("tree-ic3-itp", 2_000),
    ("tree-ic3-itp-mono", 2_000),
    ("tree-itp", 2_000),
    ("pred-abs", 2_000),
    ("classes", 2_000),
    ("states", AUTOMATA),
];

fn check(seed: u64, program: &Program, truth: Reachable, engine: &str) -> &'static str {
    // Whatever is switched on, the answer is the same.
    let techniques = match seed % 4 {
        0 => Techniques::default(),
        1 => Techniques::all(),
        2 => Techniques::none(),
        _ => Techniques::from_bits((Rng::new(seed).next() >> 32) as u32),
    };
    let yes_or_no = |yes: bool| if yes { "yes" } else { "no" };
    let simple_paths = seed % 4 < 2;
    let mut settings = Settings::of(&[
        "bmc.max-depth=20",
        "ic3cfa.check=yes",
        "classes.least-arcs=0",
        "states.least-arcs=0",
    ])
    .unwrap();
    let mut set = |assignment: String| settings.set(&assignment).unwrap();
    set(format!("k-ind.simple-paths={}", yes_or_no(simple_paths)));
    if !simple_paths {
        set("k-ind.max-depth=20".into());
    }
    set(format!("ic3cfa.techniques={techniques}"));
    set(format!("ic3.check={}", yes_or_no(seed.is_multiple_of(4))));
    set(format!("ic3ia.check={}", yes_or_no(seed.is_multiple_of(4))));
    set(format!("ic3ia.refinement={}", if seed % 4 == 3 { "preconditions" } else { "interpolants" }));
    set(format!("euf.check={}", yes_or_no(seed.is_multiple_of(4))));
    set(format!("euf.refinement={}", if seed % 4 == 3 { "simulation" } else { "bmc" }));
    set(format!("euf.arrays={}", yes_or_no(seed % 16 < 8)));
    set(format!("euf.templates={}", yes_or_no(seed % 8 < 4)));
    set(format!("euf.local={}", yes_or_no(!seed.is_multiple_of(5))));
    if seed % 3 == 1 {
        set(format!("euf.concrete={}", 1 + seed % 2));
    }
    set(format!("pred-abs.abstraction={}", if seed % 4 == 3 { "cartesian" } else { "boolean" }));
    set(format!("states.track={}", if seed % 2 == 1 { "needed" } else { "auto" }));
    set(format!("tree.check={}", yes_or_no(seed.is_multiple_of(8))));
    let report = verify(program, engine.parse().unwrap(), &settings, &Budget::unlimited(), &mut Silent);
    let automaton = &program.automaton;
    match report.verdict {
        Verdict::Safe(_) => {
            assert!(
                !truth.error && !truth.unmodelled,
                "seed {seed}, {engine}: safe, but {truth:?}\n{automaton:?}"
            );
            "safe"
        }
        Verdict::Unsafe(_) => {
            assert!(truth.error, "seed {seed}, {engine}: unsafe, but {truth:?}\n{automaton:?}");
            "unsafe"
        }
        Verdict::Unknown(Unknown::Unmodelled { .. }) => {
            assert!(truth.unmodelled, "seed {seed}, {engine}: unmodelled, but {truth:?}\n{automaton:?}");
            "unmodelled"
        }
        Verdict::Unknown(Unknown::Bound { .. }) if matches!(engine, "bmc" | "k-ind") => "bound",
        // Classes of values do not tell everything.
        Verdict::Unknown(Unknown::Inapplicable(_)) if matches!(engine, "classes" | "states") => "given up",
        Verdict::Unknown(why) => panic!("seed {seed}, {engine}: unknown: {why}"),
        Verdict::Unchecked { why, .. } => panic!("seed {seed}, {engine}: not checked: {why}"),
        Verdict::Rejected { why, evidence } => panic!("seed {seed}, {engine}: rejected: {why}\n{evidence:?}"),
    }
}

/// The engines; one of them if `NILAS_RANDOM_ENGINE` names it.
fn engines() -> impl Iterator<Item = (&'static str, u64)> {
    let only = std::env::var("NILAS_RANDOM_ENGINE").ok();
    ENGINES.iter().copied().filter(move |&(engine, _)| only.as_ref().is_none_or(|only| only == engine))
}

/// The verdicts of all engines on some of the automata.
fn verdicts(seeds: impl Iterator<Item = u64>) -> BTreeMap<(&'static str, &'static str), u32> {
    let mut counts = BTreeMap::new();
    for seed in seeds {
        let program = random_program(&mut Rng::new(seed));
        let truth = explore(&program);
        for (engine, _) in engines().filter(|&(_, automata)| seed < automata) {
            let verdict = check(seed, &program, truth, engine);
            // Complete up to their bounds only.
            let bounded = engine == "bmc" || engine == "k-ind" && seed % 4 >= 2 || verdict == "given up";
            if !bounded {
                let expected = match truth {
                    Reachable { error: true, .. } => "unsafe",
                    Reachable { unmodelled: true, .. } => "unmodelled",
                    _ => "safe",
                };
                assert_eq!(verdict, expected, "seed {seed}, {engine}");
            }
            *counts.entry((engine, verdict)).or_insert(0) += 1;
        }
    }
    counts
}

#[test]
fn engines_and_explicit_search_agree() {
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    let mut counts = BTreeMap::new();
    std::thread::scope(|scope| {
        let parts: Vec<_> = (0..threads)
            .map(|first| scope.spawn(move || verdicts((first as u64..AUTOMATA).step_by(threads))))
            .collect();
        for part in parts {
            for (key, count) in part.join().unwrap() {
                *counts.entry(key).or_insert(0) += count;
            }
        }
    });
    // The sample must exercise everything.
    for (engine, _) in engines() {
        for verdict in ["safe", "unsafe", "unmodelled"] {
            let count = counts.get(&(engine, verdict)).copied().unwrap_or(0);
            assert!(count >= 10, "{engine} says {verdict} only {count} times: {counts:?}");
        }
    }
}
