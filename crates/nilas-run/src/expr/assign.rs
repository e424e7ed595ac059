//! Assignments.

use crate::machine::{Eval, Machine};
use crate::undefined::UndefinedKind;
use crate::value::{Shape, Value, wrap};
use nilas_c::index::Id;
use nilas_c::tree::{ExprId, ExprKind, VarRole};
use nilas_c::types::{BitRange, TypeId};

impl Machine<'_> {
    /// `target = value`
    pub(super) fn assign(&mut self, expr: ExprId, target: ExprId, value: ExprId) -> Eval<Value> {
        let program = self.program;
        let watched = self.watch_assignment(expr);
        let first = self.footprints.start();
        let value_first = self.other_order(expr, target, value)?;
        let early = if value_first { Some(self.eval(value)?) } else { None };
        let between = self.footprints.start();
        let place = self.place_of(target)?;
        let second = if value_first { between } else { self.footprints.start() };
        let value_of = match early {
            Some(value) => value,
            None => self.eval(value)?,
        };
        let node = &program.exprs[target];
        self.here = program.exprs[expr].span;
        if let ExprKind::Variable(variable) = node.kind
            && program.variables[variable].role == VarRole::Length
        {
            self.check_length(value, &value_of)?;
        }
        let stored = self.footprints.start();
        self.trace_target(target, place.pointer.provenance);
        self.store_at(place, node.ty, &value_of)?;
        if let Some(start) = watched {
            self.check_assignment(expr, start, &[first, second], stored)?;
        }
        Ok(self.held(value_of, place.bits, node.ty))
    }

    /// The length of an array of variable length is set.
    fn check_length(&mut self, value: ExprId, length: &Value) -> Eval<()> {
        let length = match self.program.exprs[value].kind {
            // A negative number is converted to `size_t`.
            ExprKind::Convert { operand, .. } => match self.shape(self.program.exprs[operand].ty) {
                Shape::Int { size, signed: true } => wrap(length.int(), u32::from(size) * 8, true),
                _ => length.int(),
            },
            _ => length.int(),
        };
        if length > 0 {
            return Ok(());
        }
        let sentence = format!("an array of length {length}");
        if length < 0 {
            return self.undefined(UndefinedKind::ArrayLength, sentence, None);
        }
        self.lenient(UndefinedKind::ArrayLength, |_| sentence, None)
    }

    /// What a place holds after a store.
    fn held(&self, value: Value, bits: Option<BitRange>, ty: TypeId) -> Value {
        match bits {
            Some(bits) => {
                let signed = matches!(self.shape(ty), Shape::Int { signed: true, .. });
                Value::Int(wrap(value.int(), bits.width, signed))
            }
            None => value,
        }
    }

    /// `target op= …`, `++`, `--`
    pub(super) fn update(
        &mut self,
        expr: ExprId,
        target: ExprId,
        value: ExprId,
        postfix: bool,
    ) -> Eval<Value> {
        let program = self.program;
        let watched = self.watch_assignment(expr);
        let first = self.footprints.start();
        // As gcc does, functions that the right side calls run first, unless a chooser says otherwise.
        let right = self.right_side(value).filter(|_| self.tables.effects[value.index()].calls);
        let target_first = right.is_some() && self.other_order(expr, target, value)?;
        let early_place = if target_first { Some(self.place_of(target)?) } else { None };
        let second = self.footprints.start();
        if let Some(right) = right {
            let early = self.eval(right)?;
            self.early.push((right, early));
        }
        let second = if target_first { second } else { self.footprints.start() };
        let place = match early_place {
            Some(place) => place,
            None => self.place_of(target)?,
        };
        let node = &program.exprs[target];
        self.here = node.span;
        let old = self.load_at(place, target)?;
        let third = self.footprints.start();
        self.old.push(old);
        let new = self.eval(value);
        let old = self.old.pop().unwrap_or(Value::Void);
        let new = new?;
        self.here = program.exprs[expr].span;
        let stored = self.footprints.start();
        self.trace_target(target, place.pointer.provenance);
        self.store_at(place, node.ty, &new)?;
        if let Some(start) = watched {
            self.check_assignment(expr, start, &[first, second, third], stored)?;
        }
        Ok(if postfix { old } else { self.held(new, place.bits, node.ty) })
    }

    /// The right operand of the operator inside of an update.
    fn right_side(&self, mut value: ExprId) -> Option<ExprId> {
        loop {
            match self.program.exprs[value].kind {
                ExprKind::Convert { operand, .. } => value = operand,
                ExprKind::Binary { rhs, .. } => return Some(rhs),
                ExprKind::PointerOffset { index, .. } => return Some(index),
                _ => return None,
            }
        }
    }
}
