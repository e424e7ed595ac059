//! Values that passes over the tree put aside.

use super::{Duration, Expr, ExprId, ExprKind, FunctionId, Program, VarRole, Variable};

impl Program {
    /// A new variable of a function that holds a value: what stores the value there, and what reads it.
    pub(crate) fn kept(&mut self, function: FunctionId, value: ExprId, name: &str) -> (ExprId, ExprId) {
        let Expr { ty, span, .. } = self.exprs[value];
        let ty = self.types.unqualified(ty);
        let variable = self.variables.push(Variable {
            duration: Duration::Automatic,
            role: VarRole::Temporary,
            defined: true,
            function: Some(function),
            ..Variable::new(name.to_owned(), ty, span)
        });
        self.functions[function].locals.push(variable);
        let mut lvalue = || self.exprs.push(Expr { kind: ExprKind::Variable(variable), ty, span });
        let (target, source) = (lvalue(), lvalue());
        let assign = self.exprs.push(Expr { kind: ExprKind::Assign { target, value }, ty, span });
        let load = self.exprs.push(Expr { kind: ExprKind::Load(source), ty, span });
        (assign, load)
    }
}
