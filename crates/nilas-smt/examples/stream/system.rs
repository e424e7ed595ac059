//! The transition system of the measurement, as terms and as a program on numbers.

use nilas_term::{Arena, Sort, Substitution, Term};
use std::fmt;

/// What a literal says of the state variables, numbered `x = 0, y = 1, z = 2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Atom {
    EqualConstant(usize, u32),
    LessConstant(usize, u32),
    SignedLessConstant(usize, u32),
    Bit(usize, u32),
    Equal(usize, usize),
    Less(usize, usize),
    SignedLess(usize, usize),
}

/// An atom or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Literal {
    pub atom: Atom,
    pub value: bool,
}

pub type State = [u32; 3];

impl Atom {
    pub fn holds(self, state: &State) -> bool {
        match self {
            Atom::EqualConstant(v, c) => state[v] == c,
            Atom::LessConstant(v, c) => state[v] < c,
            Atom::SignedLessConstant(v, c) => state[v].cast_signed() < c.cast_signed(),
            Atom::Bit(v, bit) => state[v] >> bit & 1 == 1,
            Atom::Equal(v, w) => state[v] == state[w],
            Atom::Less(v, w) => state[v] < state[w],
            Atom::SignedLess(v, w) => state[v].cast_signed() < state[w].cast_signed(),
        }
    }
}

/// One token of the record's format: sign, kind, operands.
impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.value { "+" } else { "-" })?;
        match self.atom {
            Atom::EqualConstant(v, c) => write!(f, "eqc,{v},{c}"),
            Atom::LessConstant(v, c) => write!(f, "ultc,{v},{c}"),
            Atom::SignedLessConstant(v, c) => write!(f, "sltc,{v},{c}"),
            Atom::Bit(v, bit) => write!(f, "bit,{v},{bit}"),
            Atom::Equal(v, w) => write!(f, "eq,{v},{w}"),
            Atom::Less(v, w) => write!(f, "ult,{v},{w}"),
            Atom::SignedLess(v, w) => write!(f, "slt,{v},{w}"),
        }
    }
}

pub struct System {
    pub arena: Arena,
    state: [Term; 3],
    input: Term,
    step: Substitution,
}

impl System {
    pub fn new() -> Self {
        let mut arena = Arena::new();
        let word = Sort::BitVec(32);
        let [x, y, z] = ["x", "y", "z"].map(|name| arena.variable(name, &word).unwrap());
        let c = arena.variable("c", &Sort::Bool).unwrap();
        let one = arena.bv(32, 1);
        let sum = arena.bv_add(x, y);
        let shifted = arena.bv_shl(y, one);
        let mixed = arena.bv_xor(x, shifted);
        let next_x = arena.ite(c, sum, mixed);
        let next_y = arena.bv_add(y, one);
        let less = arena.bv_ult(x, y);
        let (more, fewer) = (arena.bv_add(z, x), arena.bv_sub(z, one));
        let next_z = arena.ite(less, more, fewer);
        let mut step = Substitution::new();
        for (variable, next) in [(x, next_x), (y, next_y), (z, next_z)] {
            step.insert(variable, next);
        }
        System { arena, state: [x, y, z], input: c, step }
    }

    pub fn variables(&self) -> [Term; 4] {
        [self.state[0], self.state[1], self.state[2], self.input]
    }

    pub fn init(&mut self) -> Vec<Term> {
        let zero = self.arena.bv(32, 0);
        self.state.map(|variable| self.arena.eq(variable, zero)).to_vec()
    }

    /// The literal over the current state.
    pub fn now(&mut self, literal: Literal) -> Term {
        let (arena, state) = (&mut self.arena, &self.state);
        let term = match literal.atom {
            Atom::EqualConstant(v, c) => {
                let c = arena.bv(32, c.into());
                arena.eq(state[v], c)
            }
            Atom::LessConstant(v, c) => {
                let c = arena.bv(32, c.into());
                arena.bv_ult(state[v], c)
            }
            Atom::SignedLessConstant(v, c) => {
                let c = arena.bv(32, c.into());
                arena.bv_slt(state[v], c)
            }
            Atom::Bit(v, bit) => {
                let (bit, one) = (arena.extract(state[v], bit, bit), arena.bv(1, 1));
                arena.eq(bit, one)
            }
            Atom::Equal(v, w) => arena.eq(state[v], state[w]),
            Atom::Less(v, w) => arena.bv_ult(state[v], state[w]),
            Atom::SignedLess(v, w) => arena.bv_slt(state[v], state[w]),
        };
        if literal.value { term } else { arena.not(term) }
    }

    /// The literal over the next state.
    pub fn next(&mut self, literal: Literal) -> Term {
        let now = self.now(literal);
        self.step.apply(&mut self.arena, now)
    }

    /// The negation of a cube over the current state.
    pub fn blocked(&mut self, cube: &[Literal]) -> Term {
        let literals: Vec<Term> =
            cube.iter().map(|literal| self.now(Literal { value: !literal.value, ..*literal })).collect();
        self.arena.or(&literals)
    }
}
