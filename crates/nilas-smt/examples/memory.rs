//! Resident memory over a million queries with retired activations.
//!
//! `cargo run --release -p nilas-smt --example memory -- [QUERIES]`
//!
//! The system is that of `stream`. Each query asserts a clause under an activation of its own, asks with a
//! cube of next-state literals under the lemmas of some levels, reads the model or the failed assumptions,
//! and retires the activation; now and then the lemmas of a level are retired and others take their place.
//!
//! Two kinds of stream: *known terms* takes clauses and cubes from a fixed stock, so that the arena of terms
//! does not grow and any growth is the solver's; *new terms* draws a new constant for each literal, so the
//! arena grows, which is the caller's, and the solver forgets what it has not been asked for long. Memory is
//! read from `/proc/self/status`.

#![allow(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used, unreachable_pub, missing_docs)]
#![allow(dead_code, reason = "the system is shared with another example")]

#[path = "stream/system.rs"]
mod system;

use nilas_smt::{Activation, Answer, Budget, SatCore, Solver};
use nilas_term::Term;
use system::{Atom, Literal, System};

const LEVELS: usize = 5;
const LEMMAS_PER_LEVEL: usize = 40;
const STOCK: usize = 4000;
const ROWS: usize = 10;
/// Queries between two changes of a level.
const CHANGE: usize = 500;

/// A small generator of random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).unwrap()
    }

    fn cube(&mut self, constants: u64) -> Vec<Literal> {
        let size = 2 + self.below(6);
        let mut cube: Vec<Literal> = (0..size)
            .map(|_| {
                let (v, c) = (self.below(3), u32::try_from(self.next() % constants).unwrap());
                let atom = match self.below(6) {
                    0 => Atom::EqualConstant(v, c),
                    1 | 2 => Atom::LessConstant(v, c),
                    3 => Atom::SignedLessConstant(v, c),
                    4 => Atom::Bit(v, c % 32),
                    _ => Atom::Less(v, (v + 1) % 3),
                };
                Literal { atom, value: self.below(2) == 0 }
            })
            .collect();
        cube.sort_unstable();
        cube.dedup_by_key(|literal| literal.atom);
        cube
    }
}

/// What a query is about: the clause that is asserted, and the assumptions.
struct Question {
    clause: Term,
    assumptions: Vec<Term>,
}

fn question(system: &mut System, random: &mut Random, constants: u64) -> Question {
    let cube = random.cube(constants);
    let assumptions = cube.iter().map(|&literal| system.next(literal)).collect();
    Question { clause: system.blocked(&cube), assumptions }
}

fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

fn lemmas(
    solver: &mut dyn Solver,
    system: &mut System,
    random: &mut Random,
    stock: &[Question],
    level: Activation,
) {
    for _ in 0..LEMMAS_PER_LEVEL {
        let clause = stock[random.below(stock.len())].clause;
        solver.assert_under(&system.arena, level, clause);
    }
}

fn run(core: SatCore, queries: usize, new_terms: bool) {
    let mut random = Random(1);
    let mut system = System::new();
    let mut solver = core.solver();
    let stock: Vec<Question> = (0..STOCK).map(|_| question(&mut system, &mut random, 1000)).collect();
    let mut levels: Vec<Activation> = (0..LEVELS).map(|_| solver.activation()).collect();
    for &level in &levels {
        lemmas(&mut *solver, &mut system, &mut random, &stock, level);
    }
    let mut sat = 0_u64;
    for number in 1..=queries {
        if number % CHANGE == 0 {
            let which = random.below(LEVELS);
            solver.retire(levels[which]);
            levels[which] = solver.activation();
            lemmas(&mut *solver, &mut system, &mut random, &stock, levels[which]);
        }
        let made = new_terms.then(|| question(&mut system, &mut random, 1 << 32));
        let asked = made.as_ref().unwrap_or(&stock[random.below(STOCK)]);
        let activation = solver.activation();
        solver.assert_under(&system.arena, activation, asked.clause);
        let mut named = levels[random.below(LEVELS)..].to_vec();
        named.push(activation);
        match solver.check(&system.arena, &named, &asked.assumptions, &Budget::unlimited()) {
            Answer::Sat => {
                sat += 1;
                for variable in system.variables() {
                    solver.value(&system.arena, variable).unwrap();
                }
            }
            Answer::Unsat => assert!(solver.failed().len() <= asked.assumptions.len()),
            Answer::Unknown(why) => panic!("{why}"),
        }
        solver.retire(activation);
        if number % (queries / ROWS) == 0 {
            let stats = solver.stats();
            println!(
                "{:<8}{:<7}{number:>9}{sat:>9}{:>10.1}{:>10}{:>10}{:>10}{:>9}",
                core.name(),
                if new_terms { "new" } else { "known" },
                resident() as f64 / 1000.0,
                system.arena.len(),
                stats.variables,
                stats.clauses,
                stats.rebuilds,
            );
        }
    }
}

fn main() {
    let queries = std::env::args().nth(1).and_then(|number| number.parse().ok()).unwrap_or(1_000_000);
    println!(
        "{:<8}{:<7}{:>9}{:>9}{:>10}{:>10}{:>10}{:>10}{:>9}",
        "core", "terms", "queries", "sat", "MB", "terms", "variables", "clauses", "rebuilds"
    );
    run(SatCore::Cdcl, queries, false);
    run(SatCore::Cdcl, queries / 5, true);
}
