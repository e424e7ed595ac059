//! The `__sync_` builtins. There is one thread: they are what they do.

use crate::lower::lowering::Lowering;
use crate::lower::memory::layout::{Kind, scalar};
use crate::lower::translate::expr::Val;
use crate::lower::translate::temporary::Purpose;
use crate::tree::{BinaryOp, CompareOp, ExprId};
use nilas_term::Term;

impl Lowering<'_> {
    /// A `__sync_` builtin; `None` if it is none that is known.
    pub(in crate::lower) fn synchronised(
        &mut self,
        expr: ExprId,
        name: &str,
        arguments: &[ExprId],
        values: &[Val],
    ) -> Option<Val> {
        let tree = self.tree;
        let plain = name.strip_prefix("__sync_")?;
        if plain == "synchronize" {
            return Some(Val::Void);
        }
        let target = tree.types.pointee(tree.exprs[*arguments.first()?].ty)?;
        let (kind @ Kind::Bits(width), _) = scalar(&tree.types, target)? else { return None };
        let place = self.pointed(values.first()?.clone(), target, Some(self.points.of_expr(arguments[0])));
        let before = self.read(&place);
        let before = self.save(expr, Purpose::Before, before);
        if plain == "lock_release" {
            let zero = self.zero(kind);
            self.write(&place, zero);
            return Some(Val::Void);
        }
        let operand = |this: &mut Self, number: usize| -> Option<Term> {
            let argument = *arguments.get(number)?;
            scalar(&tree.types, tree.exprs[argument].ty)?;
            let term = this.argument_term(values.get(number)?, tree.exprs[argument].ty);
            let term = this.int_to_width(term, tree.exprs[argument].ty, width);
            Some(this.save(argument, Purpose::Operand, term))
        };
        let first = operand(self, 1)?;
        if let "val_compare_and_swap" | "bool_compare_and_swap" = plain {
            let new = operand(self, 2)?;
            let same = self.compare_bits(CompareOp::Equal, before, first, false);
            let after = self.build.arena.ite(same, new, before);
            self.write(&place, after);
            // The condition speaks of saved values only.
            return Some(Val::Scalar(if plain.starts_with("val") { before } else { same }));
        }
        if plain == "lock_test_and_set" {
            self.write(&place, first);
            return Some(Val::Scalar(before));
        }
        let old_first = plain.strip_prefix("fetch_and_");
        let operation = old_first.or_else(|| plain.strip_suffix("_and_fetch"))?;
        let after = match operation {
            "add" => self.int_binary(BinaryOp::Add, before, first, target, target),
            "sub" => self.int_binary(BinaryOp::Sub, before, first, target, target),
            "and" => self.build.arena.bv_and(before, first),
            "or" => self.build.arena.bv_or(before, first),
            "xor" => self.build.arena.bv_xor(before, first),
            "nand" => {
                let both = self.build.arena.bv_and(before, first);
                self.build.arena.bv_not(both)
            }
            _ => return None,
        };
        self.write(&place, after);
        Some(Val::Scalar(if old_first.is_some() { before } else { after }))
    }
}
