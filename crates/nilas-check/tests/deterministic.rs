//! Engines that take turns by counted work: the same input gives the same answer, evidence and counters.

#![allow(clippy::unwrap_used)]

use nilas_check::{Language, Options, Silent, Task, check};
use nilas_engine::EngineRef;
use std::path::{Path, PathBuf};

/// Verdict, engine, evidence, counters.
type Told = (String, Option<&'static str>, Option<String>, Vec<(String, Vec<(String, f64)>)>);

/// What is told of a program, without times.
fn told(file: PathBuf) -> Told {
    let task = Task::of_files(&[file], None, Language::default()).unwrap();
    let portfolio = ["run", "bmc", "k-ind", "ic3cfa", "tree-itp", "pred-abs"];
    let portfolio = portfolio.map(|name| name.parse::<EngineRef>().unwrap()).to_vec();
    let options = Options { deterministic: true, portfolio, ..Options::default() };
    let answer = check(&task, &options, &mut Silent).unwrap();
    let mut counters = answer.summary.statistics.clone();
    counters.retain(|(group, _)| group != "process");
    for (_, counters) in &mut counters {
        counters.retain(|(name, _)| !name.contains("seconds") && !name.contains("waiting"));
    }
    (answer.verdict().to_owned(), answer.summary.engine, answer.evidence_file(), counters)
}

#[test]
fn examples_give_the_same_every_time() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let names =
        ["jain1.cfa", "lock.cfa", "lock_bug.cfa", "havoc_sum.cfa", "mutual_counters.cfa", "parity.cfa"];
    let mut facts = 0.0;
    for name in names {
        let first = told(examples.join(name));
        assert_eq!(first, told(examples.join(name)), "{name}");
        let all = first.3.iter().flat_map(|(_, counters)| counters);
        facts += all.filter(|(name, _)| name == "facts published").map(|(_, count)| count).sum::<f64>();
    }
    assert!(facts > 0.0, "nothing was exchanged");
}

/// The second reading of C counts steps, too.
#[test]
fn programs_in_c_give_the_same_every_time() {
    let folder = std::env::temp_dir().join(format!("nilas-deterministic-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let text = "extern int __VERIFIER_nondet_int(void); void reach_error(void);
        int main(void) {
            unsigned x = 0, y = 0;
            while (__VERIFIER_nondet_int()) { x += 2; y += 2; if (x == 100) { x = 0; y = 0; } }
            if (BAD) reach_error();
            return 0;
        }";
    for (name, bad, verdict) in [("safe.c", "x != y", "safe"), ("unsafe.c", "x == 38 && y == 38", "unsafe")] {
        let file = folder.join(name);
        std::fs::write(&file, text.replace("BAD", bad)).unwrap();
        let first = told(file.clone());
        assert_eq!(first.0, verdict, "{first:?}");
        assert_eq!(first, told(file), "{name}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
