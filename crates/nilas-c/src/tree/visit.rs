//! Walking over the tree without recursion.

use super::{Callee, ExprId, ExprKind, Program, Scale, StmtId, StmtKind};

impl ExprKind {
    /// Calls `visit` with every direct operand, in the order of their evaluation where C has one.
    pub fn for_each_operand(&self, mut visit: impl FnMut(ExprId)) {
        match self {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Variable(_)
            | ExprKind::String(_)
            | ExprKind::Function(_)
            | ExprKind::CompoundLiteral(_)
            | ExprKind::Address { .. }
            | ExprKind::LabelAddress(_)
            | ExprKind::Old => {}
            ExprKind::Materialise { value, .. } => visit(*value),
            ExprKind::Member { base, .. } => visit(*base),
            ExprKind::Deref(a)
            | ExprKind::Load(a)
            | ExprKind::AddressOf(a)
            | ExprKind::ArrayDecay(a)
            | ExprKind::FunctionDecay(a)
            | ExprKind::Not(a)
            | ExprKind::VaArg(a)
            | ExprKind::Convert { operand: a, .. }
            | ExprKind::Unary { operand: a, .. } => visit(*a),
            ExprKind::Binary { lhs, rhs, .. }
            | ExprKind::Compare { lhs, rhs, .. }
            | ExprKind::And(lhs, rhs)
            | ExprKind::Or(lhs, rhs)
            | ExprKind::Comma(lhs, rhs)
            | ExprKind::Assign { target: lhs, value: rhs }
            | ExprKind::Update { target: lhs, value: rhs, .. } => {
                visit(*lhs);
                visit(*rhs);
            }
            ExprKind::PointerOffset { pointer: lhs, index: rhs, scale, .. }
            | ExprKind::PointerDifference { lhs, rhs, scale } => {
                visit(*lhs);
                visit(*rhs);
                if let Scale::Dynamic(size) = scale {
                    visit(*size);
                }
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                visit(*condition);
                visit(*then);
                visit(*otherwise);
            }
            ExprKind::Call { callee, arguments } => {
                if let Callee::Pointer(pointer) = callee {
                    visit(*pointer);
                }
                arguments.iter().copied().for_each(visit);
            }
            ExprKind::Builtin { arguments, .. } => arguments.iter().copied().for_each(visit),
            ExprKind::Statement { value, .. } => value.iter().copied().for_each(visit),
        }
    }
}

impl StmtKind {
    /// Calls `visit` with every direct sub-statement, in order.
    pub fn for_each_statement(&self, mut visit: impl FnMut(StmtId)) {
        match self {
            StmtKind::Block { items, .. } => items.iter().copied().for_each(visit),
            StmtKind::If { then, otherwise, .. } => {
                visit(*then);
                otherwise.iter().copied().for_each(visit);
            }
            StmtKind::Switch { body, .. }
            | StmtKind::While { body, .. }
            | StmtKind::DoWhile { body, .. }
            | StmtKind::For { body, .. } => visit(*body),
            _ => {}
        }
    }

    /// Calls `visit` with every expression that stands directly in the statement. (Initialisers belong to
    /// variables.)
    pub fn for_each_expr(&self, mut visit: impl FnMut(ExprId)) {
        match self {
            StmtKind::Expr(a) | StmtKind::ComputedGoto { target: a, .. } => visit(*a),
            StmtKind::If { condition, .. }
            | StmtKind::While { condition, .. }
            | StmtKind::DoWhile { condition, .. } => visit(*condition),
            StmtKind::Switch { value, .. } => visit(*value),
            StmtKind::For { condition, step, .. } => condition.iter().chain(step).copied().for_each(visit),
            StmtKind::Return(value) => value.iter().copied().for_each(visit),
            StmtKind::Asm(asm) => asm.outputs.iter().chain(&asm.inputs).for_each(|o| visit(o.value)),
            _ => {}
        }
    }
}

impl Program {
    /// All statements of a body, the ones in statement expressions included, and all expressions under them,
    /// each after what it stands in. Initialisers of variables are included, and the calls that clean them
    /// up.
    pub fn walk(&self, body: StmtId, mut on_stmt: impl FnMut(StmtId), mut on_expr: impl FnMut(ExprId)) {
        let mut stmts = vec![body];
        let mut exprs: Vec<ExprId> = Vec::new();
        while let Some(id) = stmts.pop() {
            crate::work::poll();
            on_stmt(id);
            let kind = &self.stmts[id].kind;
            let first = stmts.len();
            kind.for_each_statement(|s| stmts.push(s));
            stmts[first..].reverse();
            kind.for_each_expr(|e| exprs.push(e));
            if let StmtKind::Declare(variable) = kind {
                self.push_init(*variable, &mut exprs);
                exprs.extend(self.variables[*variable].cleanup);
            }
            while let Some(expr) = exprs.pop() {
                on_expr(expr);
                self.exprs[expr].kind.for_each_operand(|e| exprs.push(e));
                match self.exprs[expr].kind {
                    ExprKind::Statement { block, .. } => stmts.push(block),
                    ExprKind::CompoundLiteral(variable) => self.push_init(variable, &mut exprs),
                    _ => {}
                }
            }
        }
    }

    fn push_init(&self, variable: super::VarId, exprs: &mut Vec<ExprId>) {
        if let Some(init) = &self.variables[variable].init {
            for item in &init.items {
                if let super::InitValue::Expr(expr) = item.value {
                    exprs.push(expr);
                }
            }
        }
    }
}
