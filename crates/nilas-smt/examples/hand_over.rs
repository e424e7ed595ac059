//! After how many conflicts a hard query should go to CaDiCaL.
//!
//! `cargo run --release -p nilas-smt --example hand_over -- [--timeout SECONDS]`
//!
//! Queries about products, each asked of a new solver, with budgets of conflicts before it hands over, from
//! none at all to without end. The table has milliseconds of processor time for the whole of a query,
//! encoding included; at the end are sums, in which a query that did not end in time counts as the limit.
//! Answers must agree.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

#[path = "stream/clock.rs"]
#[allow(unreachable_pub, missing_docs)]
mod clock;

use clock::Clock;
use nilas_smt::sat::Cdcl;
use nilas_smt::{Answer, Budget, Embedded, Solver};
use nilas_term::{Arena, Sort, Term};
use std::time::{Duration, Instant};

const BUDGETS: [u64; 6] = [0, 1_000, 3_000, 10_000, 30_000, u64::MAX];

type Make = fn(&mut Arena, u32) -> Vec<Term>;

fn variables<const N: usize>(arena: &mut Arena, width: u32) -> [Term; N] {
    std::array::from_fn(|index| arena.variable(&format!("v{index}"), &Sort::BitVec(width)).unwrap())
}

/// Two numbers of `width` bits, neither of them 1, whose product in twice as many bits is this one.
fn factors(arena: &mut Arena, width: u32, product: u64) -> Vec<Term> {
    let [a, b] = variables(arena, width);
    let one = arena.bv(width, 1);
    let [wide_a, wide_b] = [a, b].map(|term| arena.zero_extend(term, width));
    let found = arena.bv_mul(wide_a, wide_b);
    let wanted = arena.bv(2 * width, product);
    let equal = arena.eq(found, wanted);
    let not_one = [a, b].map(|term| {
        let equal = arena.eq(term, one);
        arena.not(equal)
    });
    let ordered = arena.bv_ule(a, b);
    vec![equal, not_one[0], not_one[1], ordered]
}

/// The product of two primes that are not near a power of two, which would be easy.
fn composite(arena: &mut Arena, width: u32) -> Vec<Term> {
    let product = match width {
        12 => 2503 * 3001,
        16 => 40_009 * 50_021,
        _ => 700_001 * 800_011,
    };
    factors(arena, width, product)
}

/// A prime of twice the width: no factors.
fn prime(arena: &mut Arena, width: u32) -> Vec<Term> {
    let prime = match width {
        8 => 40_009,
        10 => 600_011,
        _ => 10_000_019,
    };
    factors(arena, width, prime)
}

fn different(arena: &mut Arena, left: Term, right: Term) -> Vec<Term> {
    let equal = arena.eq(left, right);
    vec![arena.not(equal)]
}

/// The order of multiplication, hidden from the simplifier by a shift.
fn commute(arena: &mut Arena, width: u32) -> Vec<Term> {
    let [a, b, c] = variables(arena, width);
    let (left, right) = (arena.bv_xor(a, c), arena.bv_xor(b, c));
    let one = arena.bv_mul(left, right);
    let [x, y] = [
        arena.variable("x", &Sort::BitVec(width)).unwrap(),
        arena.variable("y", &Sort::BitVec(width)).unwrap(),
    ];
    let other = arena.bv_mul(y, x);
    let (is_x, is_y) = (arena.eq(x, left), arena.eq(y, right));
    let mut all = different(arena, one, other);
    all.extend([is_x, is_y]);
    all
}

/// `(a + b) * c` against `a * c + b * c`.
fn distribute(arena: &mut Arena, width: u32) -> Vec<Term> {
    let [a, b, c] = variables(arena, width);
    let sum = arena.bv_add(a, b);
    let left = arena.bv_mul(sum, c);
    let (ac, bc) = (arena.bv_mul(a, c), arena.bv_mul(b, c));
    let right = arena.bv_add(ac, bc);
    different(arena, left, right)
}

/// Two sums of products of the same numbers that are equal to different constants in some way.
fn sums(arena: &mut Arena, width: u32) -> Vec<Term> {
    let [a, b, c, d] = variables(arena, width);
    let (ab, cd, ac, bd) = (arena.bv_mul(a, b), arena.bv_mul(c, d), arena.bv_mul(a, c), arena.bv_mul(b, d));
    let (left, right) = (arena.bv_add(ab, cd), arena.bv_add(ac, bd));
    let (first, second) = (arena.bv(width, 12_345), arena.bv(width, 54_321));
    vec![arena.eq(left, first), arena.eq(right, second)]
}

/// Remainders: `a % b >= b` for `b` not zero.
fn remainder(arena: &mut Arena, width: u32) -> Vec<Term> {
    let [a, b] = variables(arena, width);
    let rest = arena.bv_urem(a, b);
    let zero = arena.bv(width, 0);
    let is_zero = arena.eq(b, zero);
    vec![arena.bv_ule(b, rest), arena.not(is_zero)]
}

const QUERIES: [(&str, Make, u32); 16] = [
    ("composite", composite, 12),
    ("composite", composite, 16),
    ("composite", composite, 20),
    ("prime", prime, 8),
    ("prime", prime, 10),
    ("prime", prime, 12),
    ("commute", commute, 6),
    ("commute", commute, 7),
    ("commute", commute, 8),
    ("distribute", distribute, 5),
    ("distribute", distribute, 6),
    ("sums", sums, 16),
    ("sums", sums, 24),
    ("remainder", remainder, 10),
    ("remainder", remainder, 12),
    ("remainder", remainder, 16),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let limit = match &arguments[..] {
        [flag, seconds] if flag == "--timeout" => Duration::from_secs(seconds.parse().unwrap()),
        _ => Duration::from_secs(20),
    };
    print!("{:<16}", "ms per query");
    for budget in BUDGETS {
        let name = if budget == u64::MAX { "never".to_owned() } else { budget.to_string() };
        print!("{name:>9}");
    }
    println!("  answer");
    let mut sums = [Duration::ZERO; BUDGETS.len()];
    for (name, make, width) in QUERIES {
        print!("{:<16}", format!("{name} {width}"));
        let mut answers = Vec::new();
        for (sum, budget) in sums.iter_mut().zip(BUDGETS) {
            let mut arena = Arena::new();
            let terms = make(&mut arena, width);
            let mut solver = Embedded::on(move || Cdcl::handing_over_after(budget));
            for term in terms {
                solver.assert(&arena, term);
            }
            let clock = Clock::new();
            let start = clock.now();
            let deadline = Some(Instant::now() + limit);
            let answer = solver.check(&arena, &[], &[], &Budget { deadline, ..Budget::default() });
            let time = clock.since(start);
            match answer {
                Answer::Unknown(_) => {
                    print!("{:>9}", "-");
                    *sum += limit;
                }
                answer => {
                    print!("{:>9.1}", time.as_secs_f64() * 1e3);
                    *sum += time;
                    answers.push(if answer == Answer::Sat { "sat" } else { "unsat" });
                }
            }
        }
        answers.dedup();
        println!("  {}", answers.join(" AND "));
        assert!(answers.len() <= 1, "{name} {width}: answers differ");
    }
    print!("{:<16}", "sum");
    for sum in sums {
        print!("{:>9.0}", sum.as_secs_f64() * 1e3);
    }
    println!();
}
