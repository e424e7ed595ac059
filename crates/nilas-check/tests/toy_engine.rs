//! An engine that nobody else knows: it is registered, set, and runs beside the others.

#![allow(clippy::unwrap_used)]

use nilas_check::{Options, Silent, Task, Text, Warning, check};
use nilas_engine::{
    Context, Counters, Engine, EngineRef, Entry, Kind, Outcome, Own, Prepared, Proof, Registry, Role, Setting,
};
use nilas_evidence::Invariant;

/// Guesses that the first variable never exceeds a bound, and leaves it to the checker to find out.
struct Guess;

impl Engine for Guess {
    fn name(&self) -> &'static str {
        "guess"
    }

    fn method(&self) -> &'static str {
        "guesses that the first variable never exceeds a bound"
    }

    fn settings(&self) -> &'static [Setting] {
        const SETTINGS: [Setting; 1] = [Setting {
            key: "bound",
            kind: Kind::Number("a number"),
            default: Some("4"),
            help: "what the first variable does not exceed",
        }];
        &SETTINGS
    }

    fn run(&self, prepared: &Prepared, settings: &Own<'_>, context: &mut Context<'_>) -> (Outcome, Counters) {
        let bound = settings.parsed::<u64>("bound").unwrap_or(0);
        context.observer.event(&|| format!("guess: at most {bound}"));
        let automaton = &prepared.program.automaton;
        let mut invariant = Invariant { arena: prepared.program.arena.clone(), ..Invariant::default() };
        let bound = invariant.arena.bv(8, bound);
        let within = invariant.arena.bv_ule(automaton.variables[0].term, bound);
        let inner = |id| id != automaton.entry && !automaton.is_sink(id);
        for location in automaton.location_ids().filter(|&id| inner(id)) {
            invariant.formulas.insert(location, within);
        }
        (Outcome::Safe(Proof::Invariant(invariant)), Counters::from([("guesses", 1)]))
    }
}

const PROGRAM: &str = "cfa count var x, y : bv8 entry a error e
a -> b { x := 0; havoc y }
b -> b { assume x <u 4 && y != 3; x := x + 1; havoc y }
b -> e { assume x >u 4 && y == 7 }
";

static GUESS: EngineRef = EngineRef::new(&Guess);

fn options(bound: &str) -> Options {
    let registry = Registry::default().with(GUESS, Role::First);
    let mut options = Options { registry, ..Options::default() };
    options.settings.set_in(&options.registry, &format!("guess.bound={bound}")).unwrap();
    options
}

fn task() -> Task {
    Task::Automaton(Text::Given { name: "count.cfa".into(), bytes: PROGRAM.into() })
}

#[test]
fn it_decides_in_the_portfolio() {
    let mut options = options("4");
    // Nobody else is as quick.
    let alone = |entry: &Entry| match entry.role {
        Role::Beside => Entry { role: Role::Alone, ..*entry },
        _ => *entry,
    };
    options.registry = Registry::of(options.registry.entries().iter().map(alone).collect());
    assert_eq!(options.registry.portfolio().len(), 2);
    let answer = check(&task(), &options, &mut Silent).unwrap();
    assert_eq!((answer.verdict(), answer.summary.engine), ("safe", Some("guess")));
    let counters = answer.summary.statistics.iter().find(|(group, _)| group == "guess").unwrap();
    assert!(counters.1.contains(&("guesses".to_owned(), 1.0)), "{counters:?}");
}

/// A wrong guess is rejected, and another engine decides.
#[test]
fn it_is_not_trusted() {
    let answer = check(&task(), &options("3"), &mut Silent).unwrap();
    assert_eq!(answer.verdict(), "safe");
    assert_ne!(answer.summary.engine, Some("guess"));
    let tried = answer.summary.statistics.iter().any(|(group, _)| group == "guess");
    let rejected =
        |warning: &Warning| matches!(warning, Warning::Rejected { engine, .. } if engine.name() == "guess");
    assert_eq!(answer.warnings.iter().any(rejected), tried, "{:?}", answer.warnings);
}

#[test]
fn alone_it_is_a_bug_that_is_told() {
    let mut options = options("3");
    options.engine = options.registry.find("guess").ok();
    let answer = check(&task(), &options, &mut Silent).unwrap();
    assert_eq!(answer.standing(), nilas_check::Standing::Internal, "{:?}", answer.summary.conclusion);
}

/// What can be set comes from what engines declare.
#[test]
fn its_settings_are_known_with_it_alone() {
    let mut settings = nilas_engine::Settings::default();
    let unknown = settings.set("guess.bound=4").unwrap_err();
    assert!(!unknown.contains("\n  guess.bound"), "{unknown}");
    let registry = options("4").registry;
    let unknown = settings.set_in(&registry, "guess.moon=4").unwrap_err();
    assert!(unknown.contains("\n  guess.bound: a number"), "{unknown}");
}
