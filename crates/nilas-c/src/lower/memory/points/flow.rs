//! Flows of pointers: what each expression unites.

use super::library::library_row;
use super::{Points, at_variable_offset, bare, is_constant, node};
use crate::index::Id;
use crate::library::catalogue::{Meaning, Model, Row};
use crate::tree::{AddressBase, Builtin, Callee, Conversion, ExprId, ExprKind, FunctionId, Program};
use nilas_fault::{Fault, planted};

impl Points {
    pub(super) fn expressions(&mut self, tree: &Program) {
        for (id, expr) in tree.exprs.enumerate() {
            let this = node(id);
            match &expr.kind {
                ExprKind::Variable(variable) | ExprKind::CompoundLiteral(variable) => {
                    self.unite(this, self.variable(*variable));
                }
                ExprKind::Materialise { value, variable } => {
                    self.unite(this, self.variable(*variable));
                    let content = self.content(this);
                    self.unite(content, node(*value));
                }
                ExprKind::String(string) => {
                    self.unite(this, self.strings + u32::try_from(string.index()).unwrap_or(0));
                }
                ExprKind::Member { base: same, .. }
                | ExprKind::Deref(same)
                | ExprKind::AddressOf(same)
                | ExprKind::ArrayDecay(same)
                | ExprKind::Unary { operand: same, .. }
                | ExprKind::PointerOffset { pointer: same, .. }
                | ExprKind::Comma(_, same)
                | ExprKind::Statement { value: Some(same), .. } => {
                    self.unite(this, node(*same));
                    // `(char *)0 + u` is what `u` is.
                    if let ExprKind::PointerOffset { pointer, index, .. } = &expr.kind
                        && matches!(tree.exprs[bare(tree, *pointer)].kind, ExprKind::Int(0))
                    {
                        self.unite(this, node(*index));
                    }
                }
                ExprKind::Convert { conversion, operand } => {
                    if *conversion != Conversion::IntToPointer || !planted(Fault::FlowNumberLost) {
                        self.unite(this, node(*operand));
                    }
                    if *conversion == Conversion::IntToPointer
                        && let ExprKind::Int(value) = tree.exprs[*operand].kind
                        && value != 0
                    {
                        self.origins[this as usize].number = true;
                    }
                }
                ExprKind::VaArg(_) => self.unite(this, self.arguments),
                ExprKind::Load(place) => {
                    let content = self.content(node(*place));
                    self.unite(this, content);
                }
                ExprKind::Address { base, .. } => match *base {
                    AddressBase::Variable(variable) => self.unite(this, self.variable(variable)),
                    AddressBase::String(string) => {
                        self.unite(this, self.strings + u32::try_from(string.index()).unwrap_or(0));
                    }
                    AddressBase::Function(function) => self.addresses.push((this, function)),
                },
                ExprKind::FunctionDecay(place) => match tree.exprs[*place].kind {
                    ExprKind::Function(function) => self.addresses.push((this, function)),
                    _ => self.unite(this, node(*place)),
                },
                ExprKind::Binary { lhs, rhs, .. } => {
                    self.unite(this, node(*lhs));
                    self.unite(this, node(*rhs));
                }
                ExprKind::Conditional { then, otherwise, .. } => {
                    self.unite(this, node(*then));
                    self.unite(this, node(*otherwise));
                }
                ExprKind::Assign { target, value } => {
                    let content = self.content(node(*target));
                    let record = tree.types.as_record(expr.ty).is_some();
                    if !(record && planted(Fault::FlowStructLost)) {
                        self.unite(content, node(*value));
                    }
                    self.unite(this, node(*value));
                }
                ExprKind::Update { target, old, value, .. } => {
                    let content = self.content(node(*target));
                    for part in [node(*old), node(*value), this] {
                        self.unite(content, part);
                    }
                }
                ExprKind::Builtin { builtin, arguments } => self.builtin(tree, *builtin, arguments),
                ExprKind::Call { callee: Callee::Function(function), arguments } => {
                    self.call(tree, id, *function, arguments);
                }
                _ => {}
            }
        }
    }

    /// The bits of a pointer may go through a sum that is stored, and lists of arguments are copied.
    pub(super) fn builtin(&mut self, tree: &Program, builtin: Builtin, arguments: &[ExprId]) {
        match (builtin, arguments) {
            (
                Builtin::AddOverflow | Builtin::SubOverflow | Builtin::MulOverflow,
                &[first, second, pointer],
            ) => {
                let content = self.content(node(pointer));
                self.unite(content, node(first));
                self.unite(content, node(second));
            }
            // Where a list is a pointer, what it holds is an address outside of the program.
            (Builtin::VaStart, &[list, ..]) => {
                let pointee = tree.types.pointee(tree.exprs[list].ty);
                if pointee.is_some_and(|to| tree.types.as_record(to).is_none()) {
                    let content = self.content(node(list));
                    self.origins[content as usize].external = true;
                }
            }
            (Builtin::VaCopy, &[to, from]) => {
                let (to, from) = (self.content(node(to)), self.content(node(from)));
                self.unite(to, from);
            }
            _ => {}
        }
    }

    pub(super) fn call(&mut self, tree: &Program, call: ExprId, function: FunctionId, arguments: &[ExprId]) {
        let declared = &tree.functions[function];
        let row = library_row(tree, function);
        if declared.body.is_some() {
            if row.is_some_and(|row| self.moves_leaves(tree, row, call, function, arguments)) {
                return;
            }
            for (&parameter, &argument) in declared.parameters.iter().zip(arguments) {
                let content = self.content(self.variable(parameter));
                self.unite(content, node(argument));
            }
            for &argument in arguments.iter().skip(declared.parameters.len()) {
                self.unite(self.arguments, node(argument));
            }
            self.unite(node(call), self.result(function));
            return;
        }
        match row {
            Some(row) => self.library(tree, call, row, arguments),
            None => self.unknown_call(tree, call, function, arguments),
        }
    }

    /// Moving a constant number of bytes needs no text, most of the time, which would make one class of all
    /// pointers that ever go through it.
    pub(super) fn moves_leaves(
        &mut self,
        tree: &Program,
        row: &Row,
        call: ExprId,
        function: FunctionId,
        arguments: &[ExprId],
    ) -> bool {
        let wide = |&argument: &ExprId| {
            let pointee = tree.types.pointee(tree.exprs[bare(tree, argument)].ty);
            pointee.is_some_and(|ty| {
                !tree.types.is_void(ty) && tree.types.size_of(ty).is_some_and(|size| size > 1)
            })
        };
        let moves = matches!(row.model, Model::Lowering(Meaning::Move | Meaning::Fill))
            && arguments.first().is_some_and(wide)
            && arguments.last().is_some_and(|&size| is_constant(tree, size))
            && !arguments.iter().any(|&argument| needs_text(tree, row, argument));
        if !moves {
            return false;
        }
        // What the text meets then is not known here.
        for &parameter in &tree.functions[function].parameters {
            let content = self.content(self.variable(parameter));
            self.origins[content as usize].number = true;
        }
        self.unite(node(call), node(arguments[0]));
        if row.model == Model::Lowering(Meaning::Move)
            && let Some(&second) = arguments.get(1)
        {
            let (to, from) = (self.content(node(arguments[0])), self.content(node(second)));
            if !planted(Fault::FlowMemcpyLost) {
                self.unite(to, from);
            }
        }
        true
    }
}

/// Whether what an argument points to, at a variable offset, is filled or moved byte by byte: everything but
/// one record that is moved, which is an assignment.
fn needs_text(tree: &Program, row: &Row, argument: ExprId) -> bool {
    let pointee = tree.types.pointee(tree.exprs[bare(tree, argument)].ty);
    let assigned = row.model == Model::Lowering(Meaning::Move)
        && pointee.is_some_and(|ty| tree.types.as_record(ty).is_some());
    pointee.is_some() && !assigned && at_variable_offset(tree, argument)
}
