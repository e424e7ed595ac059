//! What functions do with data, by name and through pointers.
//!
//! All of it is an over-approximation: a write counts as a read, too, and what a pointer means is anything whose
//! address is taken.

use crate::tree::{
    AddressBase, Callee, Duration, Expr, ExprId, ExprKind, FunctionId, Program, StmtKind, VarId,
};
use rustc_hash::FxHashSet;

/// What handlers do with data.
#[derive(Default)]
pub(super) struct Touched {
    pub(super) reads: FxHashSet<VarId>,
    pub(super) writes: FxHashSet<VarId>,
    /// They read, or write, through pointers.
    pub(super) reads_through: bool,
    pub(super) writes_through: bool,
}

/// What an access means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Root {
    /// A part of a variable.
    Variable(VarId),
    /// What a pointer points to.
    Pointer,
    /// Something that nobody else can get at.
    Own,
}

/// Variables whose address is taken.
pub(super) fn taken(program: &Program) -> FxHashSet<VarId> {
    let address = |expr: &Expr| match expr.kind {
        ExprKind::AddressOf(lvalue) | ExprKind::ArrayDecay(lvalue) => match root(program, lvalue) {
            Root::Variable(variable) => Some(variable),
            _ => None,
        },
        ExprKind::Address { base: AddressBase::Variable(variable), .. } => Some(variable),
        _ => None,
    };
    program.exprs.iter().filter_map(address).collect()
}

/// What an lvalue is a part of.
pub(super) fn root(program: &Program, lvalue: ExprId) -> Root {
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
        ExprKind::Address { base: AddressBase::Variable(variable), .. } => Root::Variable(variable),
        _ => Root::Pointer,
    }
}

/// Functions and all that they call, in order. A call through a pointer may be one of any function whose
/// address is taken; so may one of a function without body that is given functions.
pub(super) fn called(program: &Program, starts: &[FunctionId]) -> Vec<FunctionId> {
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
pub(super) fn touched(program: &Program, functions: &[FunctionId]) -> Touched {
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
        ExprKind::Function(function) | ExprKind::Address { base: AddressBase::Function(function), .. } => {
            Some(function)
        }
        _ => None,
    };
    program.exprs.iter().filter_map(function).collect()
}
