//! Puts calls of the functions that look at waypoints into a program.

use super::sites::Site;
use super::{ALL, CLAIM, ELSE, FUNCTION, Look, Point, Waypoints};
use crate::library::catalogue::{self, Meaning, Model};
use crate::source::{Diagnostic, Span};
use crate::tree::{AddressBase, Callee, Conversion, Expr, ExprId, ExprKind, FunctionId, InitValue, Program};
use crate::types::{IntKind, TypeId};
use std::collections::BTreeSet;

pub(super) struct Put<'p> {
    pub(super) program: &'p mut Program,
}

/// How a call fails.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Failing {
    /// It is the error.
    Error,
    /// It is the error if its argument is zero.
    Claim,
}

impl Put<'_> {
    pub(super) fn all(&mut self, waypoints: &Waypoints, sites: &[Site]) -> Result<(), Diagnostic> {
        // First, so that what is put in below moves with it.
        self.errors(waypoints.target.as_ref())?;
        for site in sites {
            let Some(look) = self.program.function(&format!("{FUNCTION}{}", site.watched)) else { continue };
            for &(function, expr) in &site.exprs {
                match waypoints.watched[site.watched].what {
                    Look::Enter => self.before_call(function, look, expr),
                    _ => self.through(look, expr),
                }
            }
        }
        Ok(())
    }

    /// Errors count only where all waypoints were passed, and at the target, if there is an error in its
    /// line.
    fn errors(&mut self, target: Option<&Point>) -> Result<(), Diagnostic> {
        let mut calls: Vec<(ExprId, Failing)> = Vec::new();
        for id in self.evaluated() {
            let expr = &self.program.exprs[id];
            let taken = match expr.kind {
                ExprKind::Call { callee: Callee::Function(function), .. } => {
                    calls.extend(self.failing(function).map(|how| (id, how)));
                    continue;
                }
                ExprKind::Function(function)
                | ExprKind::Address { base: AddressBase::Function(function), .. } => function,
                _ => continue,
            };
            if self.failing(taken).is_some() {
                let message = "the address of a function that is an error is taken";
                return Err(Diagnostic::error(expr.span, message));
            }
        }
        let at_target = |program: &Program, call: ExprId| {
            let location = program.sources.locate(program.exprs[call].span);
            target.is_some_and(|target| target.is_at(program, &location))
        };
        let told = calls.iter().any(|&(call, _)| at_target(self.program, call));
        let named = |program: &Program, name: &str| program.function(name);
        let (Some(all), Some(other), Some(claim)) =
            (named(self.program, ALL), named(self.program, ELSE), named(self.program, CLAIM))
        else {
            return Err(Diagnostic::general("the text of waypoints is missing"));
        };
        for (call, how) in calls {
            if how == Failing::Claim {
                let ExprKind::Call { arguments, .. } = &self.program.exprs[call].kind else { continue };
                let condition = arguments.first().map(|&it| self.program.exprs[it].ty);
                if condition.is_none_or(|ty| self.program.types.int_kind(ty).is_none()) {
                    let span = self.program.exprs[call].span;
                    return Err(Diagnostic::error(span, "an assertion about something that is no integer"));
                }
                self.claim(claim, call);
                continue;
            }
            let node = self.program.exprs[call].clone();
            let (ty, span) = (node.ty, node.span);
            let void = self.program.types.void();
            let otherwise = self.call(other, Vec::new(), void, span);
            if told && !at_target(self.program, call) {
                self.program.exprs[call].kind = self.program.exprs[otherwise].kind.clone();
                continue;
            }
            if !self.program.types.is_void(ty) {
                return Err(Diagnostic::error(span, "an error that has a value"));
            }
            let bool = self.program.types.int(IntKind::Bool);
            let condition = self.call(all, Vec::new(), bool, span);
            let then = self.program.exprs.push(node);
            self.program.exprs[call].kind = ExprKind::Conditional { condition, then, otherwise };
        }
        Ok(())
    }

    /// Expressions of bodies and of initialisers. (The arena has others: the designator of a call is one.)
    fn evaluated(&self) -> BTreeSet<ExprId> {
        let mut found = BTreeSet::new();
        for body in self.program.functions.iter().filter_map(|function| function.body) {
            self.program.walk(body, |_| {}, |expr| _ = found.insert(expr));
        }
        let mut work: Vec<ExprId> = Vec::new();
        for initialiser in self.program.variables.iter().filter_map(|variable| variable.init.as_ref()) {
            work.extend(initialiser.items.iter().filter_map(|item| match item.value {
                InitValue::Expr(expr) => Some(expr),
                _ => None,
            }));
        }
        while let Some(expr) = work.pop() {
            if found.insert(expr) {
                self.program.exprs[expr].kind.for_each_operand(|operand| work.push(operand));
            }
        }
        found
    }

    fn failing(&self, function: FunctionId) -> Option<Failing> {
        let declared = &self.program.functions[function];
        if matches!(declared.name.as_str(), "__VERIFIER_error" | "reach_error") {
            return Some(Failing::Error);
        }
        let row = catalogue::row(&declared.name).filter(|_| declared.body.is_none())?;
        match row.model {
            Model::Lowering(Meaning::Error) => Some(Failing::Error),
            Model::Lowering(Meaning::Assert) => Some(Failing::Claim),
            _ => None,
        }
    }

    /// An assertion looks at its condition first.
    fn claim(&mut self, claim: FunctionId, call: ExprId) {
        let ExprKind::Call { callee, mut arguments } = self.program.exprs[call].kind.clone() else { return };
        let Some(first) = arguments.first_mut() else { return };
        let bool = self.program.types.int(IntKind::Bool);
        let (ty, span) = (self.program.exprs[*first].ty, self.program.exprs[*first].span);
        let argument = self.converted(*first, bool);
        let looked = self.call(claim, vec![argument], bool, span);
        *first = self.converted(looked, ty);
        self.program.exprs[call].kind = ExprKind::Call { callee, arguments };
    }

    /// A value goes through the function that looks at it.
    fn through(&mut self, look: FunctionId, expr: ExprId) {
        let node = self.program.exprs[expr].clone();
        let (ty, span) = (node.ty, node.span);
        let Some(result) =
            self.program.types.as_function(self.program.functions[look].ty).map(|it| it.result)
        else {
            return;
        };
        let moved = self.program.exprs.push(node);
        let argument = self.converted(moved, result);
        let looked = self.call(look, vec![argument], result, span);
        let back = self.converted(looked, ty);
        self.program.exprs[expr].kind = self.program.exprs[back].kind.clone();
    }

    /// Between the arguments of a call and the call.
    fn before_call(&mut self, function: FunctionId, look: FunctionId, expr: ExprId) {
        let mut node = self.program.exprs[expr].clone();
        let (ty, span) = (node.ty, node.span);
        let ExprKind::Call { arguments, .. } = &mut node.kind else { return };
        let mut kept = Vec::new();
        if arguments.iter().any(|&argument| self.calls(argument)) {
            for argument in arguments.iter_mut() {
                let (store, load) = self.program.kept(function, *argument, "argument");
                kept.push(store);
                *argument = load;
            }
        }
        let moved = self.program.exprs.push(node);
        let void = self.program.types.void();
        let looks = self.call(look, Vec::new(), void, span);
        let mut kind = ExprKind::Comma(looks, moved);
        for store in kept.into_iter().rev() {
            let rest = self.program.exprs.push(Expr { kind, ty, span });
            kind = ExprKind::Comma(store, rest);
        }
        self.program.exprs[expr].kind = kind;
    }

    /// Whether something is called in an expression.
    fn calls(&self, expr: ExprId) -> bool {
        let mut work = vec![expr];
        while let Some(expr) = work.pop() {
            let kind = &self.program.exprs[expr].kind;
            if matches!(
                kind,
                ExprKind::Call { .. } | ExprKind::Statement { .. } | ExprKind::Conditional { .. }
            ) {
                return true;
            }
            kind.for_each_operand(|operand| work.push(operand));
        }
        false
    }

    fn call(&mut self, function: FunctionId, arguments: Vec<ExprId>, ty: TypeId, span: Span) -> ExprId {
        let kind =
            ExprKind::Call { callee: Callee::Function(function), arguments: arguments.into_boxed_slice() };
        self.program.exprs.push(Expr { kind, ty, span })
    }

    /// An integer as one of another type, or as a truth value; everything else is of the type already.
    fn converted(&mut self, operand: ExprId, ty: TypeId) -> ExprId {
        let Expr { ty: own, span, .. } = self.program.exprs[operand];
        if own == ty || self.program.types.int_kind(ty).is_none() {
            return operand;
        }
        let truth = self.program.types.int_kind(ty) == Some(IntKind::Bool);
        let conversion = if truth { Conversion::IntToBool } else { Conversion::IntToInt };
        self.program.exprs.push(Expr { kind: ExprKind::Convert { conversion, operand }, ty, span })
    }
}
