//! Declarators to types: pointers, arrays, functions, variable lengths.

use super::scope::Entity;
use super::{Check, Checker};
use crate::ast::{self, Declarator, Derived, Name, Parameter};
use crate::source::Span;
use crate::tree::ExprKind;
use crate::types::{ArrayLength, FunctionType, TypeId, TypeKind};

/// A parameter with its adjusted type, qualifiers kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParameterDecl {
    pub(super) name: Option<Name>,
    pub(super) ty: TypeId,
    pub(super) span: Span,
}

impl Checker<'_> {
    /// The type of a declarator around a base type.
    pub(super) fn declared_type(&mut self, base: TypeId, declarator: &Declarator) -> Check<TypeId> {
        self.refuse_names(&declarator.derived)?;
        self.derive(base, &declarator.derived)
    }

    /// Parameters without types belong to definitions (C11 6.7.6.3p3). In a declaration they are most often
    /// names of types that nothing declares.
    fn refuse_names(&mut self, derived: &[Derived]) -> Check<()> {
        let first = derived.iter().find_map(|layer| match layer {
            Derived::OldFunction { names, .. } => names.first().copied(),
            _ => None,
        });
        let Some(name) = first else { return Ok(()) };
        let text = self.name_text(name);
        self.fail(name.span, format!("`{text}` is no type, and a parameter without type needs a definition"))
    }

    /// Like [`Checker::declared_type`] for a function definition: the parameters of the function itself come
    /// with it, and are declared in the current scope while their types are found.
    pub(super) fn defined_function_type(
        &mut self,
        base: TypeId,
        declarator: &Declarator,
    ) -> Check<(TypeId, Vec<ParameterDecl>)> {
        let Some((own, rest)) = declarator.derived.split_first() else {
            return self.fail(declarator.span, "this is no function");
        };
        self.refuse_names(rest)?;
        let result = self.derive(base, rest)?;
        match own {
            Derived::Function { parameters, variadic, span } => {
                self.check_result(result, *span)?;
                let declared = self.parameters(parameters)?;
                let ty = self.function_type(result, &declared, *variadic);
                Ok((ty, declared))
            }
            _ => Ok((self.derive(result, std::slice::from_ref(own))?, Vec::new())),
        }
    }

    /// Wraps the layers around a type, the outermost (last) first.
    fn derive(&mut self, base: TypeId, derived: &[Derived]) -> Check<TypeId> {
        let mut ty = base;
        for layer in derived.iter().rev() {
            ty = match layer {
                Derived::Pointer(qualifiers) => {
                    let pointer = self.program.types.pointer(ty);
                    self.program.types.qualified(pointer, *qualifiers)
                }
                Derived::Array { length, span, .. } => self.array_type(ty, *length, *span)?,
                Derived::Function { parameters, variadic, span } => {
                    self.check_result(ty, *span)?;
                    self.scopes.push();
                    let declared = self.parameters(parameters);
                    self.scopes.pop();
                    self.function_type(ty, &declared?, *variadic)
                }
                Derived::OldFunction { span, .. } => {
                    self.check_result(ty, *span)?;
                    let result = self.program.types.unqualified(ty);
                    self.program.types.intern(TypeKind::Function(FunctionType {
                        result,
                        parameters: Box::default(),
                        variadic: false,
                        prototype: false,
                    }))
                }
            };
        }
        Ok(ty)
    }

    fn check_result(&mut self, ty: TypeId, span: Span) -> Check<()> {
        match self.program.types.kind(ty) {
            TypeKind::Function(_) => self.fail(span, "a function cannot return a function"),
            TypeKind::Array(..) => self.fail(span, "a function cannot return an array"),
            _ => Ok(()),
        }
    }

    fn function_type(&mut self, result: TypeId, declared: &[ParameterDecl], variadic: bool) -> TypeId {
        let parameters = declared.iter().map(|p| self.program.types.unqualified(p.ty)).collect();
        let result = self.program.types.unqualified(result);
        self.program.types.intern(TypeKind::Function(FunctionType {
            result,
            parameters,
            variadic,
            prototype: true,
        }))
    }

    /// The parameters of a prototype; their names are bound in the current scope as they come.
    fn parameters(&mut self, parameters: &[Parameter]) -> Check<Vec<ParameterDecl>> {
        let mut declared = Vec::new();
        for parameter in parameters {
            let base = self.specified_type(&parameter.specifiers)?;
            let ty = self.declared_type(base, &parameter.declarator)?;
            let own = parameter.attributes.iter().chain(&parameter.declarator.attributes);
            let attributes = self.gather(own.chain(&parameter.specifiers.attributes))?;
            let ty = self.apply_attributes(ty, &attributes)?;
            let name = parameter.declarator.name;
            let span = name.map_or(parameter.specifiers.span, |n| n.span);
            if self.program.types.is_void(ty) {
                if parameters.len() == 1 && name.is_none() && parameter.declarator.derived.is_empty() {
                    return Ok(Vec::new());
                }
                return self.fail(span, "a parameter of type `void`");
            }
            let array_qualifiers = match parameter.declarator.derived.first() {
                Some(Derived::Array { qualifiers, .. }) => *qualifiers,
                _ => ast::Qualifiers::default(),
            };
            let ty = self.adjust_parameter(ty);
            let ty = self.program.types.qualified(ty, array_qualifiers);
            if let Some(name) = name {
                if self.scopes.lookup_here(name.symbol).is_some()
                    && declared
                        .iter()
                        .any(|p: &ParameterDecl| p.name.is_some_and(|other| other.symbol == name.symbol))
                {
                    let text = self.name_text(name);
                    return self.fail(span, format!("two parameters are called `{text}`"));
                }
                self.scopes.bind(name.symbol, Entity::Prototype(ty), name.span);
            }
            declared.push(ParameterDecl { name, ty, span });
        }
        Ok(declared)
    }

    /// Arrays and functions become pointers.
    pub(super) fn adjust_parameter(&mut self, ty: TypeId) -> TypeId {
        match *self.program.types.kind(ty) {
            TypeKind::Array(element, _) => self.program.types.pointer(element),
            TypeKind::Function(_) => self.program.types.pointer(ty),
            _ => ty,
        }
    }

    fn array_type(&mut self, element: TypeId, length: ast::ArrayLength, span: Span) -> Check<TypeId> {
        let complete =
            self.program.types.size_of(element).is_some() || self.program.types.is_variable_length(element);
        match self.program.types.kind(element) {
            TypeKind::Function(_) => return self.fail(span, "an array of functions"),
            TypeKind::Void => return self.fail(span, "an array of `void`"),
            TypeKind::Array(_, ArrayLength::Star) => {}
            _ if !complete => {
                let shown = self.show(element);
                return self.fail(span, format!("an array of the incomplete type `{shown}`"));
            }
            _ => {}
        }
        let length = match length {
            ast::ArrayLength::Missing => ArrayLength::Unknown,
            ast::ArrayLength::Star => ArrayLength::Star,
            ast::ArrayLength::Expr(expr) => self.array_length(expr)?,
        };
        let ty = self.program.types.intern(TypeKind::Array(element, length));
        if matches!(length, ArrayLength::Fixed(_))
            && complete
            && !self.program.types.is_variable_length(element)
            && self.program.types.size_of(ty).is_none()
        {
            return self.fail(span, "the array is larger than the address space");
        }
        Ok(ty)
    }

    fn array_length(&mut self, expr: ast::ExprId) -> Check<ArrayLength> {
        let value = self.value(expr)?;
        let span = self.span_of(value);
        if self.program.types.int_kind(self.type_of(value)).is_none() {
            let shown = self.show(self.type_of(value));
            return self.fail(span, format!("the length of an array is an integer, not `{shown}`"));
        }
        if let Some(length) = self.constant_int(value) {
            return match u64::try_from(length) {
                Ok(length) => Ok(ArrayLength::Fixed(length)),
                Err(_) => self.fail(span, format!("the array has {length} elements")),
            };
        }
        if self.function.is_none() {
            // In a prototype outside functions the length has no meaning; elsewhere finding it is the
            // declaration's business, which complains about variable lengths at file scope.
            return Ok(ArrayLength::Star);
        }
        let size_type = self.program.types.size_type();
        let value = self.convert(value, size_type, span);
        let hidden = self.temporary("length", size_type, span);
        self.program.variables[hidden].role = crate::tree::VarRole::Length;
        let target = self.node(ExprKind::Variable(hidden), size_type, span);
        let assign = self.node(ExprKind::Assign { target, value }, size_type, span);
        self.pending.push(assign);
        Ok(ArrayLength::Variable(hidden))
    }
}
