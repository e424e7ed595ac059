//! Declarations of variables, functions and typedefs, at file scope and in blocks.

use super::attributes::Gathered;
use super::scope::Entity;
use super::{Check, Checker};
use crate::ast::{Declaration, InitDeclarator, Initialiser, Name, Storage, TypeSpec};
use crate::index::Id;
use crate::link::{self, Alias};
use crate::source::{Diagnostic, Span};
use crate::tree::{
    Callee, Duration, ExprId, ExprKind, Function, FunctionId, Linkage, StmtId, StmtKind, VarId, VarRole,
    Variable,
};
use crate::types::{ArrayLength, TypeId, TypeKind};
use nilas_fault::{Fault, planted};

impl Checker<'_> {
    pub(super) fn global_declaration(&mut self, declaration: &Declaration) -> Check<()> {
        self.declaration(declaration, None)
    }

    /// Declares all names; in a block, initialisations become statements.
    pub(super) fn declaration(
        &mut self,
        declaration: &Declaration,
        mut statements: Option<&mut Vec<StmtId>>,
    ) -> Check<()> {
        let auto = matches!(declaration.specifiers.ty, TypeSpec::Auto);
        let base = if auto { None } else { Some(self.specified_type(&declaration.specifiers)?) };
        let alignas = self.alignas(&declaration.specifiers.alignas)?;
        let mut result = Ok(());
        for declarator in &declaration.declarators {
            // An error in one declarator does not hide the names of the others.
            let one = self.init_declarator(declaration, declarator, base, alignas, statements.as_deref_mut());
            result = result.and(one);
        }
        if let (Some(statements), false) = (statements, self.pending.is_empty()) {
            self.flush_pending(statements);
        }
        result
    }

    /// Turns waiting length assignments into statements.
    pub(super) fn flush_pending(&mut self, statements: &mut Vec<StmtId>) {
        for expr in std::mem::take(&mut self.pending) {
            let span = self.span_of(expr);
            statements.push(self.stmt_node(StmtKind::Expr(expr), span));
        }
    }

    fn init_declarator(
        &mut self,
        declaration: &Declaration,
        item: &InitDeclarator,
        base: Option<TypeId>,
        alignas: Option<u64>,
        statements: Option<&mut Vec<StmtId>>,
    ) -> Check<()> {
        let Some(name) = item.declarator.name else { return Ok(()) };
        let specifiers = &declaration.specifiers;
        let all = specifiers.attributes.iter().chain(&item.declarator.attributes).chain(&item.attributes);
        let mut attributes = self.gather(all)?;
        attributes.noreturn |= specifiers.storage.is_noreturn;
        let mut ty = match (base, &item.init) {
            (Some(base), _) => self.declared_type(base, &item.declarator)?,
            (None, Some(Initialiser::Expr(init))) => {
                let value = self.value(*init)?;
                self.checked_inits.insert(*init, value);
                let ty = self.type_of(value);
                self.program.types.qualified(ty, specifiers.qualifiers)
            }
            (None, _) => return self.fail(name.span, "`__auto_type` needs an initialiser"),
        };
        ty = self.apply_attributes(ty, &attributes)?;
        attributes.alignment = attributes.alignment.max(alignas);
        let storage = specifiers.storage;
        if storage.is_typedef {
            if let Some(statements) = statements {
                self.flush_pending(statements);
            }
            return self.declare_typedef(name, ty, &attributes);
        }
        if matches!(self.program.types.kind(ty), TypeKind::Function(_)) {
            if item.init.is_some() {
                return self.fail(name.span, "a function cannot be initialised");
            }
            let id = self.declare_function(name, ty, storage, &attributes)?;
            if item.asm_name.is_some() {
                self.program.functions[id].asm_name.clone_from(&item.asm_name);
            }
            return Ok(());
        }
        match statements {
            Some(statements) if !storage.is_extern => {
                self.local_variable(name, ty, item, storage, &attributes, statements)
            }
            _ => self.linked_variable(name, ty, item, storage, &attributes),
        }
    }

    fn declare_typedef(&mut self, name: Name, ty: TypeId, attributes: &Gathered) -> Check<()> {
        let mut ty = ty;
        if let Some(alignment) = attributes.alignment {
            ty = self.program.types.aligned(ty, alignment);
        }
        if let (true, Some(record)) = (attributes.transparent, self.program.types.as_record(ty)) {
            self.program.types.record_mut(record).transparent = true;
        }
        if let Some(bound) = self.scopes.lookup_here(name.symbol)
            && !matches!(bound.what, Entity::Typedef(old) if self.program.types.compatible_unqualified(old, ty))
        {
            return Err(self.conflict(name, bound.span));
        }
        self.scopes.bind(name.symbol, Entity::Typedef(ty), name.span);
        self.declares(ty, name.span);
        Ok(())
    }

    fn conflict(&mut self, name: Name, first: Span) -> super::Failed {
        let text = self.name_text(name);
        let message = format!("`{text}` is declared again as something else");
        self.report(Diagnostic::error(name.span, message).with_note(first, "first declared here"))
    }

    /// Declares a function in the current scope, merged with what is known of it.
    pub(super) fn declare_function(
        &mut self,
        name: Name,
        ty: TypeId,
        storage: Storage,
        attributes: &Gathered,
    ) -> Check<FunctionId> {
        if let Some(bound) = self.scopes.lookup_here(name.symbol)
            && !matches!(bound.what, Entity::Function(_))
        {
            return Err(self.conflict(name, bound.span));
        }
        let id = match self.linked.get(&name.symbol) {
            Some(&Entity::Function(id)) => {
                self.merge_function(id, name, ty)?;
                id
            }
            Some(Entity::Variable(v)) => {
                let first = self.program.variables[*v].span;
                return Err(self.conflict(name, first));
            }
            _ => {
                let text = self.name_text(name);
                let id = self.new_function(text, ty, name.span);
                self.linked.insert(name.symbol, Entity::Function(id));
                id
            }
        };
        let function = &mut self.program.functions[id];
        if storage.is_static {
            function.linkage = Linkage::Internal;
        }
        function.inline |= storage.is_inline && !storage.is_extern;
        if self.scopes.level() == 0 && (!storage.is_inline || storage.is_extern) {
            self.external.insert(id);
        }
        if attributes.gnu_inline {
            self.gnu_inline.insert(id);
        }
        function.noreturn |= attributes.noreturn;
        function.pure |= attributes.pure;
        function.nonnull |= attributes.nonnull;
        function.constructor = attributes.constructor.or(function.constructor);
        function.destructor = attributes.destructor.or(function.destructor);
        function.indirect |= attributes.indirect;
        function.weak |= attributes.weak;
        if let Some(symbol) = &attributes.alias {
            let entity = link::Entity::Function(id);
            self.unit.aliases.push(Alias { entity, target: symbol.clone(), span: name.span });
        }
        self.scopes.bind(name.symbol, Entity::Function(id), name.span);
        Ok(id)
    }

    pub(super) fn new_function(&mut self, name: String, ty: TypeId, span: Span) -> FunctionId {
        self.program.functions.push(Function {
            name,
            ty,
            linkage: Linkage::External,
            inline: false,
            noreturn: false,
            pure: false,
            nonnull: false,
            implicit: false,
            constructor: None,
            destructor: None,
            indirect: false,
            weak: false,
            asm_name: None,
            parameters: Vec::new(),
            body: None,
            locals: Vec::new(),
            labels: Vec::new(),
            span,
        })
    }

    fn merge_function(&mut self, id: FunctionId, name: Name, ty: TypeId) -> Check<()> {
        let (old, first, implicit) = {
            let function = &self.program.functions[id];
            (function.ty, function.span, function.implicit)
        };
        if self.program.types.compatible(old, ty) {
            self.program.functions[id].ty = self.program.types.composite(ty, old);
        } else if implicit {
            self.warn(name.span, "this declaration differs from an earlier use");
            self.program.functions[id].ty = ty;
        } else if self.mildly_compatible(old, ty) {
            self.warn(name.span, "this declaration differs from an earlier one");
            if self.program.functions[id].body.is_none() {
                self.program.functions[id].ty = ty;
            }
        } else {
            return Err(self.conflict(name, first));
        }
        if implicit {
            let function = &mut self.program.functions[id];
            function.implicit = false;
            function.span = name.span;
        }
        Ok(())
    }

    /// Same shape, only qualifiers or pointer targets differ: seen in files that were merged by tools.
    pub(super) fn mildly_compatible(&self, a: TypeId, b: TypeId) -> bool {
        let types = &self.program.types;
        let (Some(f), Some(g)) = (types.as_function(a), types.as_function(b)) else { return false };
        let same = |x: TypeId, y: TypeId| {
            types.compatible_unqualified(x, y) || (types.pointee(x).is_some() && types.pointee(y).is_some())
        };
        same(f.result, g.result)
            && f.parameters.len() == g.parameters.len()
            && f.parameters.iter().zip(&g.parameters).all(|(&x, &y)| same(x, y))
    }

    /// A variable with linkage: at file scope, or `extern` in a block.
    fn linked_variable(
        &mut self,
        name: Name,
        ty: TypeId,
        item: &InitDeclarator,
        storage: Storage,
        attributes: &Gathered,
    ) -> Check<()> {
        let file_scope = self.scopes.level() == 0;
        if let Some(bound) = self.scopes.lookup_here(name.symbol)
            && !matches!(bound.what, Entity::Variable(_))
        {
            return Err(self.conflict(name, bound.span));
        }
        if self.program.types.is_void(ty) || self.has_variable_length(ty) {
            let shown = self.show(ty);
            return self.fail(name.span, format!("a variable of type `{shown}` cannot have linkage"));
        }
        if storage.is_register && item.asm_name.is_some() {
            return self.fail(name.span, "a variable that is a register is not supported");
        }
        let defines = item.init.is_some() || (file_scope && !storage.is_extern);
        let id = match self.linked.get(&name.symbol) {
            Some(&Entity::Variable(id)) => {
                let (old, first) = (self.program.variables[id].ty, self.program.variables[id].span);
                if !self.program.types.compatible_unqualified(old, ty) {
                    return Err(self.conflict(name, first));
                }
                self.program.variables[id].ty = self.program.types.composite(old, ty);
                if defines && !self.program.variables[id].defined {
                    self.program.variables[id].span = name.span;
                }
                id
            }
            Some(Entity::Function(f)) => {
                let first = self.program.functions[*f].span;
                return Err(self.conflict(name, first));
            }
            _ => {
                let linkage = if storage.is_static { Linkage::Internal } else { Linkage::External };
                let id = self.static_variable(name, ty, storage, linkage);
                self.linked.insert(name.symbol, Entity::Variable(id));
                id
            }
        };
        self.program.variables[id].defined |= defines;
        self.finish_variable(id, item, attributes)?;
        self.scopes.bind(name.symbol, Entity::Variable(id), name.span);
        if let Some(init) = &item.init {
            if self.program.variables[id].init.is_some() {
                let first = self.program.variables[id].span;
                let text = self.name_text(name);
                let error = Diagnostic::error(name.span, format!("`{text}` is initialised twice"));
                return Err(self.report(error.with_note(first, "first here")));
            }
            let ty = self.program.variables[id].ty;
            let (ty, init) = self.initialiser(ty, init, true, name.span)?;
            let variable = &mut self.program.variables[id];
            variable.ty = ty;
            variable.init = Some(init);
            variable.span = name.span;
        }
        Ok(())
    }

    fn static_variable(&mut self, name: Name, ty: TypeId, storage: Storage, linkage: Linkage) -> VarId {
        let text = self.name_text(name);
        let function = self.function.as_ref().map(|f| f.id).filter(|_| linkage == Linkage::None);
        self.program.variables.push(Variable {
            duration: if storage.is_thread_local { Duration::Thread } else { Duration::Static },
            linkage,
            function,
            ..Variable::new(text, ty, name.span)
        })
    }

    /// What attributes and `asm` say about a variable.
    fn finish_variable(&mut self, id: VarId, item: &InitDeclarator, attributes: &Gathered) -> Check<()> {
        if let Some(symbol) = &attributes.alias {
            let span = self.program.variables[id].span;
            let entity = link::Entity::Variable(id);
            self.unit.aliases.push(Alias { entity, target: symbol.clone(), span });
        }
        // GCC ignores the attribute on other variables.
        if let (Some(function), Duration::Automatic) =
            (attributes.cleanup, self.program.variables[id].duration)
        {
            self.program.variables[id].cleanup = Some(self.cleanup_call(id, function)?);
        }
        let variable = &mut self.program.variables[id];
        variable.alignment = variable.alignment.max(attributes.alignment);
        if item.asm_name.is_some() {
            variable.asm_name.clone_from(&item.asm_name);
        }
        variable.weak |= attributes.weak;
        Ok(())
    }

    /// `function(&variable)`
    fn cleanup_call(&mut self, variable: VarId, function: Name) -> Check<ExprId> {
        let Some(Entity::Function(cleanup)) = self.scopes.lookup(function.symbol).map(|bound| bound.what)
        else {
            return self.fail(function.span, "`cleanup` needs the name of a function");
        };
        let Some(signature) = self.program.types.as_function(self.program.functions[cleanup].ty).cloned()
        else {
            return self.fail(function.span, "`cleanup` needs the name of a function");
        };
        let (ty, span) = (self.program.variables[variable].ty, self.program.variables[variable].span);
        let place = self.node(ExprKind::Variable(variable), ty, span);
        let pointer = self.program.types.pointer(ty);
        let address = self.node(ExprKind::AddressOf(place), pointer, span);
        let argument = match signature.parameters.first() {
            Some(&parameter) => self.convert_assign(address, parameter, "the argument of `cleanup`")?,
            None => address,
        };
        let callee = Callee::Function(cleanup);
        Ok(self.node(ExprKind::Call { callee, arguments: Box::new([argument]) }, signature.result, span))
    }

    fn local_variable(
        &mut self,
        name: Name,
        ty: TypeId,
        item: &InitDeclarator,
        storage: Storage,
        attributes: &Gathered,
        statements: &mut Vec<StmtId>,
    ) -> Check<()> {
        if let Some(bound) = self.scopes.lookup_here(name.symbol) {
            let text = self.name_text(name);
            let error = Diagnostic::error(name.span, format!("`{text}` is declared twice in this scope"));
            return Err(self.report(error.with_note(bound.span, "first here")));
        }
        let is_static = storage.is_static || storage.is_thread_local;
        if is_static && self.has_variable_length(ty) {
            return self.fail(name.span, "a static variable of variable length");
        }
        self.flush_pending(statements);
        let id = if is_static {
            let id = self.static_variable(name, ty, storage, Linkage::None);
            self.program.variables[id].defined = true;
            id
        } else {
            let text = self.name_text(name);
            self.automatic(text, ty, VarRole::Named, name.span)
        };
        self.finish_variable(id, item, attributes)?;
        self.scopes.bind(name.symbol, Entity::Variable(id), name.span);
        self.declares(ty, name.span);
        if let Some(init) = &item.init {
            if self.has_variable_length(ty) {
                return self.fail(name.span, "an array of variable length cannot be initialised");
            }
            let (ty, init) = self.initialiser(ty, init, is_static, name.span)?;
            let variable = &mut self.program.variables[id];
            variable.ty = ty;
            variable.init = Some(init);
        }
        self.flush_pending(statements);
        self.check_complete(id)?;
        if !is_static || planted(Fault::StaticLocalAgain) {
            statements.push(self.stmt_node(StmtKind::Declare(id), item.declarator.span));
        }
        Ok(())
    }

    /// A defined variable has a size.
    fn check_complete(&mut self, id: VarId) -> Check<()> {
        let variable = &self.program.variables[id];
        let (ty, span) = (variable.ty, variable.span);
        if self.program.types.is_void(ty)
            || (self.program.types.size_of(ty).is_none() && !self.program.types.is_variable_length(ty))
        {
            let (text, shown) = (variable.name.clone(), self.show(ty));
            return self.fail(span, format!("the variable `{text}` has the incomplete type `{shown}`"));
        }
        Ok(())
    }

    pub(super) fn has_variable_length(&self, ty: TypeId) -> bool {
        self.program.types.is_variable_length(ty)
            || matches!(self.program.types.kind(ty), TypeKind::Array(_, ArrayLength::Star))
    }

    /// At the end: tentative definitions are complete; an array without length has one element.
    pub(super) fn finish_globals(&mut self) {
        let start = self.unit.variables.start;
        let ids: Vec<VarId> = self.program.statics().filter(|id| id.index() >= start).collect();
        for id in ids {
            let variable = &self.program.variables[id];
            if !variable.defined {
                continue;
            }
            if let TypeKind::Array(element, ArrayLength::Unknown) = *self.program.types.kind(variable.ty) {
                self.program.variables[id].ty = self.program.types.array(element, 1);
            }
            // Already reported where it is.
            let _ = self.check_complete(id);
        }
    }
}
