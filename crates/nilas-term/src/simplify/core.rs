//! Rules of negation, conjunction and disjunction.

use super::rules::Rule;
use crate::arena::Arena;
use crate::op::Op;
use crate::term::Term;

/// Operands of nested conjunctions are pulled up if there are no more than this: a long conjunction that is
/// built one by one must not be copied each time.
const MAX_FLATTEN: usize = 64;

/// Clauses up to this length are searched for literals of the conjunction they stand in.
const MAX_CLAUSE: usize = 8;

impl Arena {
    pub(super) fn simplify_not(&mut self, a: Term) -> Term {
        match self.op(a) {
            Op::Not => {
                self.fire(Rule::NotNot);
                self.child(a)
            }
            op @ (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle | Op::Le | Op::Lt) => {
                self.fire(Rule::NotComparison);
                let (left, right) = self.pair(a);
                let opposite = match op {
                    Op::BvUlt => Op::BvUle,
                    Op::BvUle => Op::BvUlt,
                    Op::BvSlt => Op::BvSle,
                    Op::BvSle => Op::BvSlt,
                    Op::Le => Op::Lt,
                    _ => Op::Le,
                };
                self.mk(opposite, &[right, left])
            }
            op @ (Op::And | Op::Or) if self.children(a).iter().all(|&child| self.is_atom(child)) => {
                self.fire(Rule::NotClause);
                let literals = self.children(a).to_vec();
                let negated: Vec<Term> = literals.into_iter().map(|literal| self.not(literal)).collect();
                self.mk(dual(op), &negated)
            }
            _ => self.mk_raw(Op::Not, &[a]),
        }
    }

    /// Whether its negation is an atom too: then De Morgan's rule can be undone.
    fn is_atom(&self, term: Term) -> bool {
        let bare = if self.op(term) == Op::Not { self.child(term) } else { term };
        !matches!(self.op(bare), Op::And | Op::Or | Op::Ite)
    }

    /// Whether the term is the negation of another in normal form: each Boolean has one polarity for
    /// conditions and equalities.
    pub(super) fn is_negative(&self, term: Term) -> bool {
        match self.op(term) {
            Op::Not | Op::BvUlt | Op::BvSlt | Op::Lt => true,
            Op::BvUle | Op::BvSle => self.is_constant(self.children(term)[0]),
            _ => false,
        }
    }

    /// Conjunction, or, with everything exchanged, disjunction.
    pub(super) fn simplify_junction(&mut self, op: Op, children: &[Term]) -> Term {
        let mut operands = Vec::with_capacity(children.len());
        for &child in children {
            if self.op(child) == op && self.children(child).len() <= MAX_FLATTEN {
                self.fire(Rule::AndFlatten);
                operands.extend_from_slice(self.children(child));
            } else {
                operands.push(child);
            }
        }
        let unit = op == Op::And;
        if operands.iter().any(|&operand| self.as_bool(operand) == Some(!unit)) {
            self.fire(Rule::AndConstant);
            return self.mk_bool(!unit);
        }
        let before = operands.len();
        operands.retain(|&operand| self.as_bool(operand) != Some(unit));
        if operands.len() < before {
            self.fire(Rule::AndConstant);
        }
        operands.sort_unstable();
        let before = operands.len();
        operands.dedup();
        if operands.len() < before {
            self.fire(Rule::AndDuplicate);
        }
        match operands[..] {
            [] => return self.mk_bool(unit),
            [single] => return single,
            _ => {}
        }
        if self.has_complements(&operands) {
            self.fire(Rule::AndComplement);
            return self.mk_bool(!unit);
        }
        match self.shrink_clauses(op, &operands) {
            Some(smaller) => self.mk(op, &smaller),
            None => self.mk_raw(op, &operands),
        }
    }

    /// Whether an operand and its negation are in a sorted list. Looks at negative ones only: those have a
    /// negation that exists, or costs one term.
    fn has_complements(&mut self, operands: &[Term]) -> bool {
        operands.iter().any(|&operand| {
            self.is_negative(operand) && {
                let positive = self.not(operand);
                operands.binary_search(&positive).is_ok()
            }
        })
    }

    /// In a conjunction, removes clauses that contain another operand, and from clauses what contradicts an
    /// operand; in a disjunction the dual. `None` if there is nothing to do.
    fn shrink_clauses(&mut self, op: Op, operands: &[Term]) -> Option<Vec<Term>> {
        let inner = dual(op);
        let is_clause =
            |arena: &Arena, term: Term| arena.op(term) == inner && arena.children(term).len() <= MAX_CLAUSE;
        if operands.len() > MAX_FLATTEN || !operands.iter().any(|&operand| is_clause(self, operand)) {
            return None;
        }
        let mut changed = false;
        let mut result = Vec::with_capacity(operands.len());
        for &operand in operands {
            if !is_clause(self, operand) {
                result.push(operand);
                continue;
            }
            let literals = self.children(operand).to_vec();
            if literals.iter().any(|literal| operands.binary_search(literal).is_ok()) {
                self.fire(Rule::AndAbsorb);
                changed = true;
                continue;
            }
            let contradicted = |arena: &mut Arena, literal: Term| {
                // Negating what is no atom would build terms for nothing.
                arena.is_atom(literal) && {
                    let negated = arena.not(literal);
                    operands.binary_search(&negated).is_ok()
                }
            };
            let kept: Vec<Term> =
                literals.iter().copied().filter(|&literal| !contradicted(self, literal)).collect();
            if kept.len() == literals.len() {
                result.push(operand);
            } else {
                self.fire(Rule::AndResolve);
                changed = true;
                let clause = self.mk(inner, &kept);
                result.push(clause);
            }
        }
        changed.then_some(result)
    }
}

fn dual(op: Op) -> Op {
    if op == Op::And { Op::Or } else { Op::And }
}
