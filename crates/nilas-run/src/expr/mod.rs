//! Expressions.
//!
//! [`Machine::eval`] gives the value of an expression, [`Machine::place_of`] the place that an lvalue
//! designates.

mod access;
mod arithmetic;
mod assign;
mod builtin;
mod compare;
mod convert;
pub(crate) mod order;
mod place;
mod pointer;

pub(crate) use place::Location;

use crate::float;
use crate::machine::{Eval, Flow, Machine, Stop};
use crate::undefined::UndefinedKind;
use crate::value::{Shape, Value};
use nilas_c::tree::{ExprId, ExprKind, UnaryOp};

impl Machine<'_> {
    /// The value of an expression.
    pub(crate) fn eval(&mut self, expr: ExprId) -> Eval<Value> {
        self.step()?;
        let program = self.program;
        let node = &program.exprs[expr];
        if !self.early.is_empty()
            && let Some(at) = self.early.iter().rposition(|(early, _)| *early == expr)
        {
            return Ok(self.early.swap_remove(at).1);
        }
        match &node.kind {
            ExprKind::Int(value) => Ok(Value::Int(*value)),
            ExprKind::Float(constant) => match self.shape(node.ty) {
                Shape::Float(kind) => Ok(Value::Float(float::constant(kind, constant))),
                _ => self.unsupported("a constant of this type"),
            },
            ExprKind::Load(lvalue) => {
                let value = self.load_from(*lvalue)?;
                if self.tracer.is_some() {
                    self.trace_part(expr, &value);
                }
                Ok(value)
            }
            ExprKind::AddressOf(lvalue) | ExprKind::ArrayDecay(lvalue) => self.address_of(*lvalue),
            ExprKind::FunctionDecay(designator) => self.function_pointer(*designator),
            ExprKind::Address { base, offset } => self.address_constant(*base, *offset),
            ExprKind::LabelAddress(label) => self.label_pointer(*label),
            ExprKind::Convert { conversion, operand } => self.convert(*conversion, *operand, node.ty, expr),
            ExprKind::Unary { op, operand } => {
                let value = self.eval(*operand)?;
                self.here = node.span;
                self.unary(*op, &value, node.ty)
            }
            ExprKind::Not(condition) => Ok(Value::Int(i128::from(!self.condition(*condition)?))),
            ExprKind::Binary { op, lhs, rhs } => {
                let (left, right) = self.operands(expr, *lhs, *rhs)?;
                self.here = node.span;
                self.binary(*op, &left, &right, node.ty, program.exprs[*rhs].ty)
            }
            ExprKind::Compare { op, lhs, rhs } => {
                let (left, right) = self.operands(expr, *lhs, *rhs)?;
                self.here = node.span;
                self.compare(*op, &left, &right, program.exprs[*lhs].ty)
            }
            ExprKind::PointerOffset { pointer, index, scale, negate } => {
                let followed = self.followed.take() == Some(expr);
                let (pointer_value, index_value) = self.operands(expr, *pointer, *index)?;
                let scale = self.scale(*scale)?;
                self.here = node.span;
                if !*negate && self.seeks(UndefinedKind::IndexOutOfArray) {
                    self.check_index(*pointer, index_value.int(), followed)?;
                } else if !*negate
                    && (self.footprints.is_watching() || self.tracer.is_some())
                    && let index = index_value.int()
                    && let Some(length) = self.left_array(*pointer, index, followed)
                {
                    self.footprints.note_index(index, length);
                    self.trace_undefined(|| pointer::outside_of_array(index, length));
                }
                self.pointer_offset(pointer_value.pointer(), index_value.int(), scale, *negate)
            }
            ExprKind::PointerDifference { lhs, rhs, scale } => {
                let (left, right) = self.operands(expr, *lhs, *rhs)?;
                let scale = self.scale(*scale)?;
                self.here = node.span;
                self.pointer_difference(left.pointer(), right.pointer(), scale)
            }
            ExprKind::And(lhs, rhs) => {
                let holds = self.sequenced_condition(*lhs)? && self.condition(*rhs)?;
                Ok(Value::Int(i128::from(holds)))
            }
            ExprKind::Or(lhs, rhs) => {
                let holds = self.sequenced_condition(*lhs)? || self.condition(*rhs)?;
                Ok(Value::Int(i128::from(holds)))
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let unused = self.discarded.take() == Some(expr);
                let chosen = if self.sequenced_condition(*condition)? { *then } else { *otherwise };
                self.discarded = unused.then_some(chosen);
                self.eval_any(chosen)
            }
            ExprKind::Comma(first, second) => {
                let unused = self.discarded.take() == Some(expr);
                let start = self.footprints.start();
                self.discarded = Some(*first);
                self.eval_any(*first)?;
                self.footprints.complete(start);
                self.discarded = unused.then_some(*second);
                self.eval_any(*second)
            }
            ExprKind::Assign { target, value } => self.assign(expr, *target, *value),
            ExprKind::Update { target, value, postfix, .. } => self.update(expr, *target, *value, *postfix),
            ExprKind::Old => match self.old.last() {
                Some(value) => Ok(value.clone()),
                None => self.unsupported("an update outside of one"),
            },
            ExprKind::Call { callee, arguments } => self.call_expression(expr, *callee, arguments),
            ExprKind::Builtin { builtin, arguments } => {
                self.here = node.span;
                self.builtin(expr, *builtin, arguments)
            }
            ExprKind::VaArg(list) => self.next_argument(*list, node.ty, node.span),
            ExprKind::Statement { block, value } => self.statement_expression(*block, *value),
            ExprKind::Variable(_)
            | ExprKind::String(_)
            | ExprKind::CompoundLiteral(_)
            | ExprKind::Materialise { .. }
            | ExprKind::Deref(_)
            | ExprKind::Member { .. } => self.load_from(expr),
            ExprKind::Function(_) => self.function_pointer(expr),
        }
    }

    /// The pointer to an lvalue.
    fn address_of(&mut self, lvalue: ExprId) -> Eval<Value> {
        match self.program.exprs[lvalue].kind {
            // `&*p` and `&a[i]` access nothing (6.5.3.2p3).
            ExprKind::Deref(pointer) => self.eval(pointer),
            _ => Ok(Value::Pointer(self.place_of(lvalue)?.pointer)),
        }
    }

    /// Evaluates an expression for its effects or its value: an lvalue of a type that is never read as a
    /// whole is only found, others are evaluated.
    pub(crate) fn eval_any(&mut self, expr: ExprId) -> Eval<Value> {
        let node = &self.program.exprs[expr];
        if node.kind.is_lvalue() {
            if matches!(self.shape(node.ty), Shape::Aggregate(_)) {
                return self.load_from(expr);
            }
            self.place_of(expr)?;
            return Ok(Value::Void);
        }
        self.eval(expr)
    }

    /// Whether a condition holds.
    pub(crate) fn condition(&mut self, expr: ExprId) -> Eval<bool> {
        let value = self.eval(expr)?;
        let holds = self.truth(&value, expr);
        self.met(expr, holds);
        Ok(holds)
    }

    fn truth(&self, value: &Value, expr: ExprId) -> bool {
        match value {
            Value::Int(value) => *value != 0,
            Value::Pointer(pointer) => !pointer.is_null(),
            Value::Float(bits) => match self.shape(self.program.exprs[expr].ty) {
                Shape::Float(kind) => !float::is_zero(kind, *bits),
                _ => *bits != 0,
            },
            Value::Void | Value::Bytes(_) => false,
        }
    }

    /// A condition with a sequence point behind it.
    fn sequenced_condition(&mut self, expr: ExprId) -> Eval<bool> {
        let start = self.footprints.start();
        let holds = self.condition(expr)?;
        self.footprints.complete(start);
        Ok(holds)
    }

    fn unary(&mut self, op: UnaryOp, value: &Value, ty: nilas_c::types::TypeId) -> Eval<Value> {
        match (op, self.shape(ty)) {
            (UnaryOp::Negate, Shape::Float(kind)) => Ok(Value::Float(float::negate(kind, value.bits()))),
            (UnaryOp::Negate, shape) => self.negate(value.int(), shape),
            (UnaryOp::BitNot, shape) => Ok(self.chosen(shape, !value.int())),
        }
    }

    /// `({ … })`
    fn statement_expression(&mut self, block: nilas_c::tree::StmtId, value: Option<ExprId>) -> Eval<Value> {
        if !self.has_stack() {
            return self.out_of_stack("a statement expression");
        }
        let start = self.footprints.start();
        let (flow, result) = self.block_with_value(block, value)?;
        self.footprints.complete(start);
        match flow {
            Flow::Next => Ok(result),
            flow => Err(Box::new(Stop::Jump(flow))),
        }
    }
}
