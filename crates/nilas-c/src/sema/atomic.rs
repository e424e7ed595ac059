//! Atomic builtins. There is one thread, so each of them is an expression over the place that its pointer
//! names: nothing behind the type checker has to know them.

use super::{Check, Checker};
use crate::ast::{self, BinaryOp as Op};
use crate::library::catalogue::{Atomic, Operation};
use crate::source::Span;
use crate::tree::{Callee, ExprId, ExprKind, UnaryOp};
use crate::types::{FunctionType, IntKind, TypeId, TypeKind};

/// Expressions that run one after the other, before the last one gives a value.
#[derive(Default)]
struct Sequence(Vec<ExprId>);

impl Checker<'_> {
    /// An atomic operation, which the program remembers: no interrupt handler gets into it.
    pub(super) fn atomic(
        &mut self,
        operation: Atomic,
        name: &str,
        arguments: &[ast::ExprId],
        span: Span,
    ) -> Check<ExprId> {
        let whole = self.atomic_expression(operation, name, arguments, span)?;
        self.program.atomics.push(whole);
        Ok(whole)
    }

    fn atomic_expression(
        &mut self,
        operation: Atomic,
        name: &str,
        arguments: &[ast::ExprId],
        span: Span,
    ) -> Check<ExprId> {
        let values = arguments.iter().map(|&a| self.value(a)).collect::<Check<Vec<_>>>()?;
        let mut before = Sequence::default();
        match operation {
            Atomic::Fence => {
                before.0.extend(values);
                let int = self.int_type();
                let nothing = self.int_node(0, int, span);
                return Ok(self.sequence_void(before, nothing, span));
            }
            Atomic::LockFree => {
                let bool_ = self.bool_type();
                return Ok(match self.constant_int(values[0]) {
                    Some(1 | 2 | 4 | 8) => self.int_node(1, bool_, span),
                    _ => self.atomic_call(name, values, bool_, span),
                });
            }
            _ => {}
        }
        let Some(target) = self.program.types.pointee(self.type_of(values[0])) else {
            return self.fail(self.span_of(values[0]), "the first argument is no pointer");
        };
        let flag = matches!(operation, Atomic::TestAndSet)
            || (matches!(operation, Atomic::Clear) && !self.program.types.is_scalar(target));
        let (pointer, ty) = if flag {
            // A flag is one byte, whatever the pointer says.
            let byte = match self.program.types.kind(target) {
                TypeKind::Void | TypeKind::Record(_) | TypeKind::Int(IntKind::Bool) => IntKind::Bool,
                _ => IntKind::UnsignedChar,
            };
            let ty = self.program.types.int(byte);
            let to = self.program.types.pointer(ty);
            (self.cast(values[0], to, span)?, ty)
        } else {
            (values[0], self.program.types.unqualified(target))
        };
        let integral = self.program.types.int_kind(ty).is_some() || self.program.types.pointee(ty).is_some();
        let by_value = !matches!(operation, Atomic::Load | Atomic::Store | Atomic::Exchange);
        if self.program.types.size_of(ty).is_none() || (by_value && !integral) {
            let bool_ = self.bool_type();
            let result = if matches!(operation, Atomic::CompareExchange) { bool_ } else { ty };
            return Ok(self.atomic_call(name, values, result, span));
        }
        // Every operand is evaluated once, in order; memory orders and other operands behind them count for
        // their effects.
        let mut held = vec![self.hold(&mut before, pointer, span)];
        let wanted = operands(operation);
        for (number, &value) in values.iter().enumerate().skip(1) {
            if number < wanted {
                let value = match operation {
                    _ if self.program.types.pointee(self.type_of(value)).is_some()
                        && takes_pointer(operation, number) =>
                    {
                        value
                    }
                    _ => self.convert_assign(value, ty, "the argument")?,
                };
                held.push(self.hold(&mut before, value, span));
            } else if self.constant_int(value).is_none() {
                before.0.push(value);
            }
        }
        self.atomic_on(operation, ty, &held, before, span)
    }

    /// The operation, its operands being in variables.
    fn atomic_on(
        &mut self,
        operation: Atomic,
        ty: TypeId,
        held: &[ExprId],
        mut before: Sequence,
        span: Span,
    ) -> Check<ExprId> {
        let int = self.int_type();
        let bool_ = self.bool_type();
        match operation {
            Atomic::Load => {
                let value = self.at(held[0], span)?;
                let store = self.put(held[1], value, ty, span)?;
                Ok(self.sequence_void(before, store, span))
            }
            Atomic::LoadValue => {
                let value = self.at(held[0], span)?;
                Ok(self.sequence(before, value, span))
            }
            Atomic::Store => {
                let value = self.at(held[1], span)?;
                let store = self.put(held[0], value, ty, span)?;
                Ok(self.sequence_void(before, store, span))
            }
            Atomic::StoreValue => {
                let value = self.copy_of(held[1], span);
                let store = self.put(held[0], value, ty, span)?;
                Ok(self.sequence_void(before, store, span))
            }
            Atomic::Clear => {
                let zero = self.int_node(0, int, span);
                let zero = self.cast(zero, ty, span)?;
                let store = self.put(held[0], zero, ty, span)?;
                Ok(self.sequence_void(before, store, span))
            }
            Atomic::Exchange => {
                let old = self.at(held[0], span)?;
                let old = self.hold(&mut before, old, span);
                let new = self.at(held[1], span)?;
                let store = self.put(held[0], new, ty, span)?;
                before.0.push(store);
                let old = self.copy_of(old, span);
                let store = self.put(held[2], old, ty, span)?;
                Ok(self.sequence_void(before, store, span))
            }
            Atomic::ExchangeValue | Atomic::TestAndSet => {
                let old = self.at(held[0], span)?;
                let old = self.hold(&mut before, old, span);
                let new = if operation == Atomic::TestAndSet {
                    self.int_node(1, ty, span)
                } else {
                    self.copy_of(held[1], span)
                };
                let store = self.put(held[0], new, ty, span)?;
                before.0.push(store);
                let old = self.copy_of(old, span);
                let old = if operation == Atomic::TestAndSet { self.truth(old)? } else { old };
                Ok(self.sequence(before, old, span))
            }
            Atomic::CompareAndSwap | Atomic::CompareAndSwapValue => {
                let old = self.at(held[0], span)?;
                let old = self.hold(&mut before, old, span);
                let same = self.same(old, held[1], span)?;
                let new = self.copy_of(held[2], span);
                let store = self.put(held[0], new, ty, span)?;
                let nothing = self.copy_of(old, span);
                let choice = ExprKind::Conditional { condition: same, then: store, otherwise: nothing };
                let choice = self.node(choice, ty, span);
                before.0.push(choice);
                let result = if operation == Atomic::CompareAndSwap {
                    self.same(old, held[1], span)?
                } else {
                    self.copy_of(old, span)
                };
                Ok(self.sequence(before, result, span))
            }
            Atomic::CompareExchange | Atomic::CompareExchangeValue => {
                let old = self.at(held[0], span)?;
                let old = self.hold(&mut before, old, span);
                let expected = self.at(held[1], span)?;
                let expected = self.hold(&mut before, expected, span);
                let same = self.same(old, expected, span)?;
                let new = if operation == Atomic::CompareExchange {
                    self.at(held[2], span)?
                } else {
                    self.copy_of(held[2], span)
                };
                let store = self.put(held[0], new, ty, span)?;
                let found = self.copy_of(old, span);
                let tell = self.put(held[1], found, ty, span)?;
                let choice = ExprKind::Conditional { condition: same, then: store, otherwise: tell };
                let choice = self.node(choice, ty, span);
                before.0.push(choice);
                let result = self.same(old, expected, span)?;
                let result = self.convert(result, bool_, span);
                Ok(self.sequence(before, result, span))
            }
            Atomic::FetchThen(operator) | Atomic::ThenFetch(operator) => {
                let old = self.at(held[0], span)?;
                let old = self.hold(&mut before, old, span);
                let operand = self.copy_of(held[1], span);
                let new = self.computed(operator, old, operand, ty, span)?;
                let new = self.hold(&mut before, new, span);
                let value = self.copy_of(new, span);
                let store = self.put(held[0], value, ty, span)?;
                before.0.push(store);
                let result = if matches!(operation, Atomic::FetchThen(_)) { old } else { new };
                let result = self.copy_of(result, span);
                Ok(self.sequence(before, result, span))
            }
            Atomic::Fence | Atomic::LockFree => Ok(self.sequence_void(before, held[0], span)),
        }
    }

    /// `old op operand` in the type of the place; pointers count in bytes.
    fn computed(
        &mut self,
        operator: Operation,
        old: ExprId,
        operand: ExprId,
        ty: TypeId,
        span: Span,
    ) -> Check<ExprId> {
        let op = match operator {
            Operation::Add => Op::Add,
            Operation::Sub => Op::Sub,
            Operation::And | Operation::Nand => Op::BitAnd,
            Operation::Or => Op::BitOr,
            Operation::Xor => Op::BitXor,
        };
        let old = self.copy_of(old, span);
        let number =
            if self.program.types.pointee(ty).is_some() { self.program.types.size_type() } else { ty };
        let (old, operand) = (self.cast(old, number, span)?, self.cast(operand, number, span)?);
        let mut result = self.binary(op, old, operand, span)?;
        if operator == Operation::Nand {
            let promoted = self.promote(result);
            let wide = self.type_of(promoted);
            result = self.unary_node(UnaryOp::BitNot, promoted, wide, span);
        }
        let result = self.cast(result, number, span)?;
        self.cast(result, ty, span)
    }

    /// A new variable that holds a value: the assignment, and the variable.
    pub(super) fn held(&mut self, what: &str, value: ExprId, span: Span) -> (ExprId, ExprId) {
        let ty = self.type_of(value);
        let variable = self.temporary(what, ty, span);
        let target = self.node(ExprKind::Variable(variable), ty, span);
        let assign = self.node(ExprKind::Assign { target, value }, ty, span);
        (assign, self.node(ExprKind::Variable(variable), ty, span))
    }

    fn hold(&mut self, before: &mut Sequence, value: ExprId, span: Span) -> ExprId {
        let (assign, variable) = self.held("atomic", value, span);
        before.0.push(assign);
        variable
    }

    /// The value of a variable that [`Checker::held`] made.
    fn copy_of(&mut self, variable: ExprId, span: Span) -> ExprId {
        let expr = self.program.exprs[variable].clone();
        let place = self.node(expr.kind, expr.ty, span);
        self.node(ExprKind::Load(place), expr.ty, span)
    }

    /// The place that a pointer in a variable points to.
    fn place(&mut self, pointer: ExprId, span: Span) -> Check<ExprId> {
        let pointer = self.copy_of(pointer, span);
        self.deref(pointer, span)
    }

    fn at(&mut self, pointer: ExprId, span: Span) -> Check<ExprId> {
        let place = self.place(pointer, span)?;
        self.rvalue(place)
    }

    fn put(&mut self, pointer: ExprId, value: ExprId, ty: TypeId, span: Span) -> Check<ExprId> {
        let target = self.place(pointer, span)?;
        let stored = self.type_of(target);
        let stored = self.program.types.unqualified(stored);
        let value = self.convert_assign(value, stored, "the stored value")?;
        let store = self.node(ExprKind::Assign { target, value }, stored, span);
        Ok(self.convert(store, ty, span))
    }

    fn same(&mut self, one: ExprId, other: ExprId, span: Span) -> Check<ExprId> {
        let (one, other) = (self.copy_of(one, span), self.copy_of(other, span));
        let ty = self.type_of(one);
        let other = self.cast(other, ty, span)?;
        let same = self.binary(Op::Equal, one, other, span)?;
        self.truth(same)
    }

    fn sequence(&mut self, before: Sequence, mut result: ExprId, span: Span) -> ExprId {
        let ty = self.type_of(result);
        let mut first: Option<ExprId> = None;
        for expr in before.0 {
            first = Some(match first {
                None => expr,
                Some(earlier) => {
                    let ty = self.type_of(expr);
                    self.node(ExprKind::Comma(earlier, expr), ty, span)
                }
            });
        }
        if let Some(first) = first {
            result = self.node(ExprKind::Comma(first, result), ty, span);
        }
        result
    }

    fn sequence_void(&mut self, before: Sequence, last: ExprId, span: Span) -> ExprId {
        let result = self.sequence(before, last, span);
        let void = self.program.types.void();
        self.convert(result, void, span)
    }

    /// An operation on what has no value that can be compared or computed with: a call that is not modelled.
    fn atomic_call(&mut self, name: &str, values: Vec<ExprId>, result: TypeId, span: Span) -> ExprId {
        let symbol = self.symbols.intern(name);
        let function = match self.linked.get(&symbol) {
            Some(&super::scope::Entity::Function(known)) => known,
            _ => {
                let int = self.int_type();
                let function = FunctionType {
                    result: int,
                    parameters: Box::default(),
                    variadic: false,
                    prototype: false,
                };
                let ty = self.program.types.intern(TypeKind::Function(function));
                let id = self.new_function(name.to_owned(), ty, span);
                self.program.functions[id].implicit = true;
                self.linked.insert(symbol, super::scope::Entity::Function(id));
                id
            }
        };
        let callee = Callee::Function(function);
        self.node(ExprKind::Call { callee, arguments: values.into() }, result, span)
    }
}

/// How many arguments are operands.
fn operands(operation: Atomic) -> usize {
    match operation {
        Atomic::Fence | Atomic::LockFree => 0,
        Atomic::LoadValue | Atomic::TestAndSet | Atomic::Clear => 1,
        Atomic::Load
        | Atomic::Store
        | Atomic::StoreValue
        | Atomic::ExchangeValue
        | Atomic::FetchThen(_)
        | Atomic::ThenFetch(_) => 2,
        Atomic::Exchange
        | Atomic::CompareExchange
        | Atomic::CompareExchangeValue
        | Atomic::CompareAndSwap
        | Atomic::CompareAndSwapValue => 3,
    }
}

/// Whether an operand is a pointer to a value rather than the value.
fn takes_pointer(operation: Atomic, number: usize) -> bool {
    match operation {
        Atomic::Load | Atomic::Store | Atomic::Exchange | Atomic::CompareExchange => true,
        Atomic::CompareExchangeValue => number == 1,
        _ => false,
    }
}
