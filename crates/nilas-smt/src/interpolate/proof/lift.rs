//! From circuits over bits back to words.
//!
//! Neighbouring bits of one variable that a conjunction fixes become one equality with a constant,
//! neighbouring equivalences of two variables' bits one equality of words, and the chain of `and`s and `or`s
//! that a comparison with a constant is made of becomes that comparison. What is not recognised stays as
//! single bits.

use super::circuit::{Circuit, Edge, Node};
use super::record::Bit;
use super::threshold;
use crate::weaken::slice;
use nilas_term::{Arena, BitVec, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The term of an edge.
pub(super) fn lift(arena: &mut Arena, circuit: &Circuit, root: Edge) -> Term {
    let mut lifter = Lifter { arena, circuit, memo: FxHashMap::default() };
    let mut stack = vec![root];
    while let Some(&edge) = stack.last() {
        if lifter.memo.contains_key(&edge) {
            stack.pop();
            continue;
        }
        match lifter.attempt(edge) {
            Ok(term) => {
                lifter.memo.insert(edge, term);
                stack.pop();
            }
            Err(missing) => stack.extend(missing),
        }
    }
    lifter.memo[&root]
}

/// The conjuncts of a node, through conjunctions below it.
pub(super) fn conjuncts(circuit: &Circuit, node: Edge) -> Vec<Edge> {
    let mut members = Vec::new();
    let mut seen: FxHashSet<Edge> = FxHashSet::default();
    let positive = if node.is_complement() { !node } else { node };
    let mut stack = vec![positive];
    while let Some(edge) = stack.pop() {
        if !seen.insert(edge) {
            continue;
        }
        match circuit.node(edge) {
            Node::And(left, right)
                if !edge.is_complement() && (edge == positive || circuit.as_iff(edge).is_none()) =>
            {
                stack.push(right);
                stack.push(left);
            }
            _ => members.push(edge),
        }
    }
    members.sort_unstable();
    members
}

struct Lifter<'l> {
    arena: &'l mut Arena,
    circuit: &'l Circuit,
    memo: FxHashMap<Edge, Term>,
}

/// How two bits are related.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Relation {
    /// They are equal.
    Equal,
    /// They do not have these values at the same time.
    NotBoth(bool, bool),
}

impl Relation {
    fn mirrored(self) -> Relation {
        match self {
            Relation::Equal => Relation::Equal,
            Relation::NotBoth(a, b) => Relation::NotBoth(b, a),
        }
    }
}

/// Two bits in a relation; the left one is the smaller.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Pair {
    relation: Relation,
    left: Bit,
    right: Bit,
}

impl Pair {
    /// Runs are neighbours in this order.
    fn key(&self) -> (Relation, Term, Term, i64, u32) {
        let offset = i64::from(self.right.index) - i64::from(self.left.index);
        (self.relation, self.left.variable, self.right.variable, offset, self.left.index)
    }

    fn is_followed_by(&self, next: &Pair) -> bool {
        let ((a, b, c, d, e), (f, g, h, i, j)) = (self.key(), next.key());
        (a, b, c, d, e + 1) == (f, g, h, i, j)
    }
}

/// The same pairs, but those that exclude both ways of being different are equal.
fn join(pairs: &[Pair]) -> Vec<Pair> {
    let known: BTreeSet<_> = pairs.iter().map(Pair::key).collect();
    let excluded = |pair: &Pair, a: bool, b: bool| {
        known.contains(&Pair { relation: Relation::NotBoth(a, b), ..*pair }.key())
    };
    let mut joined: Vec<Pair> = pairs
        .iter()
        .map(|pair| match pair.relation {
            Relation::NotBoth(a, b) if a != b && excluded(pair, b, a) => {
                Pair { relation: Relation::Equal, ..*pair }
            }
            _ => *pair,
        })
        .collect();
    joined.sort_unstable_by_key(Pair::key);
    joined.dedup();
    joined
}

impl Lifter<'_> {
    /// The term of an edge, or the edges whose terms it needs first.
    fn attempt(&mut self, edge: Edge) -> Result<Term, Vec<Edge>> {
        match self.circuit.node(edge) {
            Node::False => Ok(self.arena.mk_bool(edge.is_complement())),
            Node::Bit(bit) => Ok(self.bits(bit.variable, bit.index, &[!edge.is_complement()])),
            Node::And(..) => match threshold::recognise(self.circuit, edge) {
                Some(bound) => Ok(self.bound(&bound)),
                None => self.gate(edge),
            },
        }
    }

    fn gate(&mut self, edge: Edge) -> Result<Term, Vec<Edge>> {
        let conjunction = !edge.is_complement();
        if let Some((a, b)) = self.circuit.as_iff(edge) {
            let missing: Vec<Edge> =
                [a, b].into_iter().filter(|edge| !self.memo.contains_key(edge)).collect();
            return if missing.is_empty() {
                Ok(self.arena.eq(self.memo[&a], self.memo[&b]))
            } else {
                Err(missing)
            };
        }
        let mut fixed: Vec<(Bit, bool)> = Vec::new();
        let mut pairs: Vec<Pair> = Vec::new();
        let mut others: Vec<Edge> = Vec::new();
        for member in conjuncts(self.circuit, edge) {
            if let Node::Bit(bit) = self.circuit.node(member) {
                fixed.push((bit, !member.is_complement()));
            } else if let Some(pair) = self.pair(member) {
                pairs.push(pair);
            } else {
                others.push(if conjunction { member } else { !member });
            }
        }
        let missing: Vec<Edge> =
            others.iter().copied().filter(|edge| !self.memo.contains_key(edge)).collect();
        if !missing.is_empty() {
            return Err(missing);
        }
        let mut terms = self.group_fixed(fixed, conjunction);
        for fact in self.group_pairs(&pairs) {
            terms.push(if conjunction { fact } else { self.arena.not(fact) });
        }
        terms.extend(others.iter().map(|edge| self.memo[edge]));
        Ok(if conjunction { self.arena.and(&terms) } else { self.arena.or(&terms) })
    }

    /// What a conjunct says about two bits, if it is about two bits.
    fn pair(&self, edge: Edge) -> Option<Pair> {
        let (relation, a, b) = match (self.circuit.as_iff(edge), self.circuit.node(edge)) {
            (Some((a, b)), _) if a.is_complement() == b.is_complement() => (Relation::Equal, a, b),
            (None, Node::And(a, b)) if edge.is_complement() => {
                (Relation::NotBoth(!a.is_complement(), !b.is_complement()), a, b)
            }
            _ => return None,
        };
        match (self.circuit.node(a), self.circuit.node(b)) {
            (Node::Bit(left), Node::Bit(right)) if left < right => Some(Pair { relation, left, right }),
            (Node::Bit(left), Node::Bit(right)) => {
                Some(Pair { relation: relation.mirrored(), left: right, right: left })
            }
            _ => None,
        }
    }

    /// `variable[lo + n - 1 : lo] = bits`.
    fn bits(&mut self, variable: Term, lo: u32, bits: &[bool]) -> Term {
        if *self.arena.sort(variable) == Sort::Bool {
            return if bits == [false] { self.arena.not(variable) } else { variable };
        }
        let constant = BitVec::from_bits(bits);
        let word = slice(self.arena, variable, lo + constant.width() - 1, lo);
        let constant = self.arena.bv_constant(constant);
        self.arena.eq(word, constant)
    }

    /// One literal per run of neighbouring bits that are fixed; in a disjunction their negations.
    fn group_fixed(&mut self, mut fixed: Vec<(Bit, bool)>, conjunction: bool) -> Vec<Term> {
        fixed.sort_unstable();
        let mut terms = Vec::new();
        for run in fixed.chunk_by(|(a, _), (b, _)| a.variable == b.variable && a.index + 1 == b.index) {
            let first = run[0].0;
            let bits: Vec<bool> = run.iter().map(|&(_, value)| value).collect();
            terms.push(match (conjunction, bits.as_slice()) {
                (true, _) => self.bits(first.variable, first.index, &bits),
                (false, &[value]) => self.bits(first.variable, first.index, &[!value]),
                (false, _) => {
                    let equality = self.bits(first.variable, first.index, &bits);
                    self.arena.not(equality)
                }
            });
        }
        terms
    }

    /// One term per run of pairs in the same relation that run in step.
    fn group_pairs(&mut self, pairs: &[Pair]) -> Vec<Term> {
        let pairs = join(pairs);
        let mut terms = Vec::new();
        for run in pairs.chunk_by(Pair::is_followed_by) {
            let (first, last) = (run[0], run[run.len() - 1]);
            let left = self.word(first.left.variable, last.left.index, first.left.index);
            let right = self.word(first.right.variable, last.right.index, first.right.index);
            terms.push(match first.relation {
                Relation::Equal => self.same(left, right),
                Relation::NotBoth(a, b) if run.len() == 1 => {
                    let not_left = self.bits(first.left.variable, first.left.index, &[!a]);
                    let not_right = self.bits(first.right.variable, first.right.index, &[!b]);
                    self.arena.or(&[not_left, not_right])
                }
                Relation::NotBoth(a, b) => {
                    let left = if a { left } else { self.arena.bv_not(left) };
                    let right = if b { right } else { self.arena.bv_not(right) };
                    let both = self.arena.bv_and(left, right);
                    let zero = self.arena.bv(self.arena.width(both), 0);
                    self.arena.eq(both, zero)
                }
            });
        }
        terms
    }

    fn word(&mut self, variable: Term, hi: u32, lo: u32) -> Term {
        if *self.arena.sort(variable) == Sort::Bool { variable } else { slice(self.arena, variable, hi, lo) }
    }

    /// Equality of words, one of which may be a Boolean where they have one bit.
    fn same(&mut self, left: Term, right: Term) -> Term {
        match (self.arena.sort(left) == &Sort::Bool, self.arena.sort(right) == &Sort::Bool) {
            (false, true) => {
                let left = self.bits(left, 0, &[true]);
                self.arena.eq(left, right)
            }
            (true, false) => {
                let right = self.bits(right, 0, &[true]);
                self.arena.eq(left, right)
            }
            _ => self.arena.eq(left, right),
        }
    }

    fn bound(&mut self, bound: &threshold::Bound) -> Term {
        let constant = BitVec::from_bits(&bound.constant);
        let word = slice(self.arena, bound.variable, bound.lo + constant.width() - 1, bound.lo);
        let constant = self.arena.bv_constant(constant);
        if bound.upper { self.arena.bv_ule(word, constant) } else { self.arena.bv_ule(constant, word) }
    }
}
