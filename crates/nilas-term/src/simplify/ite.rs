//! Rules of if-then-else.

use super::rules::Rule;
use crate::arena::Arena;
use crate::op::Op;
use crate::sort::Sort;
use crate::term::Term;

impl Arena {
    pub(super) fn simplify_ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        if let Some(value) = self.as_bool(condition) {
            self.fire(Rule::IteConstant);
            return if value { then } else { otherwise };
        }
        if then == otherwise {
            self.fire(Rule::IteSame);
            return then;
        }
        if self.is_negative(condition) {
            self.fire(Rule::IteNegated);
            let positive = self.not(condition);
            return self.ite(positive, otherwise, then);
        }
        if *self.sort(then) == Sort::Bool
            && let Some(term) = self.simplify_boolean_ite(condition, then, otherwise)
        {
            return term;
        }
        if let Some(term) = self.merge_nested_ite(condition, then, otherwise) {
            return term;
        }
        self.mk_raw(Op::Ite, &[condition, then, otherwise])
    }

    fn simplify_boolean_ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Option<Term> {
        // In its own branches, the condition is a constant. It is positive, so its negation is one term.
        let negated = self.not(condition);
        let known = |arena: &Arena, branch: Term, value: bool| {
            if branch == condition {
                Some(value)
            } else if branch == negated {
                Some(!value)
            } else {
                arena.as_bool(branch)
            }
        };
        let term = match (known(self, then, true), known(self, otherwise, false)) {
            (Some(true), Some(true)) => self.mk_true(),
            (Some(false), Some(false)) => self.mk_false(),
            (Some(true), Some(false)) => condition,
            (Some(false), Some(true)) => negated,
            (Some(true), None) => self.or(&[condition, otherwise]),
            (Some(false), None) => self.and(&[negated, otherwise]),
            (None, Some(true)) => self.or(&[negated, then]),
            (None, Some(false)) => self.and(&[condition, then]),
            (None, None) => {
                let complementary = self.op(then) == Op::Not && self.child(then) == otherwise
                    || self.op(otherwise) == Op::Not && self.child(otherwise) == then;
                if !complementary {
                    return None;
                }
                self.fire(Rule::IteIff);
                return Some(self.eq(condition, then));
            }
        };
        self.fire(Rule::IteBool);
        Some(term)
    }

    fn merge_nested_ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Option<Term> {
        if self.op(then) == Op::Ite
            && let &[inner, a, b] = self.children(then)
        {
            if inner == condition {
                self.fire(Rule::IteNested);
                return Some(self.ite(condition, a, otherwise));
            }
            if b == otherwise {
                self.fire(Rule::IteMerge);
                let both = self.and(&[condition, inner]);
                return Some(self.ite(both, a, otherwise));
            }
            if a == otherwise {
                self.fire(Rule::IteMerge);
                let inner = self.not(inner);
                let both = self.and(&[condition, inner]);
                return Some(self.ite(both, b, otherwise));
            }
        }
        if self.op(otherwise) == Op::Ite
            && let &[inner, a, b] = self.children(otherwise)
        {
            if inner == condition {
                self.fire(Rule::IteNested);
                return Some(self.ite(condition, then, b));
            }
            if a == then {
                self.fire(Rule::IteMerge);
                let either = self.or(&[condition, inner]);
                return Some(self.ite(either, then, b));
            }
            if b == then {
                self.fire(Rule::IteMerge);
                let inner = self.not(inner);
                let either = self.or(&[condition, inner]);
                return Some(self.ite(either, then, a));
            }
        }
        None
    }
}
