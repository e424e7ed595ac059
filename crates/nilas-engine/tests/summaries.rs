//! Summaries against recursion that is unrolled to a bound: on random modules, and on small ones by hand.

use nilas_engine::{
    EngineRef, Preparations, Report, Settings, Silent, Unknown, Verdict, verify, verify_within,
};
use nilas_evidence::Evidence;
use nilas_program::procedures::{FlattenOptions, ModuleShape, WithCalls, flatten, random_module};
use nilas_program::random::Rng;
use nilas_program::{Module, Program, parse_module, print_module};
use nilas_smt::Budget;
use std::sync::Arc;

const SEEDS: u64 = 2_000;

fn engine(name: &str) -> EngineRef {
    name.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// The automaton with recursion unrolled so deep, and what summaries have to say.
fn report(module: &Module, recursion: usize, settings: &[&str]) -> (Program, Report) {
    let options = FlattenOptions { recursion, ..FlattenOptions::default() };
    let flat = flatten(module.clone(), &options, &Budget::unlimited()).expect("there is no limit");
    let calls = WithCalls::new(module.clone(), &flat);
    let program = flat.targets.program;
    let prepared = Preparations::with_calls(program.clone(), Some(Arc::new(calls)));
    let settings = Settings::of(settings).expect("settings");
    let budgets = nilas_engine::Budgets::default();
    let report = verify_within(&prepared, engine("summaries"), &settings, &budgets, &mut Silent);
    (program, report)
}

/// The automaton with recursion unrolled so deep, and the verdict of summaries.
fn summaries(module: &Module, recursion: usize, settings: &[&str]) -> (Program, Verdict) {
    let (program, report) = report(module, recursion, settings);
    (program, report.verdict)
}

/// Where unrolling decides, summaries say the same; all evidence is accepted.
#[test]
fn random_modules() {
    let (mut safe, mut wrong, mut deeper, mut given_up) = (0, 0, 0, 0);
    for seed in 0..SEEDS {
        let recursive = seed % 4 != 0;
        let shape = ModuleShape { recursive, ..ModuleShape::default() };
        let module = random_module(&mut Rng::new(seed), &shape);
        let (program, verdict) = summaries(&module, 3, &["summaries.check=yes", "summaries.max-level=40"]);
        let context = || format!("seed {seed}\n{}", print_module(&module));
        let flat =
            verify(&program, engine("ic3cfa"), &Settings::default(), &Budget::unlimited(), &mut Silent);
        match (&verdict, &flat.verdict) {
            (Verdict::Safe(evidence), Verdict::Safe(_) | Verdict::Unknown(Unknown::Unmodelled { .. })) => {
                assert!(matches!(evidence, Evidence::Contracts(_)), "{}", context());
                safe += 1;
                deeper += u32::from(!matches!(flat.verdict, Verdict::Safe(_)));
            }
            (Verdict::Unsafe(_), Verdict::Unsafe(_)) => wrong += 1,
            // The error is deeper than the automaton goes.
            (Verdict::Unknown(Unknown::Unmodelled { .. }), Verdict::Unknown(Unknown::Unmodelled { .. })) => {
                deeper += 1;
            }
            (Verdict::Unknown(Unknown::Bound { .. }), _) => given_up += 1,
            (other, flat) => panic!("{}\n{other:?}\nunrolled: {flat:?}", context()),
        }
    }
    assert!(
        safe > SEEDS / 10 && wrong > SEEDS / 10 && deeper > 0,
        "{safe} safe, {wrong} not, {deeper} deeper"
    );
    assert!(given_up < SEEDS / 50, "{given_up} given up");
}

#[track_caller]
fn check(text: &str) -> Verdict {
    let module = parse_module(text).unwrap_or_else(|errors| panic!("{}", errors[0].render("text", text)));
    summaries(&module, 4, &["summaries.check=yes"]).1
}

/// Twice as much by recursion over any number of calls: no bound of recursion is enough.
#[test]
fn recursion_without_bound() {
    let text = "var n, r : bv16 entry a error e
        proc twice(t.n : bv16) returns (t.r : bv16) { entry t.in exit t.out
            t.in -> t.out { assume t.n == 0; t.r := 0 }
            t.in -> t.l { assume t.n != 0 }
            t.l -> t.m { t.r := call twice(t.n - 1) }
            t.m -> t.out { t.r := t.r + 2 } }
        a -> b { havoc n } b -> c { r := call twice(n) } c -> e { assume r != n + n }";
    assert!(matches!(check(text), Verdict::Safe(Evidence::Contracts(_))));
    let wrong = text.replace("r != n + n", "r == n + n && n == 2");
    assert!(matches!(check(&wrong), Verdict::Unsafe(Evidence::Execution(_))));
    let deep = text.replace("r != n + n", "r == n + n && n == 9");
    assert!(matches!(check(&deep), Verdict::Unknown(Unknown::Unmodelled { .. })), "deeper than four calls");
}

/// Global variables, errors and assumptions in callees, callees that do not come back.
#[test]
fn what_procedures_do() {
    let text = "var g, x : bv3 entry a error e
        proc down(d.n : bv3) { entry d.in exit d.out
            d.in -> d.out { assume d.n == 0 }
            d.in -> d.l { assume d.n != 0; g := g + 1 }
            d.l -> d.out { call down(d.n - 1) } }
        a -> b { havoc x; g := 0 } b -> c { call down(x) } c -> e { assume g != x }";
    assert!(matches!(check(text), Verdict::Safe(_)));
    assert!(matches!(check(&text.replace("g != x", "g == 3")), Verdict::Unsafe(_)));
    let forever = text.replace("assume d.n == 0", "assume d.n == 0; assume false");
    assert!(matches!(check(&forever.replace("g != x", "true")), Verdict::Safe(_)), "it never comes back");
    let inside = text.replace("g := g + 1 }", "g := g + 1 } d.in -> e { assume d.n == 2 && g == 1 }");
    assert!(matches!(check(&inside), Verdict::Unsafe(_)), "from 3");
    let never = inside.replace("havoc x;", "havoc x; assume x <=u 2;");
    assert!(matches!(check(&never), Verdict::Safe(_)));
}

/// Fig. 5.8 of the EUForia thesis: calls in a row cost neither frames nor lemmas.
#[test]
fn many_calls() {
    let counted = |calls: usize| {
        let mut text = "var i : bv16 entry l0 error e
            proc loop() { entry p.in exit p.out
                p.in -> p.l { i := i + 3 }
                p.l -> p.l { assume i <s 5; i := i + 3 }
                p.l -> p.m { assume i >=s 5 }
                p.m -> e { assume i >=s 7 }
                p.m -> p.out { assume i <s 7 } }"
            .to_owned();
        for call in 0..calls {
            text.push_str(&format!(
                "\nl{call} -> m{call} {{ i := 0 }} m{call} -> l{} {{ call loop() }}",
                call + 1
            ));
        }
        let module =
            parse_module(&text).unwrap_or_else(|errors| panic!("{}", errors[0].render("text", &text)));
        let (_, report) = report(&module, 1, &["summaries.check=yes"]);
        assert!(matches!(report.verdict, Verdict::Safe(Evidence::Contracts(_))), "{calls}");
        ["frames", "lemmas learnt"].map(|name| report.counters[name])
    };
    assert_eq!(counted(2), counted(30));
}
