//! Function definitions.

use super::barrier::Barriers;
use super::declarator::ParameterDecl;
use super::jump::{LabelScope, SwitchState};
use super::scope::Entity;
use super::{Check, Checker};
use crate::ast::{Derived, FunctionDefinition};
use crate::source::Diagnostic;
use crate::tree::{Duration, FunctionId, LabelId, StmtKind, VarId, VarRole};
use crate::types::{TypeId, TypeKind};

/// What is known about the function whose body is being checked.
#[derive(Debug)]
pub(super) struct FunctionState {
    pub(super) id: FunctionId,
    pub(super) result: TypeId,
    pub(super) locals: Vec<VarId>,
    /// The variables of the open blocks, innermost last.
    pub(super) blocks: Vec<Vec<VarId>>,
    /// Label names, innermost scope last: the function's own first, then those of `__label__`.
    pub(super) label_scopes: Vec<LabelScope>,
    pub(super) labels: Vec<LabelId>,
    pub(super) switches: Vec<SwitchState>,
    /// What jumps may not lead into.
    pub(super) barriers: Barriers,
    /// How many statements around can be left by `break`, and how many continued.
    pub(super) breakable: usize,
    pub(super) loops: usize,
}

impl FunctionState {
    fn new(id: FunctionId, result: TypeId) -> FunctionState {
        FunctionState {
            id,
            result,
            locals: Vec::new(),
            blocks: vec![Vec::new()],
            label_scopes: vec![LabelScope::default()],
            labels: Vec::new(),
            switches: Vec::new(),
            barriers: Barriers::default(),
            breakable: 0,
            loops: 0,
        }
    }

    /// Notes a new automatic variable, in the innermost open block.
    pub(super) fn add_local(&mut self, id: VarId) {
        self.locals.push(id);
        if let Some(block) = self.blocks.last_mut() {
            block.push(id);
        }
    }
}

impl Checker<'_> {
    pub(super) fn function_definition(&mut self, definition: &FunctionDefinition) -> Check<()> {
        let Some(name) = definition.declarator.name else { return Ok(()) };
        let all = definition.specifiers.attributes.iter();
        let all = all.chain(&definition.declarator.attributes).chain(&definition.attributes);
        let mut attributes = self.gather(all)?;
        attributes.noreturn |= definition.specifiers.storage.is_noreturn;
        let base = self.specified_type(&definition.specifiers)?;

        // Lengths of variable-length parameters are temporaries of the function, so its state comes first.
        let void = self.program.types.void();
        let placeholder = self.program.functions.next_id();
        self.function = Some(FunctionState::new(placeholder, void));
        self.scopes.push();
        let found = self.defined_function_type(base, &definition.declarator);
        let found = found.and_then(|(ty, declared)| {
            if declared.is_empty() { self.old_parameters(definition, ty) } else { Ok((ty, declared)) }
        });
        self.scopes.pop();
        let lengths = std::mem::take(&mut self.pending);
        let state = self.function.take();
        let (ty, declared) = found?;

        let id = self.declare_function(name, ty, definition.specifiers.storage, &attributes)?;
        let storage = definition.specifiers.storage;
        let replaceable = self.replaceable.remove(&id);
        if storage.is_extern && storage.is_inline {
            self.replaceable.insert(id);
        }
        if self.program.functions[id].body.is_some() && !replaceable {
            let first = self.program.functions[id].span;
            let text = self.name_text(name);
            let error = Diagnostic::error(name.span, format!("the function `{text}` is defined twice"));
            return Err(self.report(error.with_note(first, "first here")));
        }
        self.program.functions[id].span = name.span;
        let result = self.program.types.as_function(ty).map_or(void, |f| f.result);
        if !self.program.types.is_void(result) && self.program.types.size_of(result).is_none() {
            let shown = self.show(result);
            return self.fail(name.span, format!("the function returns the incomplete type `{shown}`"));
        }
        let mut state = state.unwrap_or_else(|| FunctionState::new(id, result));
        state.id = id;
        state.result = result;
        for &local in &state.locals {
            self.program.variables[local].function = Some(id);
        }
        self.function = Some(state);
        self.scopes.push();
        let outcome = self.function_body(definition, id, &declared, lengths);
        self.scopes.pop();
        self.pending.clear();
        self.function = None;
        outcome
    }

    fn function_body(
        &mut self,
        definition: &FunctionDefinition,
        id: FunctionId,
        declared: &[ParameterDecl],
        lengths: Vec<crate::tree::ExprId>,
    ) -> Check<()> {
        let mut parameters = Vec::new();
        for (position, parameter) in declared.iter().enumerate() {
            let text = parameter.name.map_or_else(|| format!("parameter#{position}"), |n| self.name_text(n));
            let variable = self.automatic(text, parameter.ty, VarRole::Parameter(position), parameter.span);
            self.program.variables[variable].duration = Duration::Automatic;
            if self.program.types.size_of(parameter.ty).is_none() {
                let shown = self.show(parameter.ty);
                return self.fail(parameter.span, format!("the parameter has the incomplete type `{shown}`"));
            }
            if let Some(name) = parameter.name {
                self.scopes.bind(name.symbol, Entity::Variable(variable), name.span);
            }
            parameters.push(variable);
        }
        self.program.functions[id].parameters = parameters;
        self.rebind_lengths(&lengths);
        let mut items = Vec::new();
        self.pending = lengths;
        self.flush_pending(&mut items);
        let errors_before = self.errors.len();
        let body = self.function_block(definition.body, items);
        self.check_labels();
        self.check_jumps();
        if let Some(mut state) = self.function.take() {
            // Stand-ins for parameters in prototypes are no objects.
            let real = |v: &VarId| !self.program.variables[*v].name.starts_with("prototype#");
            state.locals.retain(real);
            state.blocks.iter_mut().for_each(|block| block.retain(real));
            let function = &mut self.program.functions[id];
            function.locals = state.locals;
            function.labels = state.labels;
            let variables = state.blocks.into_iter().flatten().collect();
            let span = definition.span;
            let items = vec![body];
            function.body = Some(
                self.program
                    .stmts
                    .push(crate::tree::Stmt { kind: StmtKind::Block { items, variables }, span }),
            );
        }
        if self.errors.len() > errors_before { Err(super::Failed) } else { Ok(()) }
    }

    /// Length expressions were checked against stand-ins for the parameters; lets them read the real ones.
    fn rebind_lengths(&mut self, lengths: &[crate::tree::ExprId]) {
        if lengths.is_empty() {
            return;
        }
        let Some(state) = &self.function else { return };
        let parameters = self.program.functions[state.id].parameters.clone();
        let stand_ins: Vec<VarId> = state
            .locals
            .iter()
            .copied()
            .filter(|v| self.program.variables[*v].name.starts_with("prototype#"))
            .collect();
        for expr in self.program.exprs.ids().collect::<Vec<_>>() {
            if let crate::tree::ExprKind::Variable(v) = self.program.exprs[expr].kind
                && stand_ins.contains(&v)
            {
                let wanted = self.program.variables[v].name["prototype#".len()..].to_owned();
                let real = parameters.iter().find(|p| self.program.variables[**p].name == wanted);
                if let Some(&real) = real {
                    self.program.exprs[expr].kind = crate::tree::ExprKind::Variable(real);
                }
            }
        }
    }

    /// The parameters of an old-style definition, in the order of the names.
    fn old_parameters(
        &mut self,
        definition: &FunctionDefinition,
        ty: TypeId,
    ) -> Check<(TypeId, Vec<ParameterDecl>)> {
        let names = match definition.declarator.derived.first() {
            Some(Derived::OldFunction { names, .. }) => names.as_slice(),
            _ => return Ok((ty, Vec::new())),
        };
        let mut types: Vec<Option<TypeId>> = vec![None; names.len()];
        for declaration in &definition.old_parameters {
            let base = self.specified_type(&declaration.specifiers)?;
            for item in &declaration.declarators {
                let Some(name) = item.declarator.name else { continue };
                let declared = self.declared_type(base, &item.declarator)?;
                let declared = self.adjust_parameter(declared);
                match names.iter().position(|n| n.symbol == name.symbol) {
                    Some(position) => types[position] = Some(declared),
                    None => {
                        let text = self.name_text(name);
                        return self.fail(name.span, format!("`{text}` is no parameter of this function"));
                    }
                }
            }
        }
        let int = self.int_type();
        let declared: Vec<ParameterDecl> = names
            .iter()
            .zip(types)
            .map(|(&name, ty)| ParameterDecl { name: Some(name), ty: ty.unwrap_or(int), span: name.span })
            .collect();
        // A definition without parameters says that there are none, though it gives no prototype to callers.
        debug_assert!(matches!(self.program.types.kind(ty), TypeKind::Function(_)));
        Ok((ty, declared))
    }
}
