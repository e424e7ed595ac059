//! Whether two declarations of one symbol agree.

use super::Entity;
use crate::source::Diagnostic;
use crate::tree::{FunctionId, Program, VarId};
use crate::types::{FunctionType, RecordId, TypeId, TypeKind};

/// Two declarations of one symbol, seen from one of them.
pub(super) enum Agreement {
    /// They agree.
    Same,
    /// They do not, but nobody will see a difference.
    Mild,
    /// They do not; why, if types alone do not tell.
    Different(Option<&'static str>),
}

/// Whether `other` can be a declaration of `keep`.
pub(super) fn agree(program: &Program, keep: Entity, other: Entity) -> Agreement {
    match (keep, other) {
        (Entity::Variable(a), Entity::Variable(b)) => variables(program, a, b),
        (Entity::Function(a), Entity::Function(b)) => functions(program, a, b),
        _ => Agreement::Different(Some("one is a function, the other an object")),
    }
}

fn variables(program: &Program, a: VarId, b: VarId) -> Agreement {
    let (a, b) = (&program.variables[a], &program.variables[b]);
    if a.duration != b.duration {
        return Agreement::Different(Some("there is one object per thread, or one for all"));
    }
    if !program.types.linkable(a.ty, b.ty) {
        return Agreement::Different(None);
    }
    let same = program.types.qualifiers(a.ty) == program.types.qualifiers(b.ty);
    if same { Agreement::Same } else { Agreement::Mild }
}

fn functions(program: &Program, a: FunctionId, b: FunctionId) -> Agreement {
    let types = &program.types;
    let (a, b) = (program.functions[a].ty, program.functions[b].ty);
    let (Some(f), Some(g)) = (types.as_function(a), types.as_function(b)) else {
        return Agreement::Different(None);
    };
    if types.linkable(a, b) {
        let one_prototype = f.prototype != g.prototype;
        return match one_prototype && (changed_by_promotion(program, f) || changed_by_promotion(program, g)) {
            true => Agreement::Different(Some(
                "a call without prototype passes `float` as `double` and small integers as `int`",
            )),
            false => Agreement::Same,
        };
    }
    // Pointers are passed alike, whatever they point to.
    let alike = |x: TypeId, y: TypeId| {
        types.linkable(x, y) || (types.pointee(x).is_some() && types.pointee(y).is_some())
    };
    let mild = f.prototype == g.prototype
        && f.variadic == g.variadic
        && alike(f.result, g.result)
        && f.parameters.len() == g.parameters.len()
        && f.parameters.iter().zip(&g.parameters).all(|(&x, &y)| alike(x, y));
    if mild { Agreement::Mild } else { Agreement::Different(None) }
}

/// Whether a prototype takes what the default argument promotions do not give.
fn changed_by_promotion(program: &Program, function: &FunctionType) -> bool {
    function.prototype
        && (function.variadic
            || function.parameters.iter().any(|&parameter| !program.types.is_promoted(parameter)))
}

/// A message about two declarations that do not agree.
pub(super) fn disagreement(
    program: &Program,
    symbol: &str,
    keep: Entity,
    other: Entity,
    why: Option<&str>,
) -> Diagnostic {
    let shown = |entity| program.types.display(program.type_of(entity));
    let (first, second) = (shown(keep), shown(other));
    let message = match why {
        Some(why) => format!("`{symbol}` is declared differently in two places: {why}"),
        None if first == second => {
            format!("`{symbol}` is declared with different types of one name, `{second}`")
        }
        None => format!("`{symbol}` is declared as `{second}` here, and as `{first}` elsewhere"),
    };
    let word = if program.is_defined(keep) { "defined here" } else { "declared here" };
    let mut error = Diagnostic::error(program.span_of(other), message).with_note(program.span_of(keep), word);
    if first == second {
        let records = [other, keep].map(|entity| record_of(program, program.type_of(entity)));
        for record in records.into_iter().flatten() {
            error = error.with_note(program.types.record(record).span, "one of the types");
        }
    }
    error
}

/// The struct or union that a type is made from.
fn record_of(program: &Program, mut ty: TypeId) -> Option<RecordId> {
    loop {
        ty = match program.types.kind(ty) {
            TypeKind::Record(record) => return Some(*record),
            TypeKind::Pointer(to) | TypeKind::Array(to, _) => *to,
            TypeKind::Function(function) => function.result,
            _ => return None,
        };
    }
}
