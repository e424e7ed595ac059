//! Taking out what was given up: uses go to what is kept, and the rest is emptied.

use super::Entity;
use crate::source::FileId;
use crate::tree::{AddressBase, Callee, Duration, ExprKind, Linkage, Program, VarId, VarRole};
use crate::types::{ArrayLength, TypeKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// What uses of an entity become. One step leads to the end: what a use becomes is not replaced again.
pub(super) type Replacements = FxHashMap<Entity, Entity>;

/// Makes all expressions name what is kept, and empties what nothing names any more.
pub(super) fn replace(program: &mut Program, replacements: &Replacements) {
    if replacements.is_empty() {
        return;
    }
    for id in program.exprs.ids() {
        let expr = &mut program.exprs[id];
        match &mut expr.kind {
            ExprKind::Variable(variable) => {
                if let Some(Entity::Variable(keep)) = replacements.get(&Entity::Variable(*variable)) {
                    *variable = *keep;
                    // An array whose length another unit gives.
                    if matches!(program.types.kind(expr.ty), TypeKind::Array(_, ArrayLength::Unknown)) {
                        expr.ty = program.variables[*keep].ty;
                    }
                }
            }
            ExprKind::Address { base: AddressBase::Variable(variable), .. } => {
                if let Some(Entity::Variable(keep)) = replacements.get(&Entity::Variable(*variable)) {
                    *variable = *keep;
                }
            }
            ExprKind::Function(function)
            | ExprKind::Address { base: AddressBase::Function(function), .. }
            | ExprKind::Call { callee: Callee::Function(function), .. } => {
                if let Some(Entity::Function(keep)) = replacements.get(&Entity::Function(*function)) {
                    *function = *keep;
                }
            }
            _ => {}
        }
    }
    let kept: FxHashSet<Entity> = replacements.values().copied().collect();
    for &entity in replacements.keys().filter(|entity| !kept.contains(entity)) {
        retire(program, entity);
    }
}

/// Nothing is left of it but its number.
fn retire(program: &mut Program, entity: Entity) {
    match entity {
        Entity::Function(id) => {
            let function = &mut program.functions[id];
            function.name.clear();
            function.asm_name = None;
            function.linkage = Linkage::None;
            function.body = None;
            function.weak = false;
            function.indirect = false;
            function.constructor = None;
            function.destructor = None;
            function.parameters.clear();
            function.locals.clear();
            function.labels.clear();
        }
        Entity::Variable(id) => {
            let byte = program.types.char_type();
            let variable = &mut program.variables[id];
            variable.name.clear();
            variable.asm_name = None;
            variable.linkage = Linkage::None;
            variable.duration = Duration::Automatic;
            variable.role = VarRole::Temporary;
            variable.defined = true;
            variable.weak = false;
            variable.init = None;
            variable.ty = byte.unwrap_or(variable.ty);
        }
    }
}

/// Marks variables whose names are those of variables of other files.
pub(super) fn mark_shared_names(program: &mut Program) {
    let name = |id: VarId| {
        let variable = &program.variables[id];
        let function = variable.function.map(|function| program.functions[function].name.as_str());
        (function, variable.name.as_str())
    };
    let mut files: FxHashMap<(Option<&str>, &str), FxHashSet<FileId>> = FxHashMap::default();
    for id in program.statics() {
        files.entry(name(id)).or_default().insert(program.variables[id].span.file);
    }
    let shared: Vec<VarId> = program.statics().filter(|&id| files[&name(id)].len() > 1).collect();
    for id in shared {
        program.variables[id].shared_name = true;
    }
}
