//! The command line with one more engine, that no other file knows: `nilas bench --grid` compares it with the
//! others. This test is that command: bench calls the program that it is itself part of.

use nilas::Registry;
use nilas_engine::{
    Context, Counters, Engine, EngineRef, Kind, Outcome, Own, Prepared, Proof, Role, Setting,
};
use nilas_evidence::Invariant;
use std::process::Command;

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

    fn run(&self, prepared: &Prepared, settings: &Own<'_>, _: &mut Context<'_>) -> (Outcome, Counters) {
        let automaton = &prepared.program.automaton;
        let mut invariant = Invariant { arena: prepared.program.arena.clone(), ..Invariant::default() };
        let bound = invariant.arena.bv(8, settings.parsed("bound").unwrap_or(0));
        let within = invariant.arena.bv_ule(automaton.variables[0].term, bound);
        let inner = |id| id != automaton.entry && !automaton.is_sink(id);
        for location in automaton.location_ids().filter(|&id| inner(id)) {
            invariant.formulas.insert(location, within);
        }
        (Outcome::Safe(Proof::Invariant(invariant)), Counters::from([("solver checks", 0)]))
    }
}

static GUESS: EngineRef = EngineRef::new(&Guess);

const ROUND: &str = "cfa round var x, y : bv8 entry a error e
a -> b { x := 0; havoc y }
b -> b { assume y != 3; x := (x == 4 ? 0 : x + 1); havoc y }
b -> e { assume x >u 4 && y == 7 }
";

fn main() {
    if std::env::args().nth(1).is_some_and(|first| first == "check" || first == "bench") {
        nilas::command(Registry::default().with(GUESS, Role::First))
    }
    let folder = std::env::temp_dir().join(format!("nilas-toy-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file of the test");
    write("round.cfa", ROUND);
    write("index.csv", "path,expected\nround.cfa,true\n");
    write("grid.txt", "toy: --engine guess --set guess.bound=4\nothers: --portfolio bmc,ic3cfa\n");
    let mut bench = Command::new(std::env::current_exe().expect("this program"));
    bench.current_dir(&folder).args(["bench", "index.csv", "--grid", "grid.txt", "--out", "out.csv"]);
    let told = bench.output().expect("it can be run");
    let text = String::from_utf8_lossy(&told.stdout);
    let errors = String::from_utf8_lossy(&told.stderr);
    assert!(text.contains("toy") && text.contains("others"), "{text}\n{errors}");
    let rows = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap_or_default();
    let (toy, others) = (rows("out.toy.csv"), rows("out.others.csv"));
    assert!(toy.contains("guess") && toy.contains("safe"), "{toy}\n{text}\n{errors}");
    assert!(others.contains("ic3cfa"), "{others}\n{text}\n{errors}");
    let _ = std::fs::remove_dir_all(&folder);
}
