//! Puts points where handlers run into the expressions of functions.

use super::touched::{Root, Touched, root};
use crate::index::Id as _;
use crate::source::{Diagnostic, Span};
use crate::tree::{
    Callee, Duration, Expr, ExprId, ExprKind, FunctionId, Program, Stmt, StmtId, StmtKind, VarId,
};
use crate::types::TypeId;
use rustc_hash::FxHashSet;

/// Puts points into functions.
pub(super) struct Put<'p> {
    pub(super) program: &'p mut Program,
    pub(super) point: FunctionId,
    /// Functions of the library have numbers from here on.
    pub(super) texts: usize,
    pub(super) touched: Touched,
    pub(super) taken: FxHashSet<VarId>,
}

impl Put<'_> {
    pub(super) fn function(&mut self, function: FunctionId) -> Result<(), Diagnostic> {
        let Some(body) = self.program.functions[function].body else { return Ok(()) };
        let (atomics, within) = self.atomics(body)?;
        let mut accesses = Vec::new();
        self.program.walk(
            body,
            |_| {},
            |expr| {
                let access = matches!(
                    self.program.exprs[expr].kind,
                    ExprKind::Load(_)
                        | ExprKind::Assign { .. }
                        | ExprKind::Update { .. }
                        | ExprKind::Call { callee: Callee::Function(_), .. }
                );
                if access {
                    accesses.push(expr);
                }
            },
        );
        accesses.sort_unstable();
        accesses.dedup();
        accesses.retain(|access| !within.contains(access));
        for access in accesses {
            match self.program.exprs[access].kind {
                ExprKind::Call { callee: Callee::Function(called), .. } if self.reaches(access, called) => {
                    self.before(access);
                    self.after(function, access);
                }
                ExprKind::Load(lvalue) if self.may_write(lvalue) => self.before(access),
                ExprKind::Assign { target, value } if self.may_touch(target) => {
                    self.assignment(function, access, target, value);
                    self.after(function, access);
                }
                ExprKind::Update { target, old, value, postfix } if self.may_touch(target) => {
                    // Between the read and the write.
                    let ty = self.program.exprs[value].ty;
                    let value = self.comma(value, ty);
                    self.program.exprs[access].kind = ExprKind::Update { target, old, value, postfix };
                    self.before(access);
                    self.after(function, access);
                }
                _ => {}
            }
        }
        for atomic in atomics {
            self.before(atomic);
            self.after(function, atomic);
        }
        if self.program.first() == Some(function) {
            self.at_entry(body);
        }
        Ok(())
    }

    /// The atomic operations of a body that touch what handlers touch, and the accesses that belong to them:
    /// handlers run before and after the whole. An operand that a handler may change would have to be read
    /// before the operation, which its expression does not say.
    fn atomics(&self, body: StmtId) -> Result<(Vec<ExprId>, FxHashSet<ExprId>), Diagnostic> {
        let (mut roots, mut within) = (Vec::new(), FxHashSet::default());
        let is_atomic = |expr: ExprId| match self.program.exprs[expr].kind {
            ExprKind::Update { target, .. } => {
                self.program.types.qualifiers(self.program.exprs[target].ty).is_atomic
            }
            _ => self.program.atomics.contains(&expr),
        };
        let mut found = Vec::new();
        self.program.walk(body, |_| {}, |expr| found.extend(is_atomic(expr).then_some(expr)));
        found.sort_unstable();
        found.dedup();
        for root in found {
            let span = self.program.exprs[root].span;
            let (mut work, mut shared) = (vec![root], false);
            while let Some(expr) = work.pop() {
                let node = &self.program.exprs[expr];
                node.kind.for_each_operand(|operand| work.push(operand));
                let (touches, changes) = match node.kind {
                    ExprKind::Load(lvalue) => (self.may_write(lvalue), self.may_write(lvalue)),
                    ExprKind::Assign { target, .. } | ExprKind::Update { target, .. } => {
                        (self.may_touch(target), true)
                    }
                    _ => continue,
                };
                if node.span == span {
                    within.insert(expr);
                    shared |= touches;
                } else if touches && changes {
                    let message = "an operand of an atomic operation that an interrupt handler may change: keep it in a variable first";
                    return Err(Diagnostic::error(node.span, message));
                }
            }
            if shared {
                roots.push(root);
            }
        }
        Ok((roots, within))
    }

    /// An assignment: where it goes and what is assigned, then a point, then the store. In which order the
    /// first two are computed is left open by C; it makes no difference where one of them is a constant or a
    /// variable of the function's own.
    fn assignment(&mut self, function: FunctionId, access: ExprId, target: ExprId, value: ExprId) {
        let bits = matches!(self.program.exprs[target].kind, ExprKind::Member { bits: Some(_), .. });
        let plain = match self.program.exprs[value].kind {
            ExprKind::Int(_) | ExprKind::Float(_) => true,
            ExprKind::Load(lvalue) => match self.program.exprs[lvalue].kind {
                ExprKind::Variable(variable) => {
                    self.program.variables[variable].duration == Duration::Automatic
                        && !self.taken.contains(&variable)
                }
                _ => false,
            },
            _ => false,
        };
        let variable = matches!(self.program.exprs[target].kind, ExprKind::Variable(_));
        if variable || bits || !plain {
            let value = self.then(function, value);
            self.program.exprs[access].kind = ExprKind::Assign { target, value };
            return;
        }
        let (Expr { ty: held, span, .. }, ty) =
            (self.program.exprs[target].clone(), self.program.exprs[access].ty);
        let pointer = self.program.types.pointer(held);
        let address = self.program.exprs.push(Expr { kind: ExprKind::AddressOf(target), ty: pointer, span });
        let (keep, load) = self.program.kept(function, address, "interrupted");
        let target = self.program.exprs.push(Expr { kind: ExprKind::Deref(load), ty: held, span });
        let store = self.program.exprs.push(Expr { kind: ExprKind::Assign { target, value }, ty, span });
        let store = self.comma(store, ty);
        self.program.exprs[access].kind = ExprKind::Comma(keep, store);
    }

    /// Whether a handler may write what an lvalue designates.
    fn may_write(&self, lvalue: ExprId) -> bool {
        match root(self.program, lvalue) {
            Root::Variable(variable) => {
                self.touched.writes.contains(&variable)
                    || self.touched.writes_through && self.taken.contains(&variable)
            }
            Root::Pointer => {
                self.touched.writes_through || self.touched.writes.iter().any(|it| self.taken.contains(it))
            }
            Root::Own => false,
        }
    }

    /// Whether a call of the library, or of unknown code, may get at what handlers touch: it is given
    /// pointers.
    fn reaches(&self, call: ExprId, called: FunctionId) -> bool {
        let foreign = called.index() >= self.texts || self.program.functions[called].body.is_none();
        let ExprKind::Call { arguments, .. } = &self.program.exprs[call].kind else { return false };
        let pointer = |&it: &ExprId| self.program.types.pointee(self.program.exprs[it].ty).is_some();
        let Touched { reads, writes, reads_through, writes_through } = &self.touched;
        let shared = *reads_through
            || *writes_through
            || reads.iter().chain(writes).any(|variable| self.taken.contains(variable));
        foreign && shared && called != self.point && arguments.iter().any(pointer)
    }

    /// Whether a handler may read or write it.
    fn may_touch(&self, lvalue: ExprId) -> bool {
        let reads = match root(self.program, lvalue) {
            Root::Variable(variable) => {
                self.touched.reads.contains(&variable)
                    || self.touched.reads_through && self.taken.contains(&variable)
            }
            Root::Pointer => {
                self.touched.reads_through || self.touched.reads.iter().any(|it| self.taken.contains(it))
            }
            Root::Own => false,
        };
        reads || self.may_write(lvalue)
    }

    fn call(&mut self, span: Span) -> ExprId {
        let ty = self.program.types.void();
        let kind = ExprKind::Call { callee: Callee::Function(self.point), arguments: Box::new([]) };
        self.program.exprs.push(Expr { kind, ty, span })
    }

    /// A point, then an expression.
    fn comma(&mut self, expr: ExprId, ty: TypeId) -> ExprId {
        let span = self.program.exprs[expr].span;
        let call = self.call(span);
        self.program.exprs.push(Expr { kind: ExprKind::Comma(call, expr), ty, span })
    }

    /// The same in the place of the expression.
    fn before(&mut self, expr: ExprId) {
        let node = self.program.exprs[expr].clone();
        let (span, call) = (node.span, self.call(node.span));
        let moved = self.program.exprs.push(node);
        self.program.exprs[expr].kind = ExprKind::Comma(call, moved);
        self.program.exprs[expr].span = span;
    }

    /// A value, then a point: the value is kept in a variable.
    fn then(&mut self, function: FunctionId, value: ExprId) -> ExprId {
        let Expr { ty, span, .. } = self.program.exprs[value];
        let (assign, load) = self.program.kept(function, value, "interrupted");
        let call = self.call(span);
        let rest = self.program.exprs.push(Expr { kind: ExprKind::Comma(call, load), ty, span });
        self.program.exprs.push(Expr { kind: ExprKind::Comma(assign, rest), ty, span })
    }

    /// The same in the place of an expression that has a value.
    fn after(&mut self, function: FunctionId, expr: ExprId) {
        let node = self.program.exprs[expr].clone();
        let (ty, span) = (node.ty, node.span);
        let moved = self.program.exprs.push(node);
        if self.program.types.is_void(ty) {
            let call = self.call(span);
            self.program.exprs[expr].kind = ExprKind::Comma(moved, call);
            return;
        }
        let then = self.then(function, moved);
        self.program.exprs[expr].kind = self.program.exprs[then].kind.clone();
    }

    /// A point where a body begins.
    fn at_entry(&mut self, body: StmtId) {
        let span = self.program.stmts[body].span;
        let call = self.call(span);
        let first = self.program.stmts.push(Stmt { kind: StmtKind::Expr(call), span });
        if let StmtKind::Block { items, .. } = &mut self.program.stmts[body].kind {
            items.insert(0, first);
        }
    }
}
