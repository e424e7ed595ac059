//! Operations on floats that a compiler carries out: where all operands are constants, GCC rounds to nearest
//! while it compiles, whatever mode the program sets.

use super::{BinaryOp, Callee, Conversion, ExprKind, Program};
use crate::index::Id;
use crate::library::catalogue::{Meaning, Model, row};
use crate::types::TypeKind;

/// Integers up to here are exact in every float.
const EXACT: i128 = 1 << 24;

/// Functions whose purpose is to round as the mode says: GCC leaves them to the machine.
const LEFT: &[&str] = &[
    "rint",
    "rintf",
    "rintl",
    "nearbyint",
    "nearbyintf",
    "nearbyintl",
    "lrint",
    "lrintf",
    "lrintl",
    "llrint",
    "llrintf",
    "llrintl",
];

impl Program {
    /// Per expression: it is such an operation, and its result may have to be rounded.
    #[must_use]
    pub fn folded_floats(&self) -> Vec<bool> {
        let mut constant = Vec::with_capacity(self.exprs.len());
        let mut folded = Vec::with_capacity(self.exprs.len());
        for expr in &self.exprs {
            let is_float = matches!(self.types.kind(expr.ty), TypeKind::Float(_));
            let mut all = true;
            expr.kind
                .for_each_operand(|operand| all &= constant.get(operand.index()).is_some_and(|known| *known));
            let (is_constant, rounds) = match &expr.kind {
                ExprKind::Int(_) | ExprKind::Float(_) => (true, false),
                ExprKind::Unary { .. } => (all, false),
                ExprKind::Binary { op, .. } => {
                    use BinaryOp as B;
                    (all, is_float && matches!(op, B::Add | B::Sub | B::Mul | B::Div))
                }
                ExprKind::Convert { conversion: Conversion::IntToFloat, operand } => {
                    let value = &self.exprs[*operand].kind;
                    (all, !matches!(value, ExprKind::Int(value) if (-EXACT..=EXACT).contains(value)))
                }
                ExprKind::Convert { conversion: Conversion::FloatToFloat, operand } => {
                    (all, self.types.size_of(expr.ty) < self.types.size_of(self.exprs[*operand].ty))
                }
                ExprKind::Convert { .. } => (all, false),
                ExprKind::Call { callee: Callee::Function(function), arguments } => {
                    let name = &self.functions[*function].name;
                    // GCC's other name for a function.
                    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
                    let known = row(name)
                        .is_some_and(|row| row.model == Model::Lowering(Meaning::Mathematics))
                        && !LEFT.contains(&plain);
                    (known && all && !arguments.is_empty(), is_float)
                }
                _ => (false, false),
            };
            constant.push(is_constant);
            folded.push(is_constant && rounds);
        }
        folded
    }
}
