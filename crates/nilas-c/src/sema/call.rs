//! Calls.

use super::scope::Entity;
use super::{Check, Checker};
use crate::ast;
use crate::lex::Symbol;
use crate::source::Span;
use crate::tree::{
    Callee, Duration, ExprId, ExprKind, FunctionId, InitItem, InitValue, Initialiser, VarRole,
};
use crate::types::{FunctionType, TypeId, TypeKind};

impl Checker<'_> {
    pub(super) fn call(
        &mut self,
        callee: ast::ExprId,
        arguments: &[ast::ExprId],
        span: Span,
    ) -> Check<ExprId> {
        if let ast::ExprKind::Ident(symbol) = self.ast.exprs[callee].kind
            && self.scopes.lookup(symbol).is_none()
        {
            let at = self.ast.exprs[callee].span;
            let text = self.text(symbol).to_owned();
            if let Some(result) = self.builtin_call(&text, arguments, span)? {
                return Ok(result);
            }
            if self.library_function(symbol, &text, at).is_none() {
                if self.typed_only > 0 && crate::catalogue::has_hidden_type(&text) {
                    return self
                        .fail(at, format!("the type of `{text}`, which is not declared, is not known"));
                }
                self.implicit_function(symbol, &text, at);
            }
        }
        let callee = self.expr(callee)?;
        let at = self.span_of(callee);
        let (callee, function) = match *self.kind_of(callee) {
            ExprKind::Function(function) => (Callee::Function(function), self.type_of(callee)),
            _ => {
                let value = self.rvalue(callee)?;
                match self.program.types.pointee(self.type_of(value)) {
                    Some(to) => (Callee::Pointer(value), to),
                    None => (Callee::Pointer(value), self.type_of(value)),
                }
            }
        };
        let Some(function) = self.program.types.as_function(function).cloned() else {
            let shown = self.show(function);
            return self.fail(at, format!("a value of type `{shown}` cannot be called"));
        };
        let arguments = self.arguments(&function, arguments, at, span)?;
        if !self.program.types.is_void(function.result)
            && self.program.types.size_of(function.result).is_none()
        {
            let shown = self.show(function.result);
            return self.fail(span, format!("the function returns the incomplete type `{shown}`"));
        }
        Ok(self.node(ExprKind::Call { callee, arguments }, function.result, span))
    }

    fn arguments(
        &mut self,
        function: &FunctionType,
        arguments: &[ast::ExprId],
        at: Span,
        span: Span,
    ) -> Check<Box<[ExprId]>> {
        let wanted = function.parameters.len();
        if function.prototype
            && (arguments.len() < wanted || (arguments.len() > wanted && !function.variadic))
        {
            let given = arguments.len();
            let _ = span;
            return self.fail(at, format!("the function takes {wanted} arguments, but {given} are given"));
        }
        let mut converted = Vec::with_capacity(arguments.len());
        for (i, &argument) in arguments.iter().enumerate() {
            let value = self.value(argument)?;
            converted.push(match function.parameters.get(i) {
                Some(&parameter) => self.argument(value, parameter)?,
                None => self.promoted_argument(value)?,
            });
        }
        Ok(converted.into())
    }

    fn argument(&mut self, value: ExprId, parameter: TypeId) -> Check<ExprId> {
        if let Some(record) = self.program.types.as_record(parameter)
            && self.program.types.record(record).transparent
            && !self.program.types.compatible_unqualified(self.type_of(value), parameter)
        {
            return self.cast_to_union(value, parameter, self.span_of(value));
        }
        self.convert_assign(value, parameter, "the argument")
    }

    /// The default argument promotions.
    fn promoted_argument(&mut self, value: ExprId) -> Check<ExprId> {
        let ty = self.type_of(value);
        let span = self.span_of(value);
        if self.program.types.is_void(ty) {
            return self.fail(span, "an argument without value");
        }
        let value = self.promote(value);
        let ty = self.type_of(value);
        let promoted = self.program.types.default_promotion(ty);
        Ok(self.convert(value, promoted, span))
    }

    /// A union whose first fitting member holds the value: a GNU cast, or an argument for a transparent
    /// union.
    pub(super) fn cast_to_union(&mut self, value: ExprId, to: TypeId, span: Span) -> Check<ExprId> {
        let to = self.program.types.unqualified(to);
        let from = self.type_of(value);
        if self.program.types.compatible_unqualified(from, to) {
            return Ok(value);
        }
        let layout =
            self.program.types.as_record(to).and_then(|r| self.program.types.record(r).layout.clone());
        let fields = layout.map(|layout| layout.fields).unwrap_or_default();
        let exact = fields.iter().find(|f| self.program.types.compatible_unqualified(f.ty, from));
        let pointer = fields
            .iter()
            .find(|f| self.program.types.pointee(f.ty).is_some())
            .filter(|_| self.program.types.pointee(from).is_some() || self.is_null_constant(value));
        let Some(field) = exact.or(pointer) else {
            let (from, to) = (self.show(from), self.show(to));
            return self.fail(span, format!("no member of `{to}` has the type `{from}`"));
        };
        let ty = self.program.types.unqualified(field.ty);
        let value = self.convert(value, ty, span);
        let name = format!("literal#{}", self.program.variables.len());
        let variable = self.automatic(name, to, VarRole::CompoundLiteral, span);
        if self.program.variables[variable].duration != Duration::Automatic {
            return self.fail(span, "a cast to a union is not constant");
        }
        let item = InitItem { offset: field.offset, bits: field.bits, ty, value: InitValue::Expr(value) };
        self.program.variables[variable].init =
            Some(Initialiser { zero_fill: true, items: vec![item], span });
        let literal = self.node(ExprKind::CompoundLiteral(variable), to, span);
        self.rvalue(literal)
    }

    /// A function that is called without declaration: `int f()`.
    fn implicit_function(&mut self, symbol: Symbol, text: &str, span: Span) -> FunctionId {
        if let Some(&Entity::Function(known)) = self.linked.get(&symbol) {
            // Declared in a block that has ended: the same function, as GCC takes it.
            self.scopes.bind(symbol, Entity::Function(known), span);
            return known;
        }
        self.warn(span, format!("the function `{text}` is called without a declaration"));
        let result = self.int_type();
        let ty = self.program.types.intern(TypeKind::Function(FunctionType {
            result,
            parameters: Box::default(),
            variadic: false,
            prototype: false,
        }));
        self.implicit(symbol, text, ty, span)
    }

    /// Adds a function that no declaration names.
    pub(super) fn implicit(&mut self, symbol: Symbol, text: &str, ty: TypeId, span: Span) -> FunctionId {
        let id = self.new_function(text.to_owned(), ty, span);
        self.program.functions[id].implicit = true;
        self.linked.insert(symbol, Entity::Function(id));
        self.scopes.bind(symbol, Entity::Function(id), span);
        id
    }
}
