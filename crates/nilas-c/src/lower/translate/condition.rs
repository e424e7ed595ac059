//! Conditions, lazy operators, and expressions evaluated only for their effects.
//!
//! Operands without effects become one Boolean term; undefined behaviour in an operand that is not evaluated
//! does not count (see the guard of [`Lowering`]). Operands with effects become branches.

use crate::lower::lowering::Lowering;
use crate::lower::translate::expr::{Used, is_logical};
use crate::lower::translate::temporary::Purpose;
use crate::tree::{Conversion, ExprId, ExprKind};
use nilas_fault::{Fault, planted};
use nilas_term::{Sort, Term};

impl Lowering<'_> {
    /// Evaluates an expression for its effects.
    pub(in crate::lower) fn effect(&mut self, expr: ExprId) {
        if !self.build.reachable() {
            return;
        }
        if self.is_unordered(expr) && !matches!(self.tree.exprs[expr].kind, ExprKind::Update { .. }) {
            self.in_order(expr, |this| this.effect_in_order(expr));
        } else if self.ready(expr).is_none() {
            self.effect_in_order(expr);
        }
    }

    fn effect_in_order(&mut self, expr: ExprId) {
        let tree = self.tree;
        if !self.build.reachable() {
            return;
        }
        self.build.span = tree.exprs[expr].span;
        match &tree.exprs[expr].kind {
            ExprKind::Convert { conversion: Conversion::ToVoid, operand } => {
                if tree.exprs[*operand].kind.is_lvalue() {
                    self.place(*operand);
                } else {
                    self.effect(*operand);
                }
            }
            ExprKind::Convert { operand, .. } => self.effect(*operand),
            ExprKind::Assign { target, value } => {
                self.assignment(expr, *target, *value);
            }
            ExprKind::Update { target, old, value, .. } => {
                self.update_place(expr, *target, *old, *value, Used::No);
            }
            ExprKind::Comma(first, second) => {
                self.effect(*first);
                self.effect(*second);
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let other = self.test(*condition);
                self.effect(*then);
                self.join(other, |this| this.effect(*otherwise));
            }
            ExprKind::And(first, second) => {
                let other = self.test(*first);
                self.effect(*second);
                self.join(other, |_| {});
            }
            ExprKind::Or(first, second) => {
                let other = self.test(*first);
                self.join(other, |this| this.effect(*second));
            }
            ExprKind::Statement { block, value } => self.block(*block, |this| {
                if let Some(value) = *value {
                    this.effect(value);
                }
            }),
            kind if kind.is_lvalue() => {
                self.place(expr);
            }
            _ => {
                self.value(expr);
            }
        }
    }

    /// Where the present branch ends, the other one follows; goes on where both meet.
    pub(in crate::lower) fn join(
        &mut self,
        other: Option<nilas_program::LocationId>,
        lower: impl FnOnce(&mut Self),
    ) {
        let Some(other) = other else { return };
        if !self.build.reachable() {
            self.build.continue_at(other);
            lower(self);
            return;
        }
        let meet = self.build.new_location();
        self.build.goto(meet);
        self.build.continue_at(other);
        lower(self);
        self.build.goto(meet);
        self.build.continue_at(meet);
    }

    /// Branches on a condition: goes on where it holds; where it does not (`None`: nowhere).
    pub(in crate::lower) fn test(&mut self, condition: ExprId) -> Option<nilas_program::LocationId> {
        let tree = self.tree;
        if !self.facts.has_effects(condition) {
            let term = self.condition(condition);
            return self.build.split(term);
        }
        if self.is_unordered(condition) || self.ready(condition).is_some() {
            let term = self.condition(condition);
            return self.build.split(term);
        }
        match tree.exprs[condition].kind {
            ExprKind::Convert { conversion: Conversion::IntToBool | Conversion::IntToInt, operand }
                if is_logical(&tree.exprs[operand].kind) =>
            {
                self.test(operand)
            }
            ExprKind::Not(operand) => {
                let other = self.test(operand);
                let holds = self.build.flush();
                match other {
                    Some(other) => self.build.continue_at(other),
                    None => self.build.here = None,
                }
                holds
            }
            ExprKind::And(first, second) => {
                let fails = self.test(first);
                let fails = fails.filter(|_| !planted(Fault::AndFailureLost));
                let other = if self.build.reachable() { self.test(second) } else { None };
                self.meet(fails, other)
            }
            ExprKind::Or(first, second) => {
                let fails = self.test(first);
                let holds = self.build.flush();
                match fails {
                    Some(fails) => self.build.continue_at(fails),
                    None => self.build.here = None,
                }
                let other = if self.build.reachable() { self.test(second) } else { None };
                let second_holds = self.build.flush();
                match self.meet(holds, second_holds) {
                    Some(holds) => self.build.continue_at(holds),
                    None => self.build.here = None,
                }
                other
            }
            _ => {
                let term = self.condition(condition);
                self.build.split(term)
            }
        }
    }

    /// One location that both lead to; the lowering stays where it is.
    fn meet(
        &mut self,
        one: Option<nilas_program::LocationId>,
        other: Option<nilas_program::LocationId>,
    ) -> Option<nilas_program::LocationId> {
        let (Some(one), Some(other)) = (one, other) else { return one.or(other) };
        self.build.flush();
        let here = self.build.here;
        let meet = self.build.new_location();
        for location in [one, other] {
            self.build.continue_at(location);
            self.build.goto(meet);
        }
        self.build.here = here;
        Some(meet)
    }

    /// A condition as a Boolean term.
    pub(in crate::lower) fn condition(&mut self, expr: ExprId) -> Term {
        if let Some(term) = self.ready(expr) {
            return self.truth(term);
        }
        if self.is_unordered(expr) && !matches!(self.tree.exprs[expr].kind, ExprKind::Update { .. }) {
            return self.in_order(expr, |this| this.condition_in_order(expr));
        }
        self.condition_in_order(expr)
    }

    fn condition_in_order(&mut self, expr: ExprId) -> Term {
        let tree = self.tree;
        match tree.exprs[expr].kind {
            ExprKind::Convert { conversion: Conversion::IntToBool | Conversion::IntToInt, operand }
                if is_logical(&tree.exprs[operand].kind) =>
            {
                self.condition(operand)
            }
            ExprKind::Not(operand) => {
                let term = self.condition(operand);
                self.build.arena.not(term)
            }
            ExprKind::Compare { op, lhs, rhs } => {
                let (left, right) = self.pair(lhs, rhs);
                self.build.span = tree.exprs[expr].span;
                self.compare_values(expr, op, (lhs, left), (rhs, right))
            }
            ExprKind::And(first, second) => {
                let left = self.condition(first);
                if self.facts.has_effects(second) {
                    return self.lazily(expr, left, second, false);
                }
                let right = self.guarded(left, |this| this.condition(second));
                self.build.arena.and(&[left, right])
            }
            ExprKind::Or(first, second) => {
                let left = self.condition(first);
                if self.facts.has_effects(second) {
                    return self.lazily(expr, left, second, true);
                }
                let not = self.build.arena.not(left);
                let right = self.guarded(not, |this| this.condition(second));
                self.build.arena.or(&[left, right])
            }
            _ => {
                let term = self.term(expr);
                self.truth(term)
            }
        }
    }

    /// `left && second` or `left || second` where the second has effects.
    fn lazily(&mut self, expr: ExprId, left: Term, second: ExprId, or: bool) -> Term {
        let (variable, result) = self.temporary(expr, Purpose::Joined, &Sort::Bool);
        let decided = self.build.arena.mk_bool(or);
        let go_on = if or { self.build.arena.not(left) } else { left };
        let other = self.build.split(go_on);
        let right = self.condition(second);
        self.build.assign(variable, right);
        self.join(other, |this| this.build.assign(variable, decided));
        result
    }

    /// Evaluates where a condition holds; undefined behaviour elsewhere does not count.
    pub(in crate::lower) fn guarded<T>(&mut self, condition: Term, lower: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.build.guard;
        self.build.guard = Some(match before {
            Some(guard) => self.build.arena.and(&[guard, condition]),
            None => condition,
        });
        if self.build.guard.and_then(|guard| self.build.arena.as_bool(guard)) == Some(true)
            || planted(Fault::GuardLost)
        {
            self.build.guard = before;
        }
        let result = lower(self);
        self.build.guard = before;
        result
    }
}
