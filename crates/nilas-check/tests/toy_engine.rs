//! An engine that nobody else knows: it is registered, set, runs beside the others, tells them of its guess,
//! and listens to them.

#![allow(clippy::unwrap_used)]

use nilas_check::{Options, Silent, Task, Text, Warning, check};
use nilas_engine::{
    Context, Counters, Engine, EngineRef, Entry, Fact, Kind, Outcome, Own, Prepared, Proof, Registry, Role,
    Setting, Unknown,
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
        const SETTINGS: [Setting; 2] = [
            Setting {
                key: "bound",
                kind: Kind::Number("a number"),
                default: Some("4"),
                help: "what the first variable does not exceed",
            },
            Setting {
                key: "then",
                kind: Kind::Words(&["prove", "listen", "leave"]),
                default: Some("prove"),
                help: "take the guess for a proof at once, or when others have told something, or not at all",
            },
        ];
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
            context.exchange.publish(&mut invariant.arena, &Fact::Invariant(location, within));
        }
        match settings.text("then") {
            Some("leave") => {
                let why = Unknown::Bound { what: "guess", limit: 1 };
                return (Outcome::Unknown(why), Counters::from([("guesses", 1)]));
            }
            Some("listen") => {
                let mut arena = invariant.arena.clone();
                while context.exchange.receive(&mut arena).is_empty() {
                    if let Some(why) = context.budget.exhausted() {
                        return (Outcome::Unknown(Unknown::Interrupted(why)), Counters::new());
                    }
                }
            }
            _ => {}
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
        Role::Beside | Role::Briefly => Entry { role: Role::Alone, ..*entry },
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

/// In a short turn, it decides what the others could not.
#[test]
fn it_has_a_short_turn() {
    for deterministic in [false, true] {
        let mut options = Options { deterministic, ..options("4") };
        options.settings.set_in(&options.registry, "bmc.max-depth=1").unwrap();
        let bmc = Entry { engine: options.registry.find("bmc").unwrap(), role: Role::Beside };
        options.registry = Registry::of(vec![Entry { engine: GUESS, role: Role::Briefly }, bmc]);
        assert_eq!(options.registry.portfolio(), [bmc.engine, GUESS]);
        let answer = check(&task(), &options, &mut Silent).unwrap();
        assert_eq!((answer.verdict(), answer.summary.engine), ("safe", Some("guess")));
    }
}

/// Counts round and round: BMC comes to no end.
const ROUND: &str = "cfa round var x, y : bv8 entry a error e
a -> b { x := 0; havoc y }
b -> b { assume y != 3; x := (x == 4 ? 0 : x + 1); havoc y }
b -> e { assume x >u 4 && y == 7 }
";

/// What is told of an engine in the answer of some engines that take turns.
fn beside(engines: &[&str], then: &str, bound: &str, of: &str) -> (String, Vec<(String, f64)>) {
    let mut options = Options { deterministic: true, ..options(bound) };
    options.settings.set_in(&options.registry, &format!("guess.then={then}")).unwrap();
    options.portfolio = engines.iter().map(|name| options.registry.find(name).unwrap()).collect();
    let task = Task::Automaton(Text::Given { name: "round.cfa".into(), bytes: ROUND.into() });
    let answer = check(&task, &options, &mut Silent).unwrap();
    let counters = answer.summary.statistics.iter().find(|(group, _)| group == of).unwrap();
    (format!("{} by {}", answer.verdict(), answer.summary.engine.unwrap_or_default()), counters.1.clone())
}

fn count(counters: &[(String, f64)], name: &str) -> f64 {
    counters.iter().find(|(other, _)| other == name).map_or(0.0, |(_, count)| *count)
}

#[test]
fn it_listens_to_others() {
    let (answer, counters) = beside(&["guess", "bmc"], "listen", "4", "guess");
    assert_eq!(answer, "safe by guess");
    assert!(count(&counters, "facts published") >= 1.0, "{counters:?}");
    assert!(count(&counters, "facts received") >= 1.0, "{counters:?}");
}

/// Others show what it guessed, and prove the program with that.
#[test]
fn others_listen_to_it() {
    let (answer, counters) = beside(&["guess", "k-ind"], "leave", "4", "k-ind");
    assert_eq!(answer, "safe by k-ind");
    assert!(count(&counters, "facts received and used") >= 1.0, "{counters:?}");
}

/// A guess that is wrong is no fact for anybody.
#[test]
fn others_do_not_believe_it() {
    let (answer, counters) = beside(&["guess", "ic3cfa"], "leave", "3", "ic3cfa");
    assert_eq!(answer, "safe by ic3cfa");
    assert_eq!(count(&counters, "facts received and used"), 0.0, "{counters:?}");
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
