//! Builtins that are no functions.

use crate::lower::lowering::Lowering;
use crate::lower::memory::layout::{Kind, scalar};
use crate::lower::translate::expr::Val;
use crate::lower::translate::temporary::Purpose;
use crate::property::{Claim, Property};
use crate::tree::{Builtin, CompareOp, ExprId};
use nilas_fault::{Fault, planted};
use nilas_term::Term;

impl Lowering<'_> {
    /// Builtins that are no functions.
    pub(in crate::lower) fn builtin(&mut self, expr: ExprId, builtin: Builtin, arguments: &[ExprId]) -> Val {
        let tree = self.tree;
        let ty = tree.exprs[expr].ty;
        match builtin {
            Builtin::VaStart | Builtin::VaEnd | Builtin::VaCopy => {
                self.argument_list(builtin, arguments);
                Val::Void
            }
            Builtin::Unreachable => {
                self.build.never(Claim::new(Property::Unreachable, "getting to `__builtin_unreachable`"));
                self.nothing(ty)
            }
            Builtin::Trap => {
                self.build.stop();
                self.nothing(ty)
            }
            Builtin::AddOverflow | Builtin::SubOverflow | Builtin::MulOverflow => self
                .overflow(builtin, arguments)
                .map_or_else(|| self.unmodelled_value("overflow builtin", ty), Val::Scalar),
            _ => {
                let mut terms = Vec::new();
                for &argument in arguments {
                    let term = self.term(argument);
                    terms.push(self.save(argument, Purpose::Saved, term));
                }
                match self.float_builtin(expr, builtin, &terms) {
                    Some(term) => Val::Scalar(self.told_by(&terms, term)),
                    None => self.unmodelled_value("builtin", ty),
                }
            }
        }
    }

    /// Computes with enough bits, stores what fits, and tells whether all did.
    fn overflow(&mut self, builtin: Builtin, arguments: &[ExprId]) -> Option<Term> {
        let tree = self.tree;
        let &[a, b, pointer] = arguments else { return None };
        let target = tree.types.pointee(tree.exprs[pointer].ty)?;
        let (Kind::Bits(width), _) = scalar(&tree.types, target)? else { return None };
        let mut wide = Vec::new();
        for operand in [a, b] {
            let term = self.term(operand);
            let term = self.save(operand, Purpose::Saved, term);
            wide.push(self.int_to_width(term, tree.exprs[operand].ty, 260));
        }
        let exact = match builtin {
            Builtin::AddOverflow => self.build.arena.bv_add(wide[0], wide[1]),
            Builtin::SubOverflow => self.build.arena.bv_sub(wide[0], wide[1]),
            _ => self.build.arena.bv_mul(wide[0], wide[1]),
        };
        let cut = self.extend(exact, width, false);
        let signed = self.is_signed(target) && !planted(Fault::OverflowUnsigned);
        let back = self.extend(cut, 260, signed);
        let same = self.compare_bits(CompareOp::Equal, back, exact, signed);
        let overflow = self.build.arena.not(same);
        let overflow = self.told_by(&wide, overflow);
        let overflow = self.save(arguments[0], Purpose::Overflow, overflow);
        let class = self.points.of_expr(pointer);
        let pointer = self.value(pointer);
        let place = self.pointed(pointer, target, Some(class));
        self.write(&place, cut);
        Some(overflow)
    }
}
