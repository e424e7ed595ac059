//! Random formulas over floats of small formats, decided by the embedded solver and by `z3` where that is on
//! PATH; a notice is printed where it is not. (`cvc5` calls formats other than single and double
//! experimental, and version 1.0.3 crashes on many of these formulas.)
//!
//! What SMT-LIB leaves open (minimum and maximum of zeros, conversions out of range) is left out, since
//! solvers may choose. `FLOAT_FORMULAS` sets the number of formulas, `FLOAT_SEED` the seed.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use nilas_smt::{Answer, Budget, Embedded, Solver};
use nilas_term::smtlib::print_term;
use nilas_term::{Arena, Evaluator, Model, Op, RoundingMode, Sort, Term, Value};
use std::fmt::Write as _;
use std::process::Command;

struct Rng(u64);

impl Rng {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

const FORMATS: [(u32, u32); 4] = [(3, 4), (4, 3), (3, 3), (4, 5)];

/// Terms over two variables of each format, two rounding modes and a bit-vector.
struct Formulas {
    arena: Arena,
    rng: Rng,
    modes: Vec<Term>,
    floats: Vec<Vec<Term>>,
    vector: Term,
}

impl Formulas {
    fn new(seed: u64) -> Self {
        let mut arena = Arena::new();
        let mut floats = Vec::new();
        for (e, s) in FORMATS {
            let mut variables = Vec::new();
            for name in ["x", "y"] {
                variables.push(arena.variable(&format!("{name}{e}_{s}"), &Sort::Float(e, s)).unwrap());
            }
            floats.push(variables);
        }
        let mut modes = vec![arena.variable("rm", &Sort::RoundingMode).unwrap()];
        modes.extend(RoundingMode::ALL.map(|mode| arena.constant(Value::RoundingMode(mode))));
        let vector = arena.variable("b", &Sort::BitVec(6)).unwrap();
        Formulas { arena, rng: Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1), modes, floats, vector }
    }

    fn variables(&self) -> Vec<Term> {
        let mut variables: Vec<Term> = self.floats.iter().flatten().copied().collect();
        variables.extend([self.modes[0], self.vector]);
        variables
    }

    fn float(&mut self, format: usize, depth: u32) -> Term {
        let (e, s) = FORMATS[format];
        if depth == 0 || self.rng.below(6) == 0 {
            if self.rng.below(4) > 0 {
                let variables = self.floats[format].clone();
                return self.rng.pick(&variables);
            }
            let bits = nilas_term::BitVec::new(e + s, self.rng.0);
            return self.arena.constant(Value::float(e, s, bits));
        }
        let modes = self.modes.clone();
        let mode = self.rng.pick(&modes);
        let a = self.float(format, depth - 1);
        match self.rng.below(12) {
            0 => self.arena.mk(Op::FpNeg, &[a]),
            1 => self.arena.mk(Op::FpAbs, &[a]),
            2 => self.arena.mk(Op::FpSqrt, &[mode, a]),
            3 => self.arena.mk(Op::FpRoundToIntegral, &[mode, a]),
            4 => {
                let other = self.rng.below(FORMATS.len());
                let inner = self.float(other, depth - 1);
                self.arena.mk(Op::FpToFp(e, s), &[mode, inner])
            }
            5 => {
                let op = self.rng.pick(&[Op::FpFromSigned(e, s), Op::FpFromUnsigned(e, s)]);
                let vector = self.vector;
                self.arena.mk(op, &[mode, vector])
            }
            6 => {
                let (b, c) = (self.float(format, depth - 1), self.float(format, depth - 1));
                self.arena.mk(Op::FpFma, &[mode, a, b, c])
            }
            7 => {
                let (condition, b) = (self.truth(depth - 1), self.float(format, depth - 1));
                self.arena.ite(condition, a, b)
            }
            8 => {
                let b = self.float(format, depth - 1);
                self.arena.mk(Op::FpRem, &[a, b])
            }
            _ => {
                let b = self.float(format, depth - 1);
                let op = self.rng.pick(&[Op::FpAdd, Op::FpMul, Op::FpDiv]);
                self.arena.mk(op, &[mode, a, b])
            }
        }
    }

    fn truth(&mut self, depth: u32) -> Term {
        let format = self.rng.below(FORMATS.len());
        if depth > 0 && self.rng.below(3) == 0 {
            let (a, b) = (self.truth(depth - 1), self.truth(depth - 1));
            return match self.rng.below(3) {
                0 => self.arena.and(&[a, b]),
                1 => self.arena.or(&[a, b]),
                _ => self.arena.xor(a, b),
            };
        }
        let a = self.float(format, depth);
        if self.rng.below(3) == 0 {
            let op = self.rng.pick(&[
                Op::FpIsNan,
                Op::FpIsInfinite,
                Op::FpIsZero,
                Op::FpIsNormal,
                Op::FpIsSubnormal,
                Op::FpIsNegative,
                Op::FpIsPositive,
            ]);
            return self.arena.mk(op, &[a]);
        }
        let b = self.float(format, depth);
        let op = self.rng.pick(&[Op::FpEq, Op::Eq, Op::FpLt, Op::FpLe]);
        self.arena.mk(op, &[a, b])
    }
}

fn decide(arena: &Arena, formula: Term, variables: &[Term]) -> &'static str {
    let mut solver = Embedded::hard();
    solver.assert(arena, formula);
    match solver.check(arena, &[], &[], &Budget::unlimited()) {
        Answer::Sat => {
            let model: Model = variables
                .iter()
                .map(|&variable| (variable, solver.value(arena, variable).unwrap()))
                .collect();
            let holds = Evaluator::new(model.clone()).holds(arena, formula);
            assert_eq!(holds, Ok(true), "{} under {model:?}", print_term(arena, formula));
            "sat"
        }
        Answer::Unsat => "unsat",
        Answer::Unknown(why) => panic!("{why}"),
    }
}

/// What another solver says of a script, and what it says on the side; `None` if it is not there.
fn others_answer(command: &[&str], path: &std::path::Path) -> Option<(String, String)> {
    let output = Command::new(command[0]).args(&command[1..]).arg(path).output().ok()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    Some((text(&output.stdout), text(&output.stderr)))
}

#[test]
fn other_solvers_agree() {
    let number = |name: &str, otherwise: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    };
    let (seed, count) = (number("FLOAT_SEED", 754), number("FLOAT_FORMULAS", 20));
    println!("seed {seed}, {count} formulas");
    let mut formulas = Formulas::new(seed);
    let variables = formulas.variables();
    let mut declarations = "(set-logic QF_BVFP)\n".to_owned();
    for &variable in &variables {
        let (arena, sort) = (&formulas.arena, formulas.arena.sort(variable));
        writeln!(declarations, "(declare-const {} {sort})", arena.name(variable).unwrap()).unwrap();
    }
    let path = std::env::temp_dir().join(format!("nilas-floats-{}.smt2", std::process::id()));
    let (mut sat, mut decided, mut present) = (0, 0, true);
    for _ in 0..count {
        let parts = [formulas.truth(2), formulas.truth(2)];
        let formula = formulas.arena.and(&parts);
        let text = print_term(&formulas.arena, formula);
        let ours = decide(&formulas.arena, formula, &variables);
        sat += u64::from(ours == "sat");
        std::fs::write(&path, format!("{declarations}(assert {text})\n(check-sat)\n")).unwrap();
        if !present {
            continue;
        }
        match others_answer(&["z3", "-T:2"], &path) {
            None => {
                println!("z3 is not on PATH: not compared");
                present = false;
            }
            Some((theirs, _)) if theirs == "sat" || theirs == "unsat" => {
                decided += 1;
                assert_eq!(ours, theirs, "z3 on {text}");
            }
            // Not knowing is no disagreement.
            Some((theirs, aside)) => println!("z3: {theirs} {aside}"),
        }
    }
    println!("{sat} sat, {} unsat; {decided} answers of z3", count - sat);
    std::fs::remove_file(&path).unwrap();
}
