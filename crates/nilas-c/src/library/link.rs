//! Makes a program use the texts: a function that it does not define means the function in C of its row.
//!
//! After this, a call of `strlen` is a call of `__nilas_strlen`, by name as through a pointer, and nothing
//! behind the type checker has to know. A declaration that differs from the row in more than scalar types is
//! left alone; its calls are not modelled.

use super::catalogue::row;
use crate::tree::{
    AddressBase, Callee, Expr, ExprKind, FunctionId, InitItem, InitValue, Initialiser, Program, VarId,
};
use crate::types::{TypeId, TypeKind, TypeTable};
use rustc_hash::FxHashMap;

/// Pointers of the library, and the objects of the texts that they point to.
const OBJECTS: &[(&str, &str)] =
    &[("stdin", "__nilas_stdin"), ("stdout", "__nilas_stdout"), ("stderr", "__nilas_stderr")];

/// The object that a pointer of the library points to.
pub(super) fn object_of(name: &str) -> Option<&'static str> {
    OBJECTS.iter().find(|(pointer, _)| *pointer == name).map(|(_, object)| *object)
}

/// See the module's text.
pub(crate) fn link(program: &mut Program) {
    let bodies: FxHashMap<String, FunctionId> = program
        .functions
        .enumerate()
        .filter(|(_, function)| function.body.is_some())
        .map(|(id, function)| (function.name.clone(), id))
        .collect();
    let mut models: FxHashMap<FunctionId, FunctionId> = FxHashMap::default();
    let mut records = Vec::new();
    for (id, function) in program.functions.enumerate() {
        if function.body.is_some() || function.indirect {
            continue;
        }
        let Some(row) = row(&function.name) else { continue };
        let Some(&model) = bodies.get(&row.text_name()) else { continue };
        let types = &program.types;
        let (declared, meant) = (function.ty, program.functions[model].ty);
        match agree(types, declared, meant) {
            Some(Agreement::Scalars) => {}
            Some(Agreement::Record(from, to)) => records.push((model, declared, from, to)),
            None => continue,
        }
        models.insert(id, model);
    }
    for (model, declared, from, to) in records {
        program.functions[model].ty = declared;
        retype(program, from, to);
    }
    if !models.is_empty() {
        redirect(program, &models);
    }
    objects(program);
}

enum Agreement {
    /// Parameters and result are scalars of the same sorts.
    Scalars,
    /// The result is a struct of the same layout.
    Record(TypeId, TypeId),
}

/// Whether a function of the declared type can be taken for one of the other.
fn agree(types: &TypeTable, declared: TypeId, meant: TypeId) -> Option<Agreement> {
    let (declared, meant) = (types.as_function(declared)?, types.as_function(meant)?);
    if declared.prototype {
        let scalars = declared.parameters.iter().all(|&parameter| types.is_scalar(parameter));
        let counts =
            declared.variadic == meant.variadic && declared.parameters.len() == meant.parameters.len();
        if !scalars || !counts {
            return None;
        }
    }
    let (from, to) = (meant.result, declared.result);
    let same = match (types.kind(from), types.kind(to)) {
        (TypeKind::Void, TypeKind::Void) | (TypeKind::Pointer(_), TypeKind::Pointer(_)) => true,
        (TypeKind::Float(a), TypeKind::Float(b)) => a == b,
        (TypeKind::Record(a), TypeKind::Record(b)) => {
            let shape = |id| {
                let layout = types.record(id).layout.as_ref()?;
                Some(layout.fields.iter().map(|f| (f.offset, types.size_of(f.ty))).collect::<Vec<_>>())
            };
            let same = shape(*a).is_some() && shape(*a) == shape(*b);
            return (same && types.size_of(from) == types.size_of(to)).then_some(Agreement::Record(from, to));
        }
        _ => match (types.int_kind(from), types.int_kind(to)) {
            (Some(a), Some(b)) => {
                let signed = a.is_signed() == b.is_signed();
                types.size_of(from) == types.size_of(to) && signed
            }
            _ => false,
        },
    };
    same.then_some(Agreement::Scalars)
}

fn retype(program: &mut Program, from: TypeId, to: TypeId) {
    for id in program.exprs.ids() {
        if program.exprs[id].ty == from {
            program.exprs[id].ty = to;
        }
    }
    for id in program.variables.ids() {
        if program.variables[id].ty == from {
            program.variables[id].ty = to;
        }
    }
}

fn redirect(program: &mut Program, models: &FxHashMap<FunctionId, FunctionId>) {
    let meant = |function: &mut FunctionId| {
        if let Some(&model) = models.get(function) {
            *function = model;
        }
    };
    for id in program.exprs.ids() {
        match &mut program.exprs[id].kind {
            ExprKind::Call { callee: Callee::Function(function), .. }
            | ExprKind::Function(function)
            | ExprKind::Address { base: AddressBase::Function(function), .. } => meant(function),
            _ => {}
        }
    }
}

/// The standard streams are three objects.
fn objects(program: &mut Program) {
    let mut found: Vec<(VarId, VarId)> = Vec::new();
    for (id, variable) in program.variables.enumerate() {
        if let Some(object) = object_of(&variable.name)
            && !variable.defined
            && variable.function.is_none()
            && program.types.pointee(variable.ty).is_some()
            && let Some((object, _)) = program.variables.enumerate().find(|(_, other)| other.name == object)
        {
            found.push((id, object));
        }
    }
    for (pointer, object) in found {
        let span = program.variables[pointer].span;
        let ty = program.types.unqualified(program.variables[pointer].ty);
        let kind = ExprKind::Address { base: AddressBase::Variable(object), offset: 0 };
        let address = program.exprs.push(Expr { kind, ty, span });
        let item = InitItem { offset: 0, bits: None, ty, value: InitValue::Expr(address) };
        let variable = &mut program.variables[pointer];
        variable.defined = true;
        variable.init = Some(Initialiser { zero_fill: false, items: vec![item], span });
    }
}
