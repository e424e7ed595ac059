//! Builtins that are no functions, and the declaration of those that are.

use super::{Check, Checker};
use crate::ast;
use crate::lex::Symbol;
use crate::library::catalogue::{self, Atomic, Model, Syntax};
use crate::source::Span;
use crate::tree::{Builtin, Callee, Conversion, ExprId, ExprKind, FloatConstant, FunctionId};
use crate::types::{DataModel, FloatKind, FunctionType, IntKind, Qualifiers, TypeId, TypeKind};
use num_bigint::BigUint;

impl Checker<'_> {
    /// Declares a library function or `__builtin_` function that GCC knows on its first use.
    pub(super) fn library_function(&mut self, symbol: Symbol, text: &str, span: Span) -> Option<FunctionId> {
        let row = catalogue::row(text).filter(|row| row.builtin)?;
        let (result, parameters) = row.signature.split_once(':')?;
        let result = self.letter_type(result.chars().next()?);
        let (count, variadic) = row.parameters();
        let parameters = parameters.chars().take(count).map(|letter| self.letter_type(letter)).collect();
        let function = FunctionType { result, parameters, variadic, prototype: true };
        let ty = self.program.types.intern(TypeKind::Function(function));
        if !row.reserved {
            self.warn(span, format!("the function `{text}` is used without a declaration"));
        }
        let id = self.implicit(symbol, text, ty, span);
        self.program.functions[id].noreturn = row.noreturn;
        Some(id)
    }

    fn letter_type(&mut self, letter: char) -> TypeId {
        let types = &mut self.program.types;
        let constant = Qualifiers { is_const: true, ..Qualifiers::default() };
        match letter {
            'v' => types.void(),
            'u' => types.int(IntKind::UnsignedInt),
            'b' => types.int(IntKind::Bool),
            'c' => types.int(types.model().char_kind()),
            'h' => types.int(IntKind::UnsignedShort),
            'l' => types.int(IntKind::Long),
            'L' => types.int(IntKind::UnsignedLong),
            'q' => types.int(IntKind::LongLong),
            'Q' => types.int(IntKind::UnsignedLongLong),
            'j' => types.int(widest(types.model(), true)),
            'J' => types.int(widest(types.model(), false)),
            'z' => types.size_type(),
            'f' => types.float(FloatKind::Float),
            'd' => types.float(FloatKind::Double),
            'D' => types.float(types.model().target().long_double),
            'p' | 'P' | 's' | 'S' => {
                let target = if letter.eq_ignore_ascii_case(&'p') {
                    types.void()
                } else {
                    types.int(types.model().char_kind())
                };
                let target =
                    if letter.is_ascii_uppercase() { types.qualified(target, constant) } else { target };
                types.pointer(target)
            }
            _ => types.int(IntKind::Int),
        }
    }

    /// A call of a builtin that is no function; `None` if the name is none.
    pub(super) fn builtin_call(
        &mut self,
        name: &str,
        arguments: &[ast::ExprId],
        span: Span,
    ) -> Check<Option<ExprId>> {
        let Some(Model::Checker(syntax)) = catalogue::row(name).map(|row| row.model) else { return Ok(None) };
        let (least, most) = argument_counts(syntax);
        if arguments.len() < least || arguments.len() > most {
            let given = arguments.len();
            return self.fail(span, format!("`{name}` takes {least} arguments, but {given} are given"));
        }
        let int = self.int_type();
        let void = self.program.types.void();
        let result = match syntax {
            Syntax::Atomic(operation) => self.atomic(operation, name, arguments, span)?,
            Syntax::Infinity(kind) => self.infinity(kind, span),
            Syntax::Nan { kind, signalling } => self.nan(kind, signalling, arguments[0], span)?,
            Syntax::TypeGeneric => self.type_generic(arguments, span)?,
            Syntax::Unreachable => self.builtin_node(Builtin::Unreachable, Vec::new(), void, span),
            Syntax::Trap => self.builtin_node(Builtin::Trap, Vec::new(), void, span),
            Syntax::VaStart | Syntax::VaEnd | Syntax::VaCopy => {
                let kind = match syntax {
                    Syntax::VaStart => Builtin::VaStart,
                    Syntax::VaEnd => Builtin::VaEnd,
                    _ => Builtin::VaCopy,
                };
                let lists = if kind == Builtin::VaStart { &arguments[..1] } else { arguments };
                let lists = lists.iter().map(|&a| self.expr(a)).collect::<Check<Vec<_>>>()?;
                self.builtin_node(kind, lists, void, span)
            }
            Syntax::Expect => {
                let value = self.value(arguments[0])?;
                self.value(arguments[1])?;
                let long = self.program.types.int(IntKind::Long);
                self.convert_assign(value, long, "the argument")?
            }
            Syntax::ConstantP => {
                let value = self.value(arguments[0])?;
                let constant = self.constant_int(value).is_some()
                    || matches!(self.kind_of(value), ExprKind::Float(_))
                    || matches!(*self.kind_of(value), ExprKind::ArrayDecay(s) if matches!(self.kind_of(s), ExprKind::String(_)));
                self.int_node(i128::from(constant), int, span)
            }
            Syntax::ClassifyType => {
                let value = self.value(arguments[0])?;
                let ty = self.type_of(value);
                let class = match self.program.types.kind(ty) {
                    TypeKind::Float(_) => 8,
                    TypeKind::Pointer(_) => 5,
                    TypeKind::Record(_) => 12,
                    TypeKind::Void => 0,
                    _ => 1,
                };
                self.int_node(class, int, span)
            }
            Syntax::Overflow(builtin, kind) => {
                let values = arguments.iter().map(|&a| self.value(a)).collect::<Check<Vec<_>>>()?;
                self.overflow(builtin, kind, &values, span)?
            }
            Syntax::OverflowPredicate(builtin) => {
                let values = arguments.iter().map(|&a| self.value(a)).collect::<Check<Vec<_>>>()?;
                // What the third argument holds does not matter, only its type: a place of that type takes
                // the result.
                let (_, place) = self.held("overflow", values[2], span);
                let ty = self.type_of(values[2]);
                let pointer = self.program.types.pointer(ty);
                let address = self.node(ExprKind::AddressOf(place), pointer, span);
                self.overflow(builtin, None, &[values[0], values[1], address], span)?
            }
            Syntax::FpClassify => {
                let mut values = Vec::new();
                for &argument in &arguments[..5] {
                    let value = self.value(argument)?;
                    values.push(self.convert_assign(value, int, "the argument")?);
                }
                values.push(self.float_argument(arguments[5])?);
                self.builtin_node(Builtin::FpClassify, values, int, span)
            }
            Syntax::Classify(builtin) => self.classification(builtin, arguments, span)?,
        };
        Ok(Some(result))
    }

    fn builtin_node(&mut self, builtin: Builtin, arguments: Vec<ExprId>, ty: TypeId, span: Span) -> ExprId {
        self.node(ExprKind::Builtin { builtin, arguments: arguments.into() }, ty, span)
    }

    fn float_argument(&mut self, argument: ast::ExprId) -> Check<ExprId> {
        let value = self.value(argument)?;
        let span = self.span_of(value);
        match self.program.types.kind(self.type_of(value)) {
            TypeKind::Float(_) => Ok(value),
            TypeKind::Int(_) | TypeKind::Enum(_) => {
                let double = self.program.types.float(FloatKind::Double);
                Ok(self.convert(value, double, span))
            }
            _ => self.fail(span, "the argument must be a floating number"),
        }
    }

    fn classification(&mut self, builtin: Builtin, arguments: &[ast::ExprId], span: Span) -> Check<ExprId> {
        let int = self.int_type();
        let mut values = arguments.iter().map(|&a| self.float_argument(a)).collect::<Check<Vec<_>>>()?;
        if let [lhs, rhs] = values[..]
            && let Some((lhs, rhs, _)) = self.usual(lhs, rhs)
        {
            values = vec![lhs, rhs];
        }
        Ok(self.builtin_node(builtin, values, int, span))
    }

    /// Operands of any integer types, or converted to the one that the builtin is for.
    fn overflow(
        &mut self,
        builtin: Builtin,
        kind: Option<IntKind>,
        values: &[ExprId],
        span: Span,
    ) -> Check<ExprId> {
        let mut values = values.to_vec();
        if let Some(kind) = kind {
            let ty = self.program.types.int(kind);
            let pointer = self.program.types.pointer(ty);
            for (value, ty) in values.iter_mut().zip([ty, ty, pointer]) {
                *value = self.convert_assign(*value, ty, "the argument")?;
            }
        }
        let types = &self.program.types;
        let integers = values[..2].iter().all(|&v| types.int_kind(self.type_of(v)).is_some());
        let pointer = types.pointee(self.type_of(values[2])).is_some_and(|to| types.int_kind(to).is_some());
        if !integers || !pointer {
            return self.fail(span, "the arguments are two integers and a pointer to an integer");
        }
        let bool_ = self.bool_type();
        Ok(self.builtin_node(builtin, values, bool_, span))
    }

    fn infinity(&mut self, kind: FloatKind, span: Span) -> ExprId {
        let ty = self.program.types.float(kind);
        self.node(ExprKind::Float(FloatConstant::Infinity), ty, span)
    }

    fn nan(&mut self, kind: FloatKind, signalling: bool, text: ast::ExprId, span: Span) -> Check<ExprId> {
        let text = self.value(text)?;
        let Some(payload) = self.nan_payload(text) else {
            return self.fail(span, "the payload of a NaN must be the text of a number");
        };
        let ty = self.program.types.float(kind);
        Ok(self.node(ExprKind::Float(FloatConstant::Nan { signalling, payload }), ty, span))
    }

    /// The number that a string literal holds, as C writes it; 0 if it is empty.
    fn nan_payload(&self, text: ExprId) -> Option<BigUint> {
        let mut text = text;
        while let ExprKind::ArrayDecay(inner) | ExprKind::Convert { operand: inner, .. } = *self.kind_of(text)
        {
            text = inner;
        }
        let ExprKind::String(string) = *self.kind_of(text) else { return None };
        let digits: String =
            self.program.strings[string].units.iter().map(|&u| char::from_u32(u)).collect::<Option<_>>()?;
        let (digits, radix) = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            Some(digits) => (digits, 16),
            None if digits.starts_with('0') => (&digits[..], 8),
            None if digits.is_empty() => return Some(BigUint::default()),
            None => (&digits[..], 10),
        };
        BigUint::parse_bytes(digits.as_bytes(), radix)
    }

    /// `__builtin_tgmath(f1, f2, …, a1, …)`: calls the function whose type fits the widest argument.
    fn type_generic(&mut self, arguments: &[ast::ExprId], span: Span) -> Check<ExprId> {
        let values = arguments.iter().map(|&a| self.value(a)).collect::<Check<Vec<_>>>()?;
        let function_of = |this: &Self, value: ExprId| {
            this.program
                .types
                .pointee(this.type_of(value))
                .and_then(|to| this.program.types.as_function(to).cloned())
        };
        let functions: Vec<(ExprId, FunctionType)> =
            values.iter().map_while(|&v| function_of(self, v).map(|f| (v, f))).collect();
        let operands = &values[functions.len()..];
        let kinds = operands.iter().map(|&v| self.program.types.float_kind(self.type_of(v)));
        let widest = kinds.map(|kind| kind.unwrap_or(FloatKind::Double)).max().unwrap_or(FloatKind::Double);
        let chosen = functions.iter().find(|(_, function)| {
            let first = function.parameters.first().and_then(|&p| self.program.types.float_kind(p));
            first == Some(widest) && function.parameters.len() == operands.len()
        });
        let Some((pointer, function)) = chosen.cloned() else {
            return self.fail(span, "no function of this type-generic macro fits the arguments");
        };
        let mut converted = Vec::new();
        for (&operand, &parameter) in operands.iter().zip(&function.parameters) {
            converted.push(self.convert_assign(operand, parameter, "the argument")?);
        }
        let callee = match *self.kind_of(pointer) {
            ExprKind::FunctionDecay(designator) => match *self.kind_of(designator) {
                ExprKind::Function(function) => Callee::Function(function),
                _ => Callee::Pointer(pointer),
            },
            _ => Callee::Pointer(pointer),
        };
        Ok(self.node(ExprKind::Call { callee, arguments: converted.into() }, function.result, span))
    }

    pub(super) fn va_arg(&mut self, list: ast::ExprId, ty: &ast::TypeName, span: Span) -> Check<ExprId> {
        let list = self.expr(list)?;
        let ty = self.type_name(ty)?;
        let ty = self.program.types.unqualified(ty);
        if self.program.types.size_of(ty).is_none() {
            let shown = self.show(ty);
            return self.fail(span, format!("`va_arg` of the incomplete type `{shown}`"));
        }
        if self.program.types.is_void(ty) {
            let void = self.program.types.void();
            let dropped = ExprKind::Convert { conversion: Conversion::ToVoid, operand: list };
            return Ok(self.node(dropped, void, span));
        }
        Ok(self.node(ExprKind::VaArg(list), ty, span))
    }
}

/// `intmax_t` and `uintmax_t`.
fn widest(model: DataModel, signed: bool) -> IntKind {
    match (model.is_narrow(), signed) {
        (false, true) => IntKind::Long,
        (false, false) => IntKind::UnsignedLong,
        (_, true) => IntKind::LongLong,
        (_, false) => IntKind::UnsignedLongLong,
    }
}

/// The least and the largest number of arguments.
fn argument_counts(syntax: Syntax) -> (usize, usize) {
    match syntax {
        Syntax::Unreachable | Syntax::Trap | Syntax::Infinity(_) => (0, 0),
        Syntax::VaEnd | Syntax::ConstantP | Syntax::ClassifyType | Syntax::Nan { .. } => (1, 1),
        // C23 leaves the last parameter out.
        Syntax::VaStart => (1, 2),
        Syntax::VaCopy => (2, 2),
        Syntax::Expect => (2, 3),
        Syntax::Overflow(..) | Syntax::OverflowPredicate(_) => (3, 3),
        Syntax::FpClassify => (6, 6),
        Syntax::TypeGeneric => (1, usize::MAX),
        Syntax::Classify(builtin) => match builtin {
            Builtin::IsNan
            | Builtin::IsInf
            | Builtin::IsInfSign
            | Builtin::IsFinite
            | Builtin::IsNormal
            | Builtin::SignBit => (1, 1),
            _ => (2, 2),
        },
        Syntax::Atomic(operation) => match operation {
            Atomic::Fence => (0, 1),
            Atomic::Clear => (1, usize::MAX),
            Atomic::LoadValue | Atomic::TestAndSet | Atomic::LockFree => (2, 2),
            Atomic::FetchThen(_) | Atomic::ThenFetch(_) | Atomic::ExchangeValue => (2, usize::MAX),
            Atomic::CompareAndSwap | Atomic::CompareAndSwapValue => (3, usize::MAX),
            Atomic::Load | Atomic::Store | Atomic::StoreValue => (3, 3),
            Atomic::Exchange => (4, 4),
            Atomic::CompareExchange | Atomic::CompareExchangeValue => (6, 6),
        },
    }
}
