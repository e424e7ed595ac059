//! How objects of a class are seen: by pointers of several types, and whether something may free them.

use super::library::library_row;
use super::{Points, bare};
use crate::library::catalogue::{Meaning, Model};
use crate::tree::{Callee, Conversion, ExprId, ExprKind, Function, FunctionId, Program};
use crate::types::TypeId;
use std::collections::BTreeSet;

impl Points {
    /// Collects casts and what makes them unclear, after all classes are known.
    pub(super) fn classify(&mut self, tree: &Program) {
        let types = &tree.types;
        let mut mixed: Vec<u32> = vec![self.parents[self.arguments as usize]];
        let pointee = |expr: ExprId| types.pointee(tree.exprs[expr].ty);
        for (id, expr) in tree.exprs.enumerate() {
            let class = self.of_expr(id);
            match &expr.kind {
                ExprKind::Convert { conversion: Conversion::PointerToPointer, operand } => {
                    let (Some(from), Some(to)) = (pointee(*operand), pointee(id)) else { continue };
                    if !types.compatible_unqualified(from, to) {
                        self.casts.entry(class).or_default().push((from, to));
                    }
                }
                ExprKind::Convert { conversion: Conversion::IntToPointer, operand }
                    if !matches!(tree.exprs[*operand].kind, ExprKind::Int(_)) =>
                {
                    mixed.push(class);
                }
                ExprKind::Member { base, .. } => {
                    let union =
                        types.as_record(tree.exprs[*base].ty).is_some_and(|id| types.record(id).is_union);
                    if union {
                        mixed.extend(self.content_of(class));
                    }
                }
                ExprKind::Call { callee: Callee::Pointer(pointer), arguments } => {
                    for target in self.called(tree, *pointer) {
                        self.unlike(tree, id, target, arguments);
                        self.release(tree, target, arguments, &mut mixed);
                    }
                }
                ExprKind::Call { callee: Callee::Function(function), arguments } => {
                    self.unlike(tree, id, *function, arguments);
                    self.release(tree, *function, arguments, &mut mixed);
                }
                _ => {}
            }
        }
        for function in tree.functions.iter().filter(|function| function.name != "main") {
            for call in on_stack(tree, function) {
                self.freed.push(self.of_allocation(call));
            }
        }
        // Unknown code may return a pointer to a part of what it was given.
        if let [first, others @ ..] = &self.handed[..]
            && !others.iter().all(|&other| types.compatible_unqualified(*first, other))
        {
            mixed.push(self.parents[self.unknown as usize]);
        }
        for (&class, casts) in &self.casts {
            let mut ends = casts.iter().flat_map(|&(from, to)| [from, to]).filter(|&ty| !types.is_void(ty));
            if ends.next().is_some_and(|first| ends.any(|other| !types.compatible_unqualified(first, other)))
            {
                mixed.push(class);
            }
        }
        // What lies behind pointers that stand for several types is seen as several types, too.
        let mut all: BTreeSet<u32> = BTreeSet::new();
        while let Some(class) = mixed.pop() {
            if all.insert(class) {
                mixed.extend(self.content_of(class));
            }
        }
        self.mixed = all.into_iter().collect();
        self.freed.sort_unstable();
        self.freed.dedup();
    }

    /// What a function of the library may free, and copies between memory of different types.
    pub(super) fn release(
        &mut self,
        tree: &Program,
        function: FunctionId,
        arguments: &[ExprId],
        mixed: &mut Vec<u32>,
    ) {
        let Some(row) = library_row(tree, function) else { return };
        match (row.model, arguments) {
            (
                Model::Lowering(Meaning::Free | Meaning::Reallocate | Meaning::ReallocateArray),
                [first, ..],
            ) => {
                self.freed.push(self.of_expr(*first));
            }
            (Model::Lowering(Meaning::Move), &[first, second, ..]) => {
                let pointee = |expr: ExprId| tree.types.pointee(tree.exprs[bare(tree, expr)].ty);
                let same = pointee(first)
                    .zip(pointee(second))
                    .is_some_and(|(a, b)| tree.types.compatible_unqualified(a, b));
                if !same {
                    mixed.extend(self.content_of(self.of_expr(first)));
                }
            }
            _ => {}
        }
    }

    /// Casts that calls imply: arguments and results of other types than the function has.
    pub(super) fn unlike(
        &mut self,
        tree: &Program,
        call: ExprId,
        function: FunctionId,
        arguments: &[ExprId],
    ) {
        let types = &tree.types;
        let declared = &tree.functions[function];
        if declared.body.is_none() {
            return;
        }
        let mut pairs: Vec<(ExprId, TypeId, TypeId)> = Vec::new();
        for (&argument, &parameter) in arguments.iter().zip(&declared.parameters) {
            pairs.push((argument, tree.exprs[argument].ty, tree.variables[parameter].ty));
        }
        if let Some(signature) = types.as_function(declared.ty) {
            pairs.push((call, signature.result, tree.exprs[call].ty));
        }
        for (expr, from, to) in pairs {
            if let (Some(from), Some(to)) = (types.pointee(from), types.pointee(to))
                && !types.compatible_unqualified(from, to)
            {
                self.casts.entry(self.of_expr(expr)).or_default().push((from, to));
            }
        }
    }
}

/// The allocations in a function that end with it.
pub(in crate::lower) fn on_stack(tree: &Program, function: &Function) -> Vec<ExprId> {
    let mut found = Vec::new();
    let Some(body) = function.body else { return found };
    tree.walk(
        body,
        |_| {},
        |expr| {
            if let ExprKind::Call { callee: Callee::Function(callee), .. } = tree.exprs[expr].kind
                && let Some(row) = library_row(tree, callee)
                && row.model == Model::Lowering(Meaning::AllocateOnStack)
            {
                found.push(expr);
            }
        },
    );
    found
}
