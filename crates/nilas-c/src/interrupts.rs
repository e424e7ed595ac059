//! Interrupts: functions that may run between any two accesses of the program.
//!
//! An interrupt handler changes what the program sees only through data that both touch. So it is enough to
//! let handlers run, any number of times in any order, where the program comes to `main`, before it reads
//! what a handler may write, before it writes what a handler may touch, and after it has written that (so
//! that a handler sees it, even if nothing else is accessed any more). A read and a write are two accesses:
//! in `x++` a handler may run between them. At these points a call of [`POINT`] is put into the expressions.
//! Its text stands behind the program ([`text`]), so that everything behind the type checker sees calls of
//! ordinary functions.
//!
//! A handler that runs can be interrupted by others, as deep as is asked for; with a depth of 1 it cannot.
//! Functions of the library are not interrupted: that is an assumption of the answer.

use crate::index::Id as _;
use crate::source::Diagnostic;
use crate::tree::{
    Callee, Duration, Expr, ExprId, ExprKind, FunctionId, Linkage, Program, Stmt, StmtKind, VarId, VarRole,
    Variable,
};
use crate::types::TypeId;
use rustc_hash::FxHashSet;
use std::fmt::Write as _;

/// The function in which handlers run.
const POINT: &str = "__nilas_interrupts";
/// What stands for the handlers in the text.
const HANDLER: &str = "__nilas_handler_";
/// Where the text is, for messages.
pub(crate) const FILE: &str = "<nilas>/interrupts.c";

/// Which functions are handlers.
#[derive(Clone, Debug, Default)]
pub struct Interrupts {
    /// Their names.
    pub handlers: Vec<String>,
    /// How many handlers may run at a time, each interrupting the one before.
    pub depth: u32,
}

impl Interrupts {
    pub(crate) fn is_empty(&self) -> bool {
        self.handlers.is_empty()
    }

    /// The text of the function in which handlers run.
    pub(crate) fn text(&self) -> String {
        let mut text = "extern int __VERIFIER_nondet_interrupt(void);\n".to_owned();
        for number in 0..self.handlers.len() {
            let _ = writeln!(text, "extern void {HANDLER}{number}(void);");
        }
        let _ = writeln!(
            text,
            "static int __nilas_interrupt_depth;\nvoid {POINT}(void) {{\n    if (__nilas_interrupt_depth >= {}) return;\n    \
             __nilas_interrupt_depth++;\n    while (__VERIFIER_nondet_interrupt()) {{\n        int which = __VERIFIER_nondet_interrupt();",
            self.depth.max(1)
        );
        for number in 0..self.handlers.len() {
            let _ = writeln!(text, "        if (which == {number}) {HANDLER}{number}();");
        }
        text.push_str("    }\n    __nilas_interrupt_depth--;\n}\n");
        text
    }
}

/// What handlers do with data.
#[derive(Default)]
struct Touched {
    reads: FxHashSet<VarId>,
    writes: FxHashSet<VarId>,
    /// They read, or write, through pointers.
    reads_through: bool,
    writes_through: bool,
}

/// What an access means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Root {
    /// A part of a variable.
    Variable(VarId),
    /// What a pointer points to.
    Pointer,
    /// Something that nobody else can get at.
    Own,
}

/// Lets handlers run wherever that makes a difference. The text of [`Interrupts::text`] is among the files of
/// the program; functions from `texts` on are those of the library.
///
/// # Errors
/// A name that is no function `void f(void)` with a body.
pub(crate) fn put_in(
    program: &mut Program,
    interrupts: &Interrupts,
    texts: usize,
) -> Result<(), Vec<Diagnostic>> {
    let mut handlers = Vec::new();
    for name in &interrupts.handlers {
        handlers.push(handler(program, name).map_err(|diagnostic| vec![diagnostic])?);
    }
    let Some(point) = program.function(POINT) else { return Ok(()) };
    for (number, &handler) in handlers.iter().enumerate() {
        redirect(program, &format!("{HANDLER}{number}"), handler);
    }
    let touched = touched(program, &called(program, &handlers));
    let taken = taken(program);
    let nested = interrupts.depth > 1;
    let starts: Vec<FunctionId> = program
        .functions
        .enumerate()
        .filter(|(id, function)| {
            let start =
                function.name == "main" || function.constructor.is_some() || function.destructor.is_some();
            start || nested && handlers.contains(id)
        })
        .map(|(id, _)| id)
        .collect();
    let mut own = called(program, &starts);
    own.retain(|&id| id != point && id.index() < texts);
    let mut put = Put { program, point, texts, touched, taken };
    for function in own {
        put.function(function).map_err(|diagnostic| vec![diagnostic])?;
    }
    program.interrupts = handlers;
    Ok(())
}

fn handler(program: &Program, name: &str) -> Result<FunctionId, Diagnostic> {
    let Some(id) = program.function(name) else {
        return Err(Diagnostic::general(format!(
            "`--interrupt {name}`: the program has no function of this name"
        )));
    };
    let function = &program.functions[id];
    let ty = program.types.as_function(function.ty);
    let plain = ty.is_some_and(|ty| ty.parameters.is_empty() && program.types.is_void(ty.result));
    if function.body.is_none() || !plain {
        let message =
            format!("`--interrupt {name}`: a handler is a function `void {name}(void)` with a body");
        return Err(Diagnostic::error(function.span, message));
    }
    Ok(id)
}

fn redirect(program: &mut Program, name: &str, to: FunctionId) {
    let Some(from) = program.function(name) else { return };
    for id in program.exprs.ids() {
        if let ExprKind::Call { callee: Callee::Function(function), .. } = &mut program.exprs[id].kind
            && *function == from
        {
            *function = to;
        }
    }
}

/// Variables whose address is taken.
fn taken(program: &Program) -> FxHashSet<VarId> {
    let address = |expr: &Expr| match expr.kind {
        ExprKind::AddressOf(lvalue) | ExprKind::ArrayDecay(lvalue) => match root(program, lvalue) {
            Root::Variable(variable) => Some(variable),
            _ => None,
        },
        ExprKind::Address { base: crate::tree::AddressBase::Variable(variable), .. } => Some(variable),
        _ => None,
    };
    program.exprs.iter().filter_map(address).collect()
}

/// What an lvalue is a part of.
fn root(program: &Program, lvalue: ExprId) -> Root {
    match program.exprs[lvalue].kind {
        ExprKind::Variable(variable) => Root::Variable(variable),
        ExprKind::Member { base, .. } => root(program, base),
        ExprKind::Deref(pointer) => pointed(program, pointer),
        _ => Root::Own,
    }
}

/// What a pointer points into.
fn pointed(program: &Program, pointer: ExprId) -> Root {
    match program.exprs[pointer].kind {
        ExprKind::PointerOffset { pointer, .. } => pointed(program, pointer),
        ExprKind::Convert { operand, .. } if program.types.pointee(program.exprs[operand].ty).is_some() => {
            pointed(program, operand)
        }
        ExprKind::ArrayDecay(lvalue) | ExprKind::AddressOf(lvalue) => root(program, lvalue),
        ExprKind::Address { base: crate::tree::AddressBase::Variable(variable), .. } => {
            Root::Variable(variable)
        }
        _ => Root::Pointer,
    }
}

/// Functions and all that they call, in order. A call through a pointer may be one of any function whose
/// address is taken; so may one of a function without body that is given functions.
fn called(program: &Program, starts: &[FunctionId]) -> Vec<FunctionId> {
    let mut work: Vec<FunctionId> = starts.to_vec();
    let mut seen: FxHashSet<FunctionId> = FxHashSet::default();
    while let Some(function) = work.pop() {
        if !seen.insert(function) {
            continue;
        }
        let Some(body) = program.functions[function].body else {
            work.extend(addressed(program));
            continue;
        };
        let on_expr = |expr: ExprId| match &program.exprs[expr].kind {
            ExprKind::Call { callee: Callee::Function(called), .. } => work.push(*called),
            ExprKind::Call { .. } => work.extend(addressed(program)),
            _ => {}
        };
        program.walk(body, |_| {}, on_expr);
    }
    let mut called: Vec<FunctionId> = seen.into_iter().collect();
    called.sort_unstable();
    called
}

/// What functions do with data.
fn touched(program: &Program, functions: &[FunctionId]) -> Touched {
    let mut touched = Touched::default();
    // What functions declare for themselves is another object each time.
    let lasts = |variable: &VarId| program.variables[*variable].duration != Duration::Automatic;
    for &function in functions {
        let Some(body) = program.functions[function].body else {
            // What a function without body does, it does through pointers.
            (touched.reads_through, touched.writes_through) = (true, true);
            continue;
        };
        let on_expr = |expr: ExprId| {
            let mut read = |lvalue: ExprId| match root(program, lvalue) {
                Root::Variable(variable) => touched.reads.extend(Some(variable).filter(lasts)),
                Root::Pointer => touched.reads_through = true,
                Root::Own => {}
            };
            match &program.exprs[expr].kind {
                ExprKind::Load(lvalue) => read(*lvalue),
                ExprKind::Assign { target, .. } | ExprKind::Update { target, .. } => {
                    read(*target);
                    match root(program, *target) {
                        Root::Variable(variable) => touched.writes.extend(Some(variable).filter(lasts)),
                        Root::Pointer => touched.writes_through = true,
                        Root::Own => {}
                    }
                }
                _ => {}
            }
        };
        program.walk(body, |_| {}, on_expr);
        let mut outputs = Vec::new();
        let on_stmt = |stmt| {
            if let StmtKind::Asm(asm) = &program.stmts[stmt].kind {
                outputs.extend(asm.outputs.iter().map(|output| output.value));
            }
        };
        program.walk(body, on_stmt, |_| {});
        for output in outputs {
            match root(program, output) {
                Root::Variable(variable) => touched.writes.extend(Some(variable).filter(lasts)),
                Root::Pointer => touched.writes_through = true,
                Root::Own => {}
            }
        }
    }
    touched
}

/// Functions whose address is taken.
fn addressed(program: &Program) -> Vec<FunctionId> {
    let function = |expr: &Expr| match expr.kind {
        ExprKind::Function(function)
        | ExprKind::Address { base: crate::tree::AddressBase::Function(function), .. } => Some(function),
        _ => None,
    };
    program.exprs.iter().filter_map(function).collect()
}

/// Puts points into functions.
struct Put<'p> {
    program: &'p mut Program,
    point: FunctionId,
    /// Functions of the library have numbers from here on.
    texts: usize,
    touched: Touched,
    taken: FxHashSet<VarId>,
}

impl Put<'_> {
    fn function(&mut self, function: FunctionId) -> Result<(), Diagnostic> {
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
        if self.program.functions[function].name == "main" {
            self.at_entry(body);
        }
        Ok(())
    }

    /// The atomic operations of a body that touch what handlers touch, and the accesses that belong to them:
    /// handlers run before and after the whole. An operand that a handler may change would have to be read
    /// before the operation, which its expression does not say.
    fn atomics(&self, body: crate::tree::StmtId) -> Result<(Vec<ExprId>, FxHashSet<ExprId>), Diagnostic> {
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
        let (keep, load) = self.kept(function, address);
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

    fn call(&mut self, span: crate::source::Span) -> ExprId {
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
        let (assign, load) = self.kept(function, value);
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

    /// A new variable that holds a value: what stores the value there, and what reads it.
    fn kept(&mut self, function: FunctionId, value: ExprId) -> (ExprId, ExprId) {
        let Expr { ty, span, .. } = self.program.exprs[value];
        let ty = self.program.types.unqualified(ty);
        let variable = self.program.variables.push(Variable {
            name: "interrupted".to_owned(),
            ty,
            duration: Duration::Automatic,
            linkage: Linkage::None,
            role: VarRole::Temporary,
            defined: true,
            init: None,
            alignment: None,
            cleanup: None,
            asm_name: None,
            weak: false,
            shared_name: false,
            function: Some(function),
            span,
        });
        self.program.functions[function].locals.push(variable);
        let mut lvalue = || self.program.exprs.push(Expr { kind: ExprKind::Variable(variable), ty, span });
        let (target, source) = (lvalue(), lvalue());
        let kind = ExprKind::Assign { target, value };
        let assign = self.program.exprs.push(Expr { kind, ty, span });
        let load = self.program.exprs.push(Expr { kind: ExprKind::Load(source), ty, span });
        (assign, load)
    }

    /// A point where a body begins.
    fn at_entry(&mut self, body: crate::tree::StmtId) {
        let span = self.program.stmts[body].span;
        let call = self.call(span);
        let first = self.program.stmts.push(Stmt { kind: StmtKind::Expr(call), span });
        if let StmtKind::Block { items, .. } = &mut self.program.stmts[body].kind {
            items.insert(0, first);
        }
    }
}
