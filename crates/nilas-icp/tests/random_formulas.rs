//! Random formulas: intervals alone against the bit-blasting solver, and against `z3` where it is on PATH.
//!
//! Each formula is a small incremental session: assertions for ever and under activations, checks under
//! assumptions. All formulas in force are evaluated in models, failed assumptions are checked again by the
//! other solver. `NILAS_ICP_FORMULAS` is the number of formulas (20000 for the full run) against the
//! bit-blaster, `NILAS_ICP_Z3` that against z3, `NILAS_SEED` the first seed. What intervals do not decide in
//! time is counted and must stay rare; so is what the other solver does not decide.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

use nilas_icp::{Icp, Options};
use nilas_smt::pipe::discover;
use nilas_smt::{Answer, Budget, Embedded, Reason, Solver};
use nilas_term::{Arena, Evaluator, Model, Op, RoundingMode, Sort, Term, Value};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 11) as usize % bound
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Sorts of a formula: a width and a format, small more often than not.
struct Sorts {
    width: u32,
    format: (u32, u32),
    floats: bool,
    /// Operators that SMT-LIB leaves open on some arguments.
    unspecified: bool,
}

fn leaves(arena: &mut Arena, random: &mut Random, sorts: &Sorts) -> Vec<Term> {
    let mut terms = Vec::new();
    for name in ["p", "q"] {
        terms.push(arena.variable(name, &Sort::Bool).unwrap());
    }
    let bits = Sort::BitVec(sorts.width);
    for name in ["x", "y"] {
        terms.push(arena.variable(name, &bits).unwrap());
    }
    for _ in 0..2 {
        let value = random.next() >> random.below(64);
        terms.push(arena.bv(sorts.width, value));
    }
    if sorts.floats {
        let (exponent, significand) = sorts.format;
        let float = Sort::Float(exponent, significand);
        for name in ["f", "g"] {
            terms.push(arena.variable(name, &float).unwrap());
        }
        for _ in 0..2 {
            let bits = nilas_term::BitVec::new(exponent + significand, random.next());
            terms.push(arena.constant(Value::float(exponent, significand, bits)));
        }
        terms.push(arena.constant(Value::RoundingMode(random.pick(&RoundingMode::ALL))));
        if random.below(4) == 0 {
            terms.push(arena.variable("m", &Sort::RoundingMode).unwrap());
        }
    }
    terms
}

fn random_term(arena: &mut Arena, random: &mut Random, pool: &[Term], sorts: &Sorts) -> Term {
    let width = sorts.width;
    let (exponent, significand) = sorts.format;
    let lo = random.below(width as usize) as u32;
    let hi = lo + random.below((width - lo) as usize) as u32;
    let mut ops = vec![
        Op::Not,
        Op::And,
        Op::Or,
        Op::Xor,
        Op::Eq,
        Op::Ite,
        Op::Concat,
        Op::Extract { hi, lo },
        Op::ZeroExtend(1 + random.below(3) as u32),
        Op::SignExtend(1 + random.below(3) as u32),
        Op::BvNot,
        Op::BvAnd,
        Op::BvOr,
        Op::BvXor,
        Op::BvNeg,
        Op::BvAdd,
        Op::BvMul,
        Op::BvUdiv,
        Op::BvUrem,
        Op::BvSdiv,
        Op::BvSrem,
        Op::BvSmod,
        Op::BvShl,
        Op::BvLshr,
        Op::BvAshr,
        Op::BvUlt,
        Op::BvUle,
        Op::BvSlt,
        Op::BvSle,
    ];
    if sorts.floats {
        ops.extend([
            Op::FpAbs,
            Op::FpNeg,
            Op::FpAdd,
            Op::FpAdd,
            Op::FpMul,
            Op::FpMul,
            Op::FpDiv,
            Op::FpFma,
            Op::FpSqrt,
            Op::FpRoundToIntegral,
            Op::FpLe,
            Op::FpLt,
            Op::FpEq,
            Op::FpIsNormal,
            Op::FpIsSubnormal,
            Op::FpIsZero,
            Op::FpIsInfinite,
            Op::FpIsNan,
            Op::FpIsNegative,
            Op::FpIsPositive,
            Op::FpToFp(exponent, significand),
            Op::FpToFp(exponent + 1, significand + 2),
            Op::FpFromIeeeBits(exponent, significand),
            Op::FpFromBits,
            Op::FpFromSigned(exponent, significand),
            Op::FpFromUnsigned(exponent, significand),
        ]);
        // The circuit of a remainder has a row for every exponent.
        if exponent <= 5 {
            ops.push(Op::FpRem);
        }
        if sorts.unspecified {
            ops.extend([
                Op::FpMin,
                Op::FpMax,
                Op::FpToUnsigned(width),
                Op::FpToSigned(width),
                Op::FpToIeeeBits,
            ]);
        }
    }
    loop {
        let op = random.pick(&ops);
        for _ in 0..60 {
            let arity = 1 + random.below(4);
            // Late terms are deep.
            let mut pick = || {
                let late = pool.len() / 2;
                if random.below(2) == 0 {
                    pool[late + random.below(pool.len() - late)]
                } else {
                    random.pick(pool)
                }
            };
            let mut children: Vec<Term> = (0..arity).map(|_| pick()).collect();
            // Such widths are rare otherwise.
            match op {
                Op::FpFromIeeeBits(..) => children = fitted(arena, &children, &[exponent + significand]),
                Op::FpFromBits => children = fitted(arena, &children, &[1, exponent, significand - 1]),
                _ => {}
            }
            if matches!(op, Op::And | Op::Or) && arity < 2 {
                continue;
            }
            // The widest bit-vectors that intervals know have 120 bits.
            if let Ok(term) = arena.try_mk(op, &children)
                && !matches!(arena.sort(term), Sort::BitVec(121..))
            {
                return term;
            }
        }
    }
}

/// Bit-vectors among terms, cut or extended to widths; too few if there are too few.
fn fitted(arena: &mut Arena, terms: &[Term], widths: &[u32]) -> Vec<Term> {
    let mut fitted = Vec::new();
    for (&term, &wanted) in terms.iter().zip(widths) {
        let &Sort::BitVec(width) = arena.sort(term) else { continue };
        fitted.push(match wanted.checked_sub(width) {
            Some(0) => term,
            Some(more) => arena.mk(Op::SignExtend(more), &[term]),
            None => arena.mk(Op::Extract { hi: wanted - 1, lo: 0 }, &[term]),
        });
    }
    fitted
}

/// The name of an operator without its numbers.
fn name(op: Op) -> String {
    format!("{op:?}").chars().take_while(char::is_ascii_alphanumeric).collect()
}

fn boolean(arena: &mut Arena, random: &mut Random, pool: &[Term]) -> Term {
    let all: Vec<Term> = pool.iter().copied().filter(|&term| *arena.sort(term) == Sort::Bool).collect();
    let late = all.len() / 2;
    let term = if random.below(3) == 0 {
        all[late + random.below(all.len() - late)]
    } else {
        comparison(arena, random, pool).unwrap_or(all[late])
    };
    if random.below(2) == 0 { arena.not(term) } else { term }
}

/// A comparison of a late term with another one of its sort: most arithmetic stands below one.
fn comparison(arena: &mut Arena, random: &mut Random, pool: &[Term]) -> Option<Term> {
    let deep: Vec<Term> = pool
        .iter()
        .copied()
        .filter(|&term| {
            !arena.op(term).is_leaf() && matches!(arena.sort(term), Sort::BitVec(_) | Sort::Float(..))
        })
        .collect();
    let late = deep.len() / 2;
    let left = *deep.get(late + random.below((deep.len() - late).max(1)))?;
    let like: Vec<Term> = pool.iter().copied().filter(|&term| arena.sort(term) == arena.sort(left)).collect();
    let right = random.pick(&like);
    let op = match arena.sort(left) {
        Sort::Float(..) => random.pick(&[Op::FpLe, Op::FpLt, Op::FpEq, Op::Eq]),
        _ => random.pick(&[Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle, Op::Eq]),
    };
    let children = if random.below(2) == 0 { [left, right] } else { [right, left] };
    arena.try_mk(op, &children).ok()
}

#[derive(Default, Debug)]
struct Counts {
    checks: u64,
    sat: u64,
    unsat: u64,
    /// What intervals did not decide.
    open: u64,
    /// What the other solver did not decide.
    alone: u64,
    /// How many terms of each operator there were in the formulas asked about.
    operators: BTreeMap<String, u64>,
}

impl Counts {
    fn saw(&mut self, arena: &Arena, formulas: &[Term]) {
        let mut stack = formulas.to_vec();
        let mut seen = std::collections::BTreeSet::new();
        while let Some(term) = stack.pop() {
            if seen.insert(term) {
                *self.operators.entry(name(arena.op(term))).or_default() += 1;
                stack.extend_from_slice(arena.children(term));
            }
        }
    }
}

/// How long a question may take the other solver. Small ones are always decided.
const TIME: Duration = Duration::from_secs(4);

fn in_time() -> Budget {
    Budget { deadline: Some(Instant::now() + TIME), ..Budget::default() }
}

/// What a check could not be decided by: nothing else is allowed.
fn is_open(answer: &Answer) -> bool {
    matches!(answer, Answer::Unknown(Reason::Interrupted(_)))
}

fn session(seed: u64, counts: &mut Counts, other: &mut dyn Solver, sorts: &Sorts, random: &mut Random) {
    let mut arena = Arena::new();
    let mut pool = leaves(&mut arena, random, sorts);
    for _ in 0..3 + random.below(14) {
        let term = random_term(&mut arena, random, &pool, sorts);
        pool.push(term);
    }
    let mut icp = Icp::new(Options { hand_over: false, ..Options::default() });
    let budget = Budget { conflicts: Some(3000), ..Budget::default() };
    let mut activations: Vec<(_, _)> = Vec::new();
    let mut forever: Vec<Term> = Vec::new();
    let mut under: BTreeMap<_, Term> = BTreeMap::new();
    for check in 0..3 {
        for _ in 0..random.below(2) {
            let term = boolean(&mut arena, random, &pool);
            forever.push(term);
            icp.assert(&arena, term);
            other.assert(&arena, term);
        }
        if random.below(2) == 0 {
            let pair = (icp.activation(), other.activation());
            let term = boolean(&mut arena, random, &pool);
            icp.assert_under(&arena, pair.0, term);
            other.assert_under(&arena, pair.1, term);
            under.insert(pair.0, term);
            activations.push(pair);
        }
        let assumptions: Vec<Term> =
            (0..random.below(4)).map(|_| boolean(&mut arena, random, &pool)).collect();
        let named: Vec<_> = activations.iter().copied().filter(|_| random.below(3) > 0).collect();
        let (here, there): (Vec<_>, Vec<_>) = named.iter().copied().unzip();
        let mut in_force = [forever.clone(), assumptions.clone()].concat();
        in_force.extend(here.iter().filter_map(|activation| under.get(activation)));
        counts.saw(&arena, &in_force);
        let answer = icp.check(&arena, &here, &assumptions, &budget);
        counts.checks += 1;
        if is_open(&answer) {
            counts.open += 1;
            continue;
        }
        let wanted = other.check(&arena, &there, &assumptions, &in_time());
        let formula = || {
            let texts: Vec<String> =
                assumptions.iter().map(|&term| nilas_term::smtlib::print_term(&arena, term)).collect();
            format!("seed {seed}, check {check}, assumptions {texts:?}")
        };
        if matches!(wanted, Answer::Unknown(_)) {
            counts.alone += 1;
        } else {
            assert_eq!(answer, wanted, "{}", formula());
        }
        match answer {
            Answer::Sat => {
                counts.sat += 1;
                let mut model = Model::new();
                for &leaf in pool.iter().filter(|&&leaf| arena.as_variable(leaf).is_some()) {
                    model.set(leaf, icp.value(&arena, leaf).unwrap());
                }
                let mut evaluator = Evaluator::new(model);
                for &term in &in_force {
                    assert_eq!(evaluator.holds(&arena, term), Ok(true), "{}", formula());
                }
            }
            Answer::Unsat => {
                counts.unsat += 1;
                let core = icp.failed().to_vec();
                let suffice: Vec<_> = named
                    .iter()
                    .filter(|pair| icp.failed_activations().contains(&pair.0))
                    .map(|pair| pair.1)
                    .collect();
                let again = other.check(&arena, &suffice, &core, &in_time());
                assert_ne!(again, Answer::Sat, "the core does not suffice: {}", formula());
            }
            Answer::Unknown(_) => {}
        }
        if random.below(4) == 0
            && let Some(pair) = activations.pop()
        {
            icp.retire(pair.0);
            other.retire(pair.1);
        }
    }
}

fn sorts(random: &mut Random, unspecified: bool) -> Sorts {
    let wide = random.below(16) == 0;
    Sorts {
        width: random.pick(if wide { &[16, 32, 64] } else { &[1, 2, 3, 4, 4, 4, 6, 8] }),
        format: random.pick(if wide {
            &[(8, 24), (11, 53), (15, 64)]
        } else {
            &[(2, 2), (2, 3), (3, 3), (3, 5), (5, 11)]
        }),
        floats: random.below(3) > 0,
        unspecified,
    }
}

fn report(counts: &Counts) {
    eprintln!("{counts:?}");
    let few = |number: u64| number * 20 <= counts.checks;
    assert!(few(counts.open) && few(counts.alone), "too many checks stay open: {counts:?}");
}

#[test]
fn answers_are_those_of_the_bit_blaster() {
    let mut counts = Counts::default();
    let first = number("NILAS_SEED", 1);
    for seed in first..first + number("NILAS_ICP_FORMULAS", 150) {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let sorts = sorts(&mut random, true);
        let mut blaster: Embedded = Embedded::new();
        session(seed, &mut counts, &mut blaster, &sorts, &mut random);
    }
    report(&counts);
    assert!(counts.sat > 0 && counts.unsat > 0, "{counts:?}");
}

#[test]
fn answers_are_those_of_z3() {
    let Some(found) = discover().into_iter().find(|found| found.name() == "z3") else {
        eprintln!("z3 is not on PATH: left out");
        return;
    };
    let mut counts = Counts::default();
    let first = number("NILAS_SEED", 1);
    for seed in first..first + number("NILAS_ICP_Z3", 5) {
        let mut random = Random(seed.wrapping_mul(0xd1b5_4a32_d192_ed03) | 1);
        let sorts = sorts(&mut random, false);
        session(seed, &mut counts, &mut found.start(), &sorts, &mut random);
    }
    report(&counts);
}
