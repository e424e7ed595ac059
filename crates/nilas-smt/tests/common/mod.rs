//! Random formulas for tests.

#![allow(dead_code, clippy::unwrap_used, unreachable_pub)]

use nilas_smt::Solver;
use nilas_term::{Arena, BitVec, Evaluator, Model, Op, Sort, Term, Value};

/// xorshift64*: small, deterministic, good enough.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[usize::try_from(self.below(from.len() as u64)).unwrap()]
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

const ARITHMETIC: [Op; 13] = [
    Op::BvAnd,
    Op::BvOr,
    Op::BvXor,
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
];
const COMPARISONS: [Op; 5] = [Op::Eq, Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle];

/// Terms over a few variables of one width.
pub struct Formulas {
    pub width: u32,
    pub vectors: Vec<Term>,
    pub booleans: Vec<Term>,
}

impl Formulas {
    pub fn new(arena: &mut Arena, width: u32, vectors: usize, booleans: usize) -> Self {
        let sort = Sort::BitVec(width);
        Formulas {
            width,
            vectors: (0..vectors).map(|i| arena.variable(&format!("x{i}"), &sort).unwrap()).collect(),
            booleans: (0..booleans).map(|i| arena.variable(&format!("p{i}"), &Sort::Bool).unwrap()).collect(),
        }
    }

    pub fn variables(&self) -> Vec<Term> {
        [self.vectors.as_slice(), self.booleans.as_slice()].concat()
    }

    /// A bit-vector term of the width.
    pub fn vector(&self, arena: &mut Arena, rng: &mut Rng, depth: u32) -> Term {
        let width = self.width;
        if depth == 0 || rng.chance(15) {
            return if rng.chance(70) { rng.pick(&self.vectors) } else { arena.bv(width, rng.next()) };
        }
        let a = self.vector(arena, rng, depth - 1);
        match rng.below(12) {
            0 => arena.bv_not(a),
            1 => arena.bv_neg(a),
            2 => {
                let condition = self.boolean(arena, rng, depth - 1);
                let b = self.vector(arena, rng, depth - 1);
                arena.ite(condition, a, b)
            }
            3 => {
                let lo = u32::try_from(rng.below(u64::from(width))).unwrap();
                let part = arena.extract(a, width - 1, lo);
                if rng.chance(50) { arena.zero_extend(part, lo) } else { arena.sign_extend(part, lo) }
            }
            4 if width > 1 => {
                let cut = 1 + u32::try_from(rng.below(u64::from(width - 1))).unwrap();
                let b = self.vector(arena, rng, depth - 1);
                let (high, low) = (arena.extract(a, width - 1, cut), arena.extract(b, cut - 1, 0));
                arena.concat(low, high)
            }
            _ => {
                let b = self.vector(arena, rng, depth - 1);
                arena.mk(rng.pick(&ARITHMETIC), &[a, b])
            }
        }
    }

    /// A Boolean term.
    pub fn boolean(&self, arena: &mut Arena, rng: &mut Rng, depth: u32) -> Term {
        if depth == 0 || rng.chance(30) {
            if !self.booleans.is_empty() && rng.chance(30) {
                return rng.pick(&self.booleans);
            }
            let (a, b) = (self.vector(arena, rng, depth.min(2)), self.vector(arena, rng, depth.min(2)));
            return arena.mk(rng.pick(&COMPARISONS), &[a, b]);
        }
        let a = self.boolean(arena, rng, depth - 1);
        let b = self.boolean(arena, rng, depth - 1);
        match rng.below(7) {
            0 => arena.not(a),
            1 => arena.xor(a, b),
            2 => arena.eq(a, b),
            3 => {
                let c = self.boolean(arena, rng, depth - 1);
                arena.ite(a, b, c)
            }
            4 => {
                let c = self.boolean(arena, rng, depth - 1);
                arena.or(&[a, b, c])
            }
            5 => arena.or(&[a, b]),
            _ => arena.and(&[a, b]),
        }
    }

    /// Some assignment that makes all terms true, by trying all.
    pub fn enumerate(&self, arena: &Arena, terms: &[Term]) -> Option<Vec<Value>> {
        let bits = self.width * u32::try_from(self.vectors.len()).unwrap();
        let total = bits + u32::try_from(self.booleans.len()).unwrap();
        (0..1u64 << total).find_map(|code| {
            let mut values = Vec::new();
            let mut rest = code;
            for _ in &self.vectors {
                values.push(Value::BitVec(BitVec::new(self.width, rest)));
                rest >>= self.width;
            }
            for _ in &self.booleans {
                values.push(Value::Bool(rest & 1 == 1));
                rest >>= 1;
            }
            let model: Model = self.variables().into_iter().zip(values.iter().cloned()).collect();
            let mut evaluator = Evaluator::new(model);
            terms.iter().all(|&term| evaluator.holds(arena, term).unwrap()).then_some(values)
        })
    }

    /// Checks with the evaluator alone that the solver's values of the variables make all terms true.
    pub fn confirm(&self, arena: &Arena, solver: &mut dyn Solver, terms: &[Term]) -> Result<(), String> {
        let mut model = Model::new();
        for variable in self.variables() {
            model.set(variable, solver.value(arena, variable).map_err(|why| why.to_string())?);
        }
        let mut evaluator = Evaluator::new(model.clone());
        for &term in terms {
            if !evaluator.holds(arena, term).unwrap() {
                return Err(format!("{term:?} ({:?}) is false under {model:?}", arena.op(term)));
            }
            // The solver's own evaluation agrees.
            if solver.value(arena, term) != Ok(Value::Bool(true)) {
                return Err(format!("the solver says {:?} of {term:?}", solver.value(arena, term)));
            }
        }
        Ok(())
    }
}
