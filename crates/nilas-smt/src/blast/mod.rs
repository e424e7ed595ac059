//! The bit-blaster: terms as SAT literals.
//!
//! Each term is blasted once per SAT instance; its literals are found by a sparse table over term ids.
//! The traversal is iterative and children come before parents, so every literal handed out is defined.
//! A term outside of what is blasted is *unsupported*, and so is every term that has one below it: asking for
//! its literals gives the reason, never a literal. Array terms have no literals themselves; see [`theory`].
//!
//! Work is interrupted by the budget between gates. What was finished stays.

mod adder;
mod arguments;
mod bits;
mod comparator;
mod connected;
mod divider;
mod float;
mod gates;
mod multiplier;
mod shifter;
mod table;
#[cfg(test)]
mod tests;
mod theory;

pub(crate) use bits::{bits_of_sort, from_bits, to_bits};
pub(crate) use gates::Gates;
pub(crate) use theory::Table;
use theory::Theory;

use crate::budget::Interrupt;
use crate::sat::{Lit, SatSolver};
use divider::Division;
use nilas_term::{Arena, Op, Sort, Term, Value};
use rustc_hash::FxHashMap;
use shifter::Shift;
use std::sync::Arc;
use table::TermTable;

/// Why a term has no literals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Obstacle {
    /// The budget ended; asking again goes on.
    Interrupted(Interrupt),
    /// Something in the term is outside of what is blasted.
    Unsupported(Arc<str>),
}

impl From<Interrupt> for Obstacle {
    fn from(why: Interrupt) -> Self {
        Obstacle::Interrupted(why)
    }
}

const UNKNOWN: u32 = u32::MAX;
const UNSUPPORTED: u32 = u32::MAX - 1;

/// Literals of terms in one SAT instance, see the module's text.
pub(crate) struct Blaster<S> {
    pub(crate) gates: Gates<S>,
    /// By term: where its literals start in `pool`, or one of the two marks above.
    starts: TermTable,
    pool: Vec<Lit>,
    reasons: FxHashMap<Term, Arc<str>>,
    /// Quotient and remainder by operands and signedness, as starts in `pool`.
    divisions: FxHashMap<(Term, Term, bool), (u32, u32)>,
    pub(crate) theory: Theory,
    /// The free bits of variables whose literals are functions of those, as starts in `pool`.
    free: FxHashMap<Term, u32>,
    stack: Vec<Term>,
}

impl<S: SatSolver> Blaster<S> {
    pub(crate) fn new(sat: S) -> Self {
        Blaster {
            gates: Gates::new(sat),
            starts: TermTable::default(),
            pool: Vec::new(),
            reasons: FxHashMap::default(),
            divisions: FxHashMap::default(),
            theory: Theory::default(),
            free: FxHashMap::default(),
            stack: Vec::new(),
        }
    }

    /// The literal of a Boolean term.
    pub(crate) fn literal(&mut self, arena: &Arena, term: Term) -> Result<Lit, Obstacle> {
        if *arena.sort(term) != Sort::Bool {
            let what = format!("a term of sort {} where a Boolean is expected", arena.sort(term));
            return Err(Obstacle::Unsupported(what.into()));
        }
        self.blast(arena, term)?;
        Ok(self.bit(term))
    }

    /// The literals of a term if it was blasted, lowest first; one literal for a Boolean.
    pub(crate) fn known(&self, arena: &Arena, term: Term) -> Option<&[Lit]> {
        match self.start(term) {
            UNKNOWN | UNSUPPORTED => None,
            start => Some(&self.pool[start as usize..][..size(arena, term)]),
        }
    }

    /// The value that free bits of a variable stand for; `None` if the variable was never blasted.
    pub(crate) fn variable_value(
        &self,
        arena: &Arena,
        variable: Term,
        mut bit: impl FnMut(Lit) -> bool,
    ) -> Option<Value> {
        let lits = match self.free.get(&variable) {
            Some(&start) => &self.pool[start as usize..][..size(arena, variable)],
            None => self.known(arena, variable)?,
        };
        let bits: Vec<bool> = lits.iter().map(|&lit| bit(lit)).collect();
        Some(from_bits(arena.sort(variable), &bits))
    }

    fn start(&self, term: Term) -> u32 {
        self.starts.get(term).unwrap_or(UNKNOWN)
    }

    fn bit(&self, term: Term) -> Lit {
        self.pool[self.start(term) as usize]
    }

    fn bits(&self, arena: &Arena, term: Term) -> Vec<Lit> {
        self.pool[self.start(term) as usize..][..size(arena, term)].to_vec()
    }

    fn blast(&mut self, arena: &Arena, root: Term) -> Result<(), Obstacle> {
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        stack.push(root);
        let mut ended: Result<(), Obstacle> = Ok(());
        while let Some(&term) = stack.last() {
            if self.start(term) != UNKNOWN {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            for operand in operands(arena, term) {
                if self.start(operand) == UNKNOWN {
                    stack.push(operand);
                }
            }
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            if let Some(reason) = self.obstacle(arena, term) {
                self.starts.set(term, UNSUPPORTED);
                self.reasons.insert(term, reason);
                continue;
            }
            match self.define(arena, term) {
                Ok(start) => self.starts.set(term, start),
                Err(why) => {
                    ended = Err(why.into());
                    break;
                }
            }
        }
        self.stack = stack;
        ended?;
        match self.reasons.get(&root) {
            None => Ok(()),
            Some(reason) => Err(Obstacle::Unsupported(Arc::clone(reason))),
        }
    }

    /// Why the term cannot be blasted, given that its operands were tried.
    fn obstacle(&self, arena: &Arena, term: Term) -> Option<Arc<str>> {
        if let Some(operand) = operands(arena, term).find(|&operand| self.start(operand) == UNSUPPORTED) {
            return self.reasons.get(&operand).cloned();
        }
        let op = arena.op(term);
        match (op, arena.sort(term)) {
            (_, sort @ (Sort::Int | Sort::Real)) => Some(format!("sort {sort}").into()),
            (_, sort @ Sort::Array(array)) if !theory::supported(array) => {
                Some(format!("sort {sort}").into())
            }
            (Op::Apply(_), Sort::Array(_)) => Some("functions whose results are arrays".into()),
            _ if float::is_float(op) => float::obstacle(arena, term).map(Into::into),
            _ if !is_blasted(op) => Some(format!("the operator {op:?}").into()),
            _ => None,
        }
    }

    fn push(&mut self, bits: &[Lit]) -> Result<u32, Interrupt> {
        self.gates.poll(u32::try_from(bits.len() / 16).unwrap_or(u32::MAX))?;
        let start = self.pool.len();
        if start + bits.len() >= UNSUPPORTED as usize {
            return Err(Interrupt::OutOfMemory);
        }
        self.pool.extend_from_slice(bits);
        // Below 2^32 by the test above.
        Ok(u32::try_from(start).unwrap_or(UNSUPPORTED))
    }

    /// The literals of a term whose operands have theirs, as a start in the pool.
    fn define(&mut self, arena: &Arena, term: Term) -> Result<u32, Interrupt> {
        let children = arena.children(term);
        let bits = match arena.op(term) {
            _ if matches!(arena.sort(term), Sort::Array(_)) => Vec::new(),
            Op::Const(value) => {
                to_bits(arena.value(value)).into_iter().map(|bit| self.gates.constant(bit)).collect()
            }
            Op::Select => self.select(arena, children[0], children[1])?,
            Op::Apply(symbol) => self.apply(arena, symbol, term)?,
            Op::Eq if matches!(arena.sort(children[0]), Sort::Array(_)) => {
                vec![self.array_equality(arena, children[0], children[1])?]
            }
            Op::Var(_) => self.variable(arena, term)?,
            Op::Extract { lo, .. } => return Ok(self.start(children[0]) + lo),
            Op::BvUdiv => return Ok(self.division(arena, children[0], children[1], false)?.0),
            Op::BvUrem => return Ok(self.division(arena, children[0], children[1], false)?.1),
            Op::BvSdiv => return Ok(self.division(arena, children[0], children[1], true)?.0),
            Op::BvSrem => return Ok(self.division(arena, children[0], children[1], true)?.1),
            Op::BvAdd => self.sum(arena, term, children[0], children[1])?,
            op => self.circuit(arena, op, term, children)?,
        };
        self.push(&bits)
    }

    /// Fresh bits; where not all of them are values of the sort, functions of fresh bits that are.
    fn variable(&mut self, arena: &Arena, term: Term) -> Result<Vec<Lit>, Interrupt> {
        let free = (0..size(arena, term)).map(|_| self.gates.input()).collect::<Result<Vec<_>, _>>()?;
        if matches!(arena.sort(term), Sort::Float(..) | Sort::RoundingMode) {
            let start = self.push(&free)?;
            self.free.insert(term, start);
        }
        self.gates.canonical(arena.sort(term), &free)
    }

    fn circuit(
        &mut self,
        arena: &Arena,
        op: Op,
        term: Term,
        children: &[Term],
    ) -> Result<Vec<Lit>, Interrupt> {
        let width = size(arena, term);
        match op {
            Op::And | Op::Or => {
                let mut lits: Vec<Lit> = children.iter().map(|&child| self.bit(child)).collect();
                let all =
                    if op == Op::And { self.gates.and_all(&mut lits) } else { self.gates.or_all(&mut lits) };
                return Ok(vec![all?]);
            }
            Op::Ite => {
                let (then, otherwise) = (self.bits(arena, children[1]), self.bits(arena, children[2]));
                return self.gates.choose(self.bit(children[0]), &then, &otherwise);
            }
            _ if float::is_float(op) => {
                let format = children.iter().find_map(|&child| float::format_of(arena.sort(child)));
                let bits: Vec<Vec<Lit>> = children.iter().map(|&child| self.bits(arena, child)).collect();
                return self.gates.float(op, format, arena.sort(term), &bits);
            }
            _ => {}
        }
        let a = children.first().map_or(Vec::new(), |&child| self.bits(arena, child));
        let b = children.get(1).map_or(Vec::new(), |&child| self.bits(arena, child));
        let gates = &mut self.gates;
        let bitwise = |gate: fn(&mut Gates<S>, Lit, Lit) -> Result<Lit, Interrupt>, gates: &mut Gates<S>| {
            a.iter().zip(&b).map(|(&a, &b)| gate(gates, a, b)).collect::<Result<Vec<Lit>, Interrupt>>()
        };
        match op {
            Op::Not | Op::BvNot => Ok(a.iter().map(|&lit| !lit).collect()),
            Op::Eq => Ok(vec![gates.equal(&a, &b)?]),
            Op::Xor | Op::BvXor => bitwise(Gates::xor, gates),
            Op::BvAnd => bitwise(Gates::and, gates),
            Op::BvOr => bitwise(Gates::or, gates),
            Op::Concat => Ok([b, a].concat()),
            Op::ZeroExtend(_) => {
                let mut bits = a;
                bits.resize(width, !gates.truth());
                Ok(bits)
            }
            Op::SignExtend(_) => {
                let mut bits = a;
                let sign = bits.last().copied().unwrap_or(gates.truth());
                bits.resize(width, sign);
                Ok(bits)
            }
            Op::BvNeg => gates.negate(&a),
            Op::BvMul => gates.multiply(&a, &b),
            Op::BvSmod => {
                let (_, remainder) = self.division(arena, children[0], children[1], true)?;
                let remainder = self.pool[remainder as usize..][..width].to_vec();
                self.gates.modulo(&a, &b, &remainder)
            }
            Op::BvShl => gates.shift(Shift::Left, &a, &b),
            Op::BvLshr => gates.shift(Shift::LogicalRight, &a, &b),
            Op::BvAshr => gates.shift(Shift::ArithmeticRight, &a, &b),
            Op::BvUlt => Ok(vec![gates.less(&a, &b)?]),
            Op::BvUle => Ok(vec![!gates.less(&b, &a)?]),
            Op::BvSlt => Ok(vec![gates.signed_less(&a, &b)?]),
            Op::BvSle => Ok(vec![!gates.signed_less(&b, &a)?]),
            _ => unreachable!("{op:?} is refused by `is_blasted` or defined elsewhere"),
        }
    }

    /// A sum; `a + -b` is one subtraction.
    fn sum(&mut self, arena: &Arena, term: Term, a: Term, b: Term) -> Result<Vec<Lit>, Interrupt> {
        if let Some((from, subtracted)) = subtraction(arena, term) {
            let (from, subtracted) = (self.bits(arena, from), self.bits(arena, subtracted));
            return self.gates.subtract(&from, &subtracted);
        }
        let (a, b) = (self.bits(arena, a), self.bits(arena, b));
        let carry = !self.gates.truth();
        self.gates.add(&a, &b, carry)
    }

    fn division(&mut self, arena: &Arena, a: Term, b: Term, signed: bool) -> Result<(u32, u32), Interrupt> {
        if let Some(&known) = self.divisions.get(&(a, b, signed)) {
            return Ok(known);
        }
        let (dividend, divisor) = (self.bits(arena, a), self.bits(arena, b));
        let Division { quotient, remainder } = if signed {
            self.gates.divide_signed(&dividend, &divisor)?
        } else {
            self.gates.divide(&dividend, &divisor)?
        };
        let starts = (self.push(&quotient)?, self.push(&remainder)?);
        self.divisions.insert((a, b, signed), starts);
        Ok(starts)
    }
}

/// The terms whose literals the circuit of `term` is built from: its children, but for a difference what is
/// subtracted rather than its negation.
fn operands(arena: &Arena, term: Term) -> impl Iterator<Item = Term> + '_ {
    let (pair, rest) = match subtraction(arena, term) {
        Some((from, subtracted)) => ([Some(from), Some(subtracted)], &[][..]),
        None => ([None, None], arena.children(term)),
    };
    pair.into_iter().flatten().chain(rest.iter().copied())
}

/// The sum `a + -b` as the pair of `a` and `b`.
fn subtraction(arena: &Arena, term: Term) -> Option<(Term, Term)> {
    let (Op::BvAdd, &[a, b]) = (arena.op(term), arena.children(term)) else {
        return None;
    };
    let negated = |term: Term| match arena.op(term) {
        Op::BvNeg => arena.children(term).first().copied(),
        _ => None,
    };
    match (negated(a), negated(b)) {
        (_, Some(b)) => Some((a, b)),
        (Some(a), None) => Some((b, a)),
        (None, None) => None,
    }
}

/// Number of literals of a term of a supported sort.
fn size(arena: &Arena, term: Term) -> usize {
    bits_of_sort(arena.sort(term)).map_or(0, |width| width as usize)
}

// One line per group of operators.
#[allow(clippy::match_like_matches_macro)]
fn is_blasted(op: Op) -> bool {
    use Op::{
        And, Apply, BvAdd, BvAnd, BvAshr, BvLshr, BvMul, BvNeg, BvNot, BvOr, BvSdiv, BvShl, BvSle, BvSlt,
        BvSmod, BvSrem, BvUdiv, BvUle, BvUlt, BvUrem, BvXor, Concat, Const, ConstArray, Eq, Extract, Ite,
        Not, Or, Select, SignExtend, Store, Var, Xor, ZeroExtend,
    };
    match op {
        Var(_) | Const(_) | Not | And | Or | Xor | Eq | Ite | Apply(_) | Select | Store | ConstArray(_) => {
            true
        }
        Concat | Extract { .. } | ZeroExtend(_) | SignExtend(_) | BvNot | BvAnd | BvOr | BvXor | BvNeg => {
            true
        }
        BvAdd | BvMul | BvUdiv | BvUrem | BvSdiv | BvSrem | BvSmod | BvShl | BvLshr | BvAshr => true,
        BvUlt | BvUle | BvSlt | BvSle => true,
        _ => false,
    }
}
