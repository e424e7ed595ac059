//! Replays a stream of IC3-like queries on all SAT solvers behind the trait, and a few hard single ones.
//!
//! The circuit is a 32-bit transition, `x' = ite(c, x + y, x ^ (y << 1))`, `y' = y + 1`,
//! `z' = ite(x < y, z + x, z - 1)`, with comparisons to constants before and after it as the literals
//! of word-level cubes. A query assumes the activation variables of the frames from some level on and a
//! cube of next-state literals, at times with some of the present state; every third one has a temporary
//! clause; the negated cores become lemmas. The stream is made once, by following the answers of our own
//! solver, and replayed on each; all answers must agree.
//!
//! `cargo run --release --example sat_stream [QUERIES] [SOLVER]`

#![allow(clippy::print_stdout, reason = "a measurement prints its table")]

use nilas_smt::budget::Budget;
use nilas_smt::sat::{Batsat, Cadical, Cdcl, Lit, SatAnswer, SatSolver, Var};
use std::time::{Duration, Instant};

const WIDTH: usize = 32;
const LEVELS: usize = 6;
const LEMMAS_PER_LEVEL: usize = 40;

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
        (self.next() % bound as u64) as usize
    }

    fn bool(&mut self) -> bool {
        self.below(2) == 0
    }
}

/// Turns words into gates.
struct Blaster<'a> {
    solver: &'a mut dyn SatSolver,
    top: Lit,
}

type Word = Vec<Lit>;

impl<'a> Blaster<'a> {
    fn new(solver: &'a mut dyn SatSolver) -> Self {
        let top = solver.new_var();
        solver.add_gate(top, &[], &[&[top.lit()]]);
        Blaster { solver, top: top.lit() }
    }

    fn word(&mut self, width: usize) -> Word {
        (0..width).map(|_| self.solver.new_var().lit()).collect()
    }

    fn constant(&self, value: u64, width: usize) -> Word {
        (0..width).map(|bit| if value >> bit & 1 == 1 { self.top } else { !self.top }).collect()
    }

    fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let o = self.solver.new_var().lit();
        self.solver.add_gate(o.var(), &[a, b], &[&[!o, a], &[!o, b], &[o, !a, !b]]);
        o
    }

    fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let o = self.solver.new_var().lit();
        let clauses: [&[Lit]; 4] = [&[!o, a, b], &[!o, !a, !b], &[o, !a, b], &[o, a, !b]];
        self.solver.add_gate(o.var(), &[a, b], &clauses);
        o
    }

    fn ite(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        let o = self.solver.new_var().lit();
        let clauses: [&[Lit]; 6] =
            [&[!c, !a, o], &[!c, a, !o], &[c, !b, o], &[c, b, !o], &[!a, !b, o], &[a, b, !o]];
        self.solver.add_gate(o.var(), &[c, a, b], &clauses);
        o
    }

    fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let o = self.solver.new_var().lit();
        let clauses: [&[Lit]; 6] =
            [&[!a, !b, o], &[!a, !c, o], &[!b, !c, o], &[a, b, !o], &[a, c, !o], &[b, c, !o]];
        self.solver.add_gate(o.var(), &[a, b, c], &clauses);
        o
    }

    fn add(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> Word {
        let mut sum = Vec::new();
        for (&a, &b) in a.iter().zip(b) {
            let half = self.xor(a, b);
            sum.push(self.xor(half, carry));
            carry = self.majority(a, b, carry);
        }
        sum
    }

    fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut less = !self.top;
        for (&a, &b) in a.iter().zip(b) {
            less = self.majority(!a, b, less);
        }
        less
    }

    fn ite_word(&mut self, c: Lit, a: &[Lit], b: &[Lit]) -> Word {
        a.iter().zip(b).map(|(&a, &b)| self.ite(c, a, b)).collect()
    }

    fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let mut sum = self.constant(0, a.len());
        for (shift, &bit) in b.iter().enumerate() {
            let mut row = self.constant(0, shift);
            for &a in &a[..a.len() - shift] {
                row.push(self.and(a, bit));
            }
            sum = self.add(&sum, &row, !self.top);
        }
        sum
    }
}

/// Literals of cubes, before and after the transition.
struct Transition {
    now: Vec<Lit>,
    next: Vec<Lit>,
    bits: usize,
}

fn transition(solver: &mut dyn SatSolver) -> Transition {
    let mut blast = Blaster::new(solver);
    let [x, y, z] = [(); 3].map(|()| blast.word(WIDTH));
    let c = blast.word(1)[0];
    let sum = blast.add(&x, &y, !blast.top);
    let mut shifted = vec![!blast.top];
    shifted.extend(&y[..WIDTH - 1]);
    let mixed: Word = x.iter().zip(&shifted).map(|(&a, &b)| blast.xor(a, b)).collect();
    let x_next = blast.ite_word(c, &sum, &mixed);
    let zero = blast.constant(0, WIDTH);
    let y_next = blast.add(&y, &zero, blast.top);
    let below = blast.less(&x, &y);
    let z_sum = blast.add(&z, &x, !blast.top);
    let ones = blast.constant(u64::MAX, WIDTH);
    let z_less = blast.add(&z, &ones, !blast.top);
    let z_next = blast.ite_word(below, &z_sum, &z_less);
    let mut now = [&x[..], &y, &z].concat();
    let mut next = [&x_next[..], &y_next, &z_next].concat();
    let bits = now.len();
    for step in 0..8 {
        let bound = blast.constant(0x1234_5678 * step + 1000, WIDTH);
        for (now_word, next_word) in [(&x, &x_next), (&y, &y_next), (&z, &z_next)] {
            now.push(blast.less(now_word, &bound));
            next.push(blast.less(next_word, &bound));
        }
    }
    for (a, b) in [(0, 1), (1, 2), (2, 0)] {
        let (now_words, next_words) = ([&x, &y, &z], [&x_next, &y_next, &z_next]);
        now.push(blast.less(now_words[a], now_words[b]));
        next.push(blast.less(next_words[a], next_words[b]));
    }
    Transition { now, next, bits }
}

/// A literal of a cube: its number and its sign.
type Atom = (usize, bool);

struct Query {
    /// Lemma to add before, under the activation variable of a level.
    lemma: Option<(usize, Vec<Atom>)>,
    /// Frames assumed: this level and all above.
    level: usize,
    now: Vec<Atom>,
    next: Vec<Atom>,
    /// Whether the negation of the cube, before the transition, is a temporary clause.
    temporary: bool,
}

struct Replay {
    transition: Transition,
    levels: Vec<Var>,
    assumptions: Vec<Lit>,
    clause: Vec<Lit>,
}

impl Replay {
    fn new(solver: &mut dyn SatSolver) -> Self {
        let transition = transition(solver);
        let levels = (0..LEVELS).map(|_| solver.new_activation()).collect();
        Replay { transition, levels, assumptions: Vec::new(), clause: Vec::new() }
    }

    fn lit(of: &[Lit], (at, sign): Atom) -> Lit {
        if sign { of[at] } else { !of[at] }
    }

    fn run(&mut self, solver: &mut dyn SatSolver, query: &Query) -> SatAnswer {
        let Transition { now, next, .. } = &self.transition;
        if let Some((level, atoms)) = &query.lemma {
            self.clause.clear();
            self.clause.extend(atoms.iter().map(|&atom| Self::lit(now, atom)));
            solver.add_clause_under(self.levels[*level], &self.clause);
        }
        self.assumptions.clear();
        self.assumptions.extend(self.levels[query.level..].iter().map(|level| level.lit()));
        let temporary = query.temporary.then(|| {
            let activation = solver.new_activation();
            self.clause.clear();
            self.clause.extend(query.next.iter().map(|&atom| !Self::lit(now, atom)));
            solver.add_clause_under(activation, &self.clause);
            activation
        });
        self.assumptions.extend(temporary.map(Var::lit));
        self.assumptions.extend(query.now.iter().map(|&atom| Self::lit(now, atom)));
        self.assumptions.extend(query.next.iter().map(|&atom| Self::lit(next, atom)));
        let answer = solver.solve(&self.assumptions, &Budget::unlimited());
        if let Some(activation) = temporary {
            solver.retire(activation);
        }
        answer
    }
}

/// Makes the stream by following the answers of our own solver.
///
/// One in `words` literals of the cubes is a comparison of words, the others are bits.
fn make_stream(queries: usize, words: usize) -> Vec<Query> {
    let mut random = Random(7);
    let mut solver = Cdcl::new();
    let mut replay = Replay::new(&mut solver);
    let mut stream: Vec<Query> = Vec::new();
    let mut state: Vec<bool> = vec![false; replay.transition.bits];
    let mut lemma = None;
    let mut lemmas = [0; LEVELS];
    for index in 0..queries {
        let atoms = replay.transition.now.len();
        let bits = replay.transition.bits;
        let mut next = Vec::new();
        let mut now = Vec::new();
        for _ in 0..3 + random.below(10) {
            let is_word = random.below(words) == 0;
            let at = if is_word { bits + random.below(atoms - bits) } else { random.below(bits) };
            if next.iter().all(|&(other, _)| other != at) {
                next.push((at, random.bool()));
            }
        }
        if random.below(3) == 0 {
            for _ in 0..random.below(40) {
                let at = random.below(bits);
                if now.iter().all(|&(other, _)| other != at) {
                    now.push((at, state[at]));
                }
            }
        }
        let level = random.below(LEVELS);
        let query = Query { lemma: lemma.take(), level, now, next, temporary: index % 3 == 0 };
        match replay.run(&mut solver, &query) {
            SatAnswer::Sat if !query.temporary => {
                for (bit, &lit) in state.iter_mut().zip(&replay.transition.now) {
                    *bit = solver.value(lit.var()).unwrap_or(false) == lit.is_positive();
                }
            }
            SatAnswer::Unsat if query.now.is_empty() && lemmas[level] < LEMMAS_PER_LEVEL => {
                let core = solver.core();
                let failed =
                    |&(at, sign): &Atom| core.contains(&Replay::lit(&replay.transition.next, (at, sign)));
                let clause: Vec<Atom> =
                    query.next.iter().filter(|atom| failed(atom)).map(|&(at, sign)| (at, !sign)).collect();
                if clause.len() > 2 {
                    lemmas[level] += 1;
                    lemma = Some((level, clause));
                }
            }
            _ => {}
        }
        stream.push(query);
    }
    stream
}

/// Processor time of this thread so far, so that other work on the machine counts less; else the clock.
fn processor_time(start: Instant) -> Duration {
    let nanoseconds = std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

struct Row {
    answers: Vec<SatAnswer>,
    time: Duration,
    core: usize,
}

fn replay(solver: &mut dyn SatSolver, stream: &[Query]) -> Row {
    let mut replay = Replay::new(solver);
    let mut answers = Vec::with_capacity(stream.len());
    let mut core = 0;
    let clock = Instant::now();
    let start = processor_time(clock);
    for query in stream {
        let answer = replay.run(solver, query);
        if answer == SatAnswer::Unsat {
            core += solver.core().len();
        }
        answers.push(answer);
    }
    Row { answers, time: processor_time(clock).saturating_sub(start), core }
}

fn pigeonhole(solver: &mut dyn SatSolver, holes: usize) {
    let at: Vec<Word> = (0..=holes).map(|_| (0..holes).map(|_| solver.new_var().lit()).collect()).collect();
    for pigeon in &at {
        solver.add_clause(pigeon);
    }
    for (index, one) in at.iter().enumerate() {
        for other in &at[..index] {
            for (&here, &there) in one.iter().zip(other) {
                solver.add_clause(&[!here, !there]);
            }
        }
    }
}

/// `a * b` differs from `b * a`.
fn multiplier(solver: &mut dyn SatSolver, width: usize) {
    let mut blast = Blaster::new(solver);
    let (a, b) = (blast.word(width), blast.word(width));
    let (one, other) = (blast.multiply(&a, &b), blast.multiply(&b, &a));
    let differ: Word = one.iter().zip(&other).map(|(&a, &b)| blast.xor(a, b)).collect();
    solver.add_clause(&differ);
}

/// `a * b` is this number, and neither is 1.
fn factors(solver: &mut dyn SatSolver, width: usize, product: u64) {
    let mut blast = Blaster::new(solver);
    let (mut a, mut b) = (blast.word(width), blast.word(width));
    let (not_one_a, not_one_b) = (a[1..].to_vec(), b[1..].to_vec());
    let zero = !blast.top;
    a.resize(2 * width, zero);
    b.resize(2 * width, zero);
    let out = blast.multiply(&a, &b);
    for (bit, &lit) in out.iter().enumerate() {
        solver.add_clause(&[if product >> bit & 1 == 1 { lit } else { !lit }]);
    }
    solver.add_clause(&not_one_a);
    solver.add_clause(&not_one_b);
}

fn threshold(solver: &mut dyn SatSolver, vars: usize, seed: u64) {
    let mut random = Random(seed);
    let all: Word = (0..vars).map(|_| solver.new_var().lit()).collect();
    for _ in 0..vars * 426 / 100 {
        let mut pick = || {
            let lit = all[random.below(vars)];
            if random.bool() { lit } else { !lit }
        };
        let clause = [pick(), pick(), pick()];
        solver.add_clause(&clause);
    }
}

type Formula<'a> = &'a dyn Fn(&mut dyn SatSolver);
type Maker = fn() -> Box<dyn SatSolver>;
const SOLVERS: [(&str, Maker); 4] = [
    ("cdcl", || Box::new(Cdcl::new())),
    ("cdcl, no cone", || Box::new(Cdcl::without_cone())),
    ("cadical", || Box::new(Cadical::new())),
    ("batsat", || Box::new(Batsat::new())),
];

/// Prints a row for each solver; `cdcl, no cone` also decides in plain order of activities. The best of a few
/// rounds counts: other work on the machine only adds.
fn measure(stream: &[Query], only: Option<&str>) {
    println!("solver          µs/call  prop/call  dec/call  confl/call    cone   core     sat   unsat");
    let mut expected: Option<Vec<SatAnswer>> = None;
    let queries = stream.len();
    for (name, make) in SOLVERS {
        if only.is_some_and(|only| only != name) {
            continue;
        }
        let mut best = Duration::MAX;
        for _ in 0..if only.is_some() { 1 } else { 3 } {
            let mut solver = make();
            best = best.min(replay(&mut *solver, stream).time);
        }
        let mut solver = make();
        let row = replay(&mut *solver, stream);
        let stats = solver.stats();
        let cone = match name {
            "cdcl" => {
                let mut solver = Cdcl::new();
                replay(&mut solver, stream);
                solver.counters().cone_variables
            }
            _ => 0,
        };
        let sat = row.answers.iter().filter(|&&answer| answer == SatAnswer::Sat).count();
        let per = |count: u64| count as f64 / queries as f64;
        println!(
            "{name:14} {:8.1} {:10.0} {:9.1} {:11.2} {:7.0} {:6.2} {sat:7} {:7}",
            best.min(row.time).as_secs_f64() * 1e6 / queries as f64,
            per(stats.propagations),
            per(stats.decisions),
            per(stats.conflicts),
            per(cone),
            row.core as f64 / (queries - sat).max(1) as f64,
            queries - sat,
        );
        let differs = |expected: &Vec<SatAnswer>| expected.iter().zip(&row.answers).position(|(a, b)| a != b);
        assert_eq!(expected.as_ref().and_then(differs), None, "a query with different answers");
        expected.get_or_insert(row.answers);
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let queries = args.next().and_then(|arg| arg.parse().ok()).unwrap_or(20_000);
    let only = args.next();
    let only = only.as_deref();
    let variables = {
        let mut solver = Cdcl::new();
        Replay::new(&mut solver);
        solver.new_var().0
    };
    println!("{queries} queries per stream, {variables} variables; best of four rounds");
    for (title, words) in [("one literal in eight a comparison", 8), ("every second literal a comparison", 2)]
    {
        println!("\n{title}");
        measure(&make_stream(queries, words), only);
    }
    if only.is_some() {
        return;
    }

    println!("\nhard single queries, seconds");
    let hard: [(&str, Formula<'_>); 7] = [
        ("pigeons 8", &|s| pigeonhole(s, 8)),
        ("multiplier 7", &|s| multiplier(s, 7)),
        ("multiplier 8", &|s| multiplier(s, 8)),
        ("factors of 50021*60013", &|s| factors(s, 16, 50_021 * 60_013)),
        ("prime 268435399", &|s| factors(s, 15, 268_435_399)),
        ("3-SAT 200", &|s| threshold(s, 200, 3)),
        ("3-SAT 250", &|s| threshold(s, 250, 2)),
    ];
    for (name, make_formula) in hard {
        print!("{name:26}");
        let mut expected = None;
        for (solver_name, make) in SOLVERS {
            let mut solver = make();
            make_formula(&mut *solver);
            let start = Instant::now();
            let budget = Budget { deadline: Some(start + Duration::from_secs(30)), ..Budget::unlimited() };
            let answer = solver.solve(&[], &budget);
            print!("  {solver_name} {:.2}", start.elapsed().as_secs_f64());
            match answer {
                SatAnswer::Unknown(why) => print!(" ({why})"),
                _ => assert_eq!(*expected.get_or_insert(answer), answer, "{name}"),
            }
        }
        println!("  {}", if expected == Some(SatAnswer::Sat) { "sat" } else { "unsat" });
    }
}
