//! Recorded streams of the engine `euf` on three solvers, in one run: congruence closure, our bit-blasted
//! solver on the same questions (the concretised ones), and z3 on the abstract ones.
//!
//! `cargo run --release -p nilas-smt --example euf_streams -- FILE.smt2…`, on scripts of `nilas check
//! --engine euf --set euf.templates=no --record-queries FILE.smt2`.
//!
//! For z3 every operator is a function, every sort an uninterpreted one, and constants are distinct. Its time
//! is that of the whole run less that of a run without checks. All times are processor times, the best of a few
//! replays each. `--no-z3` and `--no-bits` leave one out. Answers of
//! congruence closure and z3 are compared; z3 does not know that operands commute, so it may find models
//! where there are none.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    unreachable_pub,
    missing_docs,
    dead_code
)]

#[path = "replay/clock.rs"]
mod clock;

use clock::{Clock, has_ended};
use nilas_smt::record::{Step, Stream};
use nilas_smt::sat::SatStats;
use nilas_smt::{Answer, Budget, Embedded, Euf, Solver};
use nilas_term::{Arena, BitVec, Op, Sort, Term, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Replays of ours of which the best counts, and of z3.
const ROUNDS: (usize, usize) = (7, 3);

/// Streams with fewer questions are left out.
const FEWEST: usize = 100;

/// What a solver of ours did with a stream.
#[derive(Default)]
struct Played {
    answers: Vec<Option<bool>>,
    /// Of the calls alone, in the best replay.
    time: Duration,
    stats: SatStats,
}

/// A stream on a solver of ours.
fn play<S: Solver>(stream: &Stream, new: impl Fn() -> S) -> Played {
    let mut best: Option<Played> = None;
    for _ in 0..ROUNDS.0 {
        let (mut solver, mut answers) = (new(), Vec::with_capacity(stream.queries()));
        let clock = Clock::now();
        stream.play(&mut solver, &mut Budget::unlimited, &mut |_, _, answer| {
            answers.push(match answer {
                Answer::Sat => Some(true),
                Answer::Unsat => Some(false),
                Answer::Unknown(_) => None,
            });
            true
        });
        let time = clock.own();
        if best.as_ref().is_none_or(|best| time < best.time) {
            best = Some(Played { answers, time, stats: solver.stats().sat_solver });
        }
    }
    best.unwrap()
}

/// Terms as z3 is to read them.
#[derive(Default)]
struct Abstract {
    sorts: BTreeMap<String, usize>,
    functions: BTreeSet<String>,
    declarations: String,
    constants: BTreeMap<String, Vec<String>>,
    values: HashMap<Value, String>,
    body: String,
    names: HashMap<Term, String>,
}

impl Abstract {
    fn sort(&mut self, sort: &Sort) -> String {
        if *sort == Sort::Bool {
            return "Bool".to_owned();
        }
        let next = self.sorts.len();
        let number = *self.sorts.entry(format!("{sort:?}")).or_insert(next);
        if number == next {
            let _ = writeln!(self.declarations, "(declare-sort S{number} 0)");
        }
        format!("S{number}")
    }

    fn value(&mut self, sort: &Sort, value: &Value) -> String {
        if let Some(name) = self.values.get(value) {
            return name.clone();
        }
        let (sort, name) = (self.sort(sort), format!("c{}", self.values.len()));
        let _ = writeln!(self.declarations, "(declare-fun {name} () {sort})");
        self.constants.entry(sort).or_default().push(name.clone());
        self.values.insert(value.clone(), name.clone());
        name
    }

    /// A function with the name of an operator, on these sorts.
    fn apply(&mut self, op: Op, arguments: &[(String, String)], result: &str) -> String {
        let sorts: Vec<&str> = arguments.iter().map(|(_, sort)| sort.as_str()).collect();
        let name = format!("|{op:?} {} {result}|", sorts.join(" "));
        if self.functions.insert(name.clone()) {
            let _ = writeln!(self.declarations, "(declare-fun {name} ({}) {result})", sorts.join(" "));
        }
        let arguments: Vec<&str> = arguments.iter().map(|(name, _)| name.as_str()).collect();
        format!("({name} {})", arguments.join(" "))
    }

    /// The name of a term, which is defined with all below it.
    fn term(&mut self, arena: &Arena, term: Term) -> String {
        let mut stack = vec![(term, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.names.contains_key(&term) {
                continue;
            }
            if !ready {
                stack.push((term, true));
                stack.extend(arena.children(term).iter().map(|&child| (child, false)));
                continue;
            }
            let name = self.define(arena, term);
            self.names.insert(term, name);
        }
        self.names[&term].clone()
    }

    fn define(&mut self, arena: &Arena, term: Term) -> String {
        if let Some(value) = arena.as_bool(term) {
            return value.to_string();
        }
        let sort = arena.sort(term).clone();
        if let Some(value) = arena.as_value(term) {
            return self.value(&sort, value);
        }
        let of = self.sort(&sort);
        let name = format!("t{}", self.names.len());
        let op = arena.op(term);
        if op.is_leaf() {
            let _ = writeln!(self.declarations, "(declare-fun {name} () {of})");
            return name;
        }
        let children = arena.children(term);
        let arguments: Vec<(String, String)> = children
            .iter()
            .map(|child| (self.names[child].clone(), self.sort(&arena.sort(*child).clone())))
            .collect();
        let list = arguments.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(" ");
        let text = match op {
            Op::Not => format!("(not {list})"),
            Op::And => format!("(and {list})"),
            Op::Or => format!("(or {list})"),
            Op::Xor => format!("(xor {list})"),
            Op::Ite => format!("(ite {list})"),
            Op::Eq => format!("(= {list})"),
            Op::BvUle | Op::BvSle => self.strict(arena, op, children, &arguments),
            op => self.apply(op, &arguments, &of),
        };
        let _ = writeln!(self.body, "(define-fun {name} () {of} {text})");
        name
    }

    /// A comparison that is not strict, as our solver reads it.
    fn strict(&mut self, arena: &Arena, op: Op, children: &[Term], arguments: &[(String, String)]) -> String {
        let strict = if op == Op::BvUle { Op::BvUlt } else { Op::BvSlt };
        if let Some(bound) = arena.as_bitvec(children[1]) {
            let width = bound.width();
            let greatest = if op == Op::BvUle { BitVec::ones(width) } else { BitVec::max_signed(width) };
            if *bound != greatest {
                let next = Value::BitVec(bound.add(&BitVec::one(width)));
                let next = self.value(&Sort::BitVec(width), &next);
                let arguments = [arguments[0].clone(), (next, arguments[1].1.clone())];
                return self.apply(strict, &arguments, "Bool");
            }
        }
        let swapped = [arguments[1].clone(), arguments[0].clone()];
        format!("(not {})", self.apply(strict, &swapped, "Bool"))
    }

    fn script(mut self, stream: &Stream) -> String {
        let (mut activations, mut assumptions) = (0, HashMap::new());
        for step in &stream.steps {
            match step {
                Step::Assert(term) => {
                    let term = self.term(&stream.arena, *term);
                    let _ = writeln!(self.body, "(assert {term})");
                }
                Step::Activation => {
                    let _ = writeln!(self.body, "(declare-fun on{activations} () Bool)");
                    activations += 1;
                }
                Step::AssertUnder(activation, term) => {
                    let term = self.term(&stream.arena, *term);
                    let _ = writeln!(self.body, "(assert (=> on{activation} {term}))");
                }
                Step::Retire(activation) => {
                    let _ = writeln!(self.body, "(assert (not on{activation}))");
                }
                Step::Check { activations, assumptions: assumed, .. } => {
                    let mut names: Vec<String> =
                        activations.iter().map(|activation| format!("on{activation}")).collect();
                    for &assumption in assumed {
                        let next = assumptions.len();
                        let number = *assumptions.entry(assumption).or_insert(next);
                        if number == next {
                            let term = self.term(&stream.arena, assumption);
                            let _ = writeln!(
                                self.body,
                                "(declare-fun is{number} () Bool)\n(assert (=> is{number} {term}))"
                            );
                        }
                        names.push(format!("is{number}"));
                    }
                    let _ = writeln!(self.body, "(check-sat-assuming ({}))", names.join(" "));
                }
            }
        }
        let mut text = format!("(set-logic QF_UF)\n{}", self.declarations);
        for names in self.constants.values().filter(|names| names.len() > 1) {
            let _ = writeln!(text, "(assert (distinct {}))", names.join(" "));
        }
        text + &self.body
    }
}

/// A run of z3 is ended after this.
const LIMIT: Duration = Duration::from_secs(60);

/// A script on z3: what it prints, and its time.
fn z3(script: &str) -> (String, Duration) {
    let path = std::env::temp_dir().join(format!("euf-stream-{}.smt2", std::process::id()));
    std::fs::write(&path, script).unwrap();
    let output = path.with_extension("out");
    let (start, clock) = (Instant::now(), Clock::now());
    let mut child = Command::new("z3")
        .arg("-smt2")
        .arg(&path)
        .stdout(Stdio::from(std::fs::File::create(&output).unwrap()))
        .spawn()
        .unwrap();
    while !has_ended(child.id()) && start.elapsed() < LIMIT {
        std::thread::sleep(Duration::from_millis(1));
    }
    let time = clock.child(child.id());
    let _ = child.kill();
    let _ = child.wait();
    (std::fs::read_to_string(&output).unwrap(), time)
}

/// The answers of z3 to the questions of a script, and its time for them: that of the whole run less that of
/// a run without checks.
fn z3_answers(script: &str) -> (Vec<bool>, Duration) {
    let without: String =
        script.split_inclusive('\n').filter(|line| !line.starts_with("(check-sat")).collect();
    let best = |script: &str| (0..ROUNDS.1).map(|_| z3(script)).min_by_key(|&(_, time)| time).unwrap();
    let ((output, total), (_, reading)) = (best(script), best(&without));
    let answers = output.lines().filter_map(|line| match line.trim() {
        "sat" => Some(true),
        "unsat" => Some(false),
        _ => None,
    });
    (answers.collect(), total.saturating_sub(reading))
}

/// Questions and times of several streams.
#[derive(Default)]
struct Total {
    streams: f64,
    queries: usize,
    /// Logarithms of the ratios, of bits and of z3, and how many there are: the time of z3 for a few questions
    /// may be lost in that for reading.
    logs: [(f64, f64); 2],
    /// Of congruence closure, bits, z3.
    times: [Duration; 3],
}

fn main() {
    let (options, files): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let with = |solver: &str| !options.iter().any(|option| option.ends_with(solver));
    println!(
        "{:58} {:>7} {:>4} {:>15} {:>8} {:>8} {:>8} {:>8} {:>7}  z3 agrees",
        "stream, literals propagated by euf and bits",
        "queries",
        "sat%",
        "",
        "euf us",
        "bits us",
        "z3 us",
        "bits/euf",
        "z3/euf"
    );
    let mut total = Total::default();
    for file in files {
        let stream = Stream::read(&std::fs::read_to_string(&file).unwrap()).unwrap();
        let queries = stream.queries();
        if queries < FEWEST {
            continue;
        }
        let euf = play(&stream, Euf::new);
        let bits = if with("bits") { play(&stream, <Embedded>::new) } else { Played::default() };
        let (other, z3) =
            if with("z3") { z3_answers(&Abstract::default().script(&stream)) } else { Default::default() };
        let agrees = if other.len() == queries {
            let of = |wanted: fn(Option<bool>, bool) -> bool| {
                euf.answers.iter().zip(&other).filter(|&(&ours, &theirs)| wanted(ours, theirs)).count()
            };
            let agree = of(|ours, theirs| ours == Some(theirs));
            let refuted = of(|ours, theirs| ours == Some(true) && !theirs);
            format!("{agree} of {queries}, models that z3 refutes: {refuted}")
        } else {
            format!("it gave {} answers", other.len())
        };
        let each = |time: Duration| time.as_secs_f64() * 1e6 / queries as f64;
        let times = [euf.time, bits.time, z3];
        let [ours, of_bits, of_z3] = times.map(each);
        let sat = euf.answers.iter().filter(|&&answer| answer == Some(true)).count();
        let propagated = [&euf, &bits].map(|played| played.stats.propagations / queries as u64);
        let name = file.rsplit('/').next().unwrap_or(&file);
        println!(
            "{name:58} {queries:7} {:4} {:7} {:7} {ours:8.1} {of_bits:8.1} {of_z3:8.1} {:8.2} {:7.1}  {agrees}",
            100 * sat / queries,
            propagated[0],
            propagated[1],
            of_bits / ours,
            of_z3 / ours,
        );
        total.streams += 1.0;
        total.queries += queries;
        for (log, ratio) in total.logs.iter_mut().zip([of_bits / ours, of_z3 / ours]) {
            if ratio > 0.0 {
                *log = (log.0 + ratio.ln(), log.1 + 1.0);
            }
        }
        for (sum, time) in total.times.iter_mut().zip(times) {
            *sum += time;
        }
    }
    let [euf, bits, z3] = total.times.map(|time| time.as_secs_f64() * 1e6 / total.queries as f64);
    let [bits_mean, z3_mean] = total.logs.map(|(sum, streams)| (sum / streams).exp());
    println!(
        "{:58} {:7} {:20} {euf:8.1} {bits:8.1} {z3:8.1} {:8.2} {:7.1}",
        "all questions together",
        total.queries,
        "",
        bits / euf,
        z3 / euf
    );
    println!("geometric mean over {} streams: bits/euf {bits_mean:.2}, z3/euf {z3_mean:.2}", total.streams);
}
