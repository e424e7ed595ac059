//! Builtins that are no functions, and the declaration of those that are.

use super::builtin_table::signature;
use super::scope::Entity;
use super::{Check, Checker};
use crate::ast;
use crate::lex::Symbol;
use crate::source::Span;
use crate::tree::{Builtin, Callee, Conversion, ExprId, ExprKind, FloatConstant, FunctionId};
use crate::types::{FloatKind, FunctionType, IntKind, Qualifiers, TypeId, TypeKind};
use num_bigint::BigUint;

impl Checker<'_> {
    /// Declares a library function or `__builtin_` function of known type on its first use.
    pub(super) fn library_function(&mut self, symbol: Symbol, text: &str, span: Span) -> Option<FunctionId> {
        let signature = signature(text)?;
        let (result, parameters) = signature.split_once(':')?;
        let result = self.letter_type(result.chars().next()?);
        let variadic = parameters.ends_with('.');
        let parameters =
            parameters.chars().filter(|&c| c != '.').map(|letter| self.letter_type(letter)).collect();
        let function = FunctionType { result, parameters, variadic, prototype: true };
        let ty = self.program.types.intern(TypeKind::Function(function));
        if !text.starts_with("__builtin_") {
            self.warn(span, format!("the function `{text}` is used without a declaration"));
        }
        let id = self.implicit(symbol, text, ty, span);
        let plain = text.strip_prefix("__builtin_").unwrap_or(text);
        self.program.functions[id].noreturn =
            matches!(plain, "abort" | "exit" | "_exit" | "_Exit" | "longjmp");
        Some(id)
    }

    fn letter_type(&mut self, letter: char) -> TypeId {
        let types = &mut self.program.types;
        let constant = Qualifiers { is_const: true, ..Qualifiers::default() };
        match letter {
            'v' => types.void(),
            'u' => types.int(IntKind::UnsignedInt),
            'h' => types.int(IntKind::UnsignedShort),
            'l' => types.int(IntKind::Long),
            'L' => types.int(IntKind::UnsignedLong),
            'q' => types.int(IntKind::LongLong),
            'Q' => types.int(IntKind::UnsignedLongLong),
            'z' => types.size_type(),
            'f' => types.float(FloatKind::Float),
            'd' => types.float(FloatKind::Double),
            'D' => types.float(FloatKind::LongDouble),
            'p' | 'P' | 's' | 'S' => {
                let target =
                    if letter.eq_ignore_ascii_case(&'p') { types.void() } else { types.int(IntKind::Char) };
                let target =
                    if letter.is_ascii_uppercase() { types.qualified(target, constant) } else { target };
                types.pointer(target)
            }
            _ => types.int(IntKind::Int),
        }
    }

    /// A call of a builtin with rules of its own; `None` if the name is none.
    pub(super) fn builtin_call(
        &mut self,
        name: &str,
        arguments: &[ast::ExprId],
        span: Span,
    ) -> Check<Option<ExprId>> {
        let known = ["__builtin_", "__sync_", "__atomic_"].iter().any(|prefix| name.starts_with(prefix));
        if !known {
            return Ok(None);
        }
        let Some(plain) = name.strip_prefix("__builtin_") else {
            return self.unknown_builtin(name, arguments, span).map(Some);
        };
        if let Some(constant) = self.float_builtin(plain, arguments, span)? {
            return Ok(Some(constant));
        }
        let count = match plain {
            "unreachable" | "trap" => 0,
            "va_end" | "constant_p" | "isnan" | "isinf" | "isinf_sign" | "isfinite" | "isnormal"
            | "signbit" | "classify_type" => 1,
            "va_start" | "va_copy" | "expect" | "isgreater" | "isgreaterequal" | "isless" | "islessequal"
            | "islessgreater" | "isunordered" => 2,
            "expect_with_probability" | "add_overflow" | "sub_overflow" | "mul_overflow" => 3,
            "fpclassify" => 6,
            _ if signature(name).is_some() => return Ok(None),
            "tgmath" => return self.type_generic(arguments, span).map(Some),
            _ => return self.unknown_builtin(name, arguments, span).map(Some),
        };
        // `va_start` may leave out the last parameter in C23.
        if arguments.len() != count && !(plain == "va_start" && arguments.len() == 1) {
            let given = arguments.len();
            return self.fail(span, format!("`{name}` takes {count} arguments, but {given} are given"));
        }
        let int = self.int_type();
        let void = self.program.types.void();
        let result = match plain {
            "unreachable" => self.builtin_node(Builtin::Unreachable, Vec::new(), void, span),
            "trap" => self.builtin_node(Builtin::Trap, Vec::new(), void, span),
            "va_start" | "va_end" | "va_copy" => {
                let kind = match plain {
                    "va_start" => Builtin::VaStart,
                    "va_end" => Builtin::VaEnd,
                    _ => Builtin::VaCopy,
                };
                let lists = if kind == Builtin::VaStart { &arguments[..1] } else { arguments };
                let lists = lists.iter().map(|&a| self.expr(a)).collect::<Check<Vec<_>>>()?;
                self.builtin_node(kind, lists, void, span)
            }
            "expect" | "expect_with_probability" => {
                let value = self.value(arguments[0])?;
                self.value(arguments[1])?;
                let long = self.program.types.int(IntKind::Long);
                self.convert_assign(value, long, "the argument")?
            }
            "constant_p" => {
                let value = self.value(arguments[0])?;
                let constant = self.constant_int(value).is_some()
                    || matches!(self.kind_of(value), ExprKind::Float(_))
                    || matches!(*self.kind_of(value), ExprKind::ArrayDecay(s) if matches!(self.kind_of(s), ExprKind::String(_)));
                self.int_node(i128::from(constant), int, span)
            }
            "classify_type" => {
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
            "add_overflow" => self.overflow(Builtin::AddOverflow, arguments, span)?,
            "sub_overflow" => self.overflow(Builtin::SubOverflow, arguments, span)?,
            "mul_overflow" => self.overflow(Builtin::MulOverflow, arguments, span)?,
            "fpclassify" => {
                let mut values = Vec::new();
                for &argument in &arguments[..5] {
                    let value = self.value(argument)?;
                    values.push(self.convert_assign(value, int, "the argument")?);
                }
                values.push(self.float_argument(arguments[5])?);
                self.builtin_node(Builtin::FpClassify, values, int, span)
            }
            _ => self.classification(plain, arguments, span)?,
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

    fn classification(&mut self, plain: &str, arguments: &[ast::ExprId], span: Span) -> Check<ExprId> {
        let builtin = match plain {
            "isnan" => Builtin::IsNan,
            "isinf" => Builtin::IsInf,
            "isinf_sign" => Builtin::IsInfSign,
            "isfinite" => Builtin::IsFinite,
            "isnormal" => Builtin::IsNormal,
            "signbit" => Builtin::SignBit,
            "isgreater" => Builtin::IsGreater,
            "isgreaterequal" => Builtin::IsGreaterEqual,
            "isless" => Builtin::IsLess,
            "islessequal" => Builtin::IsLessEqual,
            "islessgreater" => Builtin::IsLessGreater,
            _ => Builtin::IsUnordered,
        };
        let int = self.int_type();
        let mut values = arguments.iter().map(|&a| self.float_argument(a)).collect::<Check<Vec<_>>>()?;
        if let [lhs, rhs] = values[..]
            && let Some((lhs, rhs, _)) = self.usual(lhs, rhs)
        {
            values = vec![lhs, rhs];
        }
        Ok(self.builtin_node(builtin, values, int, span))
    }

    fn overflow(&mut self, builtin: Builtin, arguments: &[ast::ExprId], span: Span) -> Check<ExprId> {
        let values = arguments.iter().map(|&a| self.value(a)).collect::<Check<Vec<_>>>()?;
        let types = &self.program.types;
        let integers = values[..2].iter().all(|&v| types.int_kind(self.type_of(v)).is_some());
        let pointer = types.pointee(self.type_of(values[2])).is_some_and(|to| types.int_kind(to).is_some());
        if !integers || !pointer {
            return self.fail(span, "the arguments are two integers and a pointer to an integer");
        }
        let bool_ = self.bool_type();
        Ok(self.builtin_node(builtin, values, bool_, span))
    }

    /// `__builtin_inf`, `__builtin_huge_val`, `__builtin_nan` with all suffixes.
    fn float_builtin(&mut self, plain: &str, arguments: &[ast::ExprId], span: Span) -> Check<Option<ExprId>> {
        let (stem, kind) = match plain {
            "inf" | "huge_val" | "nan" | "nans" => (plain, FloatKind::Double),
            _ => {
                let suffixes = [
                    ("f128", FloatKind::Float128),
                    ("f64x", FloatKind::LongDouble),
                    ("f32x", FloatKind::Double),
                    ("f64", FloatKind::Double),
                    ("f32", FloatKind::Float),
                    ("q", FloatKind::Float128),
                    ("f", FloatKind::Float),
                    ("l", FloatKind::LongDouble),
                ];
                match suffixes.iter().find_map(|(suffix, kind)| Some((plain.strip_suffix(suffix)?, *kind))) {
                    Some(found) => found,
                    None => return Ok(None),
                }
            }
        };
        if !matches!(stem, "inf" | "huge_val" | "nan" | "nans") {
            return Ok(None);
        }
        let values = arguments.iter().map(|&a| self.value(a)).collect::<Check<Vec<_>>>()?;
        let constant = match (stem, &values[..]) {
            ("nan" | "nans", &[text]) => match self.nan_payload(text) {
                Some(payload) => FloatConstant::Nan { signalling: stem == "nans", payload },
                None => return self.fail(span, "the payload of a NaN must be the text of a number"),
            },
            ("inf" | "huge_val", []) => FloatConstant::Infinity,
            _ => return self.fail(span, format!("`__builtin_{plain}` has other arguments")),
        };
        let ty = self.program.types.float(kind);
        Ok(Some(self.node(ExprKind::Float(constant), ty, span)))
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

    /// Atomic and other builtins are kept as calls by name. GCC's naming tells what the atomic ones return.
    fn unknown_builtin(&mut self, name: &str, arguments: &[ast::ExprId], span: Span) -> Check<ExprId> {
        let values = arguments.iter().map(|&a| self.value(a)).collect::<Check<Vec<_>>>()?;
        let target = values.first().and_then(|&first| self.program.types.pointee(self.type_of(first)));
        let answers = ["compare_exchange", "bool_compare", "__atomic_test_and_set", "lock_free"];
        let silent = ["_store", "clear", "fence", "synchronize", "lock_release"];
        let ty = if answers.iter().any(|part| name.contains(part)) {
            self.bool_type()
        } else if silent.iter().any(|part| name.contains(part))
            || matches!(name, "__atomic_load" | "__atomic_exchange")
        {
            self.program.types.void()
        } else {
            match target {
                Some(to) if !name.starts_with("__builtin_") && self.program.types.is_scalar(to) => {
                    self.program.types.unqualified(to)
                }
                _ => self.int_type(),
            }
        };
        let symbol = self.symbols.intern(name);
        let function = match self.linked.get(&symbol) {
            Some(&Entity::Function(known)) => known,
            _ => {
                let result = self.int_type();
                let parameters = Box::default();
                let function = FunctionType { result, parameters, variadic: false, prototype: false };
                let function = self.program.types.intern(TypeKind::Function(function));
                let id = self.new_function(name.to_owned(), function, span);
                self.program.functions[id].implicit = true;
                self.linked.insert(symbol, Entity::Function(id));
                id
            }
        };
        let callee = Callee::Function(function);
        Ok(self.node(ExprKind::Call { callee, arguments: values.into() }, ty, span))
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
