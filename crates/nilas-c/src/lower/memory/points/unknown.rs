//! What unknown code may get at: one class, the closure of what it is given.

use super::library::library_row;
use super::{Points, bare, has_pointer, node};
use crate::library::catalogue;
use crate::lower::UnknownFunctions;
use crate::tree::{
    AddressBase, Callee, Duration, Expr, ExprId, ExprKind, FunctionId, Linkage, Program, VarId,
};
use crate::types::{TypeId, TypeTable};
use std::collections::BTreeSet;

impl Points {
    /// Whether an expression stores pointers through a pointer that may come from unknown code.
    pub(super) fn is_store_outside(&self, tree: &Program, expr: &Expr) -> bool {
        let unknown = self.unknown();
        let stored = |place: ExprId| {
            let mut root = place;
            while let ExprKind::Member { base, .. } = tree.exprs[root].kind {
                root = base;
            }
            self.of_expr(place) == unknown
                && !matches!(tree.exprs[root].kind, ExprKind::Variable(_))
                && self.may_hand_over(&tree.types, tree.exprs[place].ty)
        };
        match &expr.kind {
            ExprKind::Assign { target, .. } | ExprKind::Update { target, .. } => stored(*target),
            // Functions of the library and builtins may copy pointers byte by byte.
            ExprKind::Builtin { arguments, .. } => {
                arguments.iter().any(|&argument| self.of_expr(argument) == unknown)
            }
            ExprKind::Call { callee: Callee::Function(function), arguments } => {
                let pointee = |&argument: &ExprId| tree.types.pointee(tree.exprs[bare(tree, argument)].ty);
                let carries = |ty: TypeId| tree.types.is_void(ty) || has_pointer(&tree.types, ty);
                library_row(tree, *function).is_some()
                    && arguments.iter().any(|argument| {
                        self.of_expr(*argument) == unknown && pointee(argument).is_some_and(carries)
                    })
            }
            _ => false,
        }
    }

    /// Whether a value of the type may be or hold a pointer that unknown code gets.
    pub(in crate::lower) fn may_hand_over(&self, types: &TypeTable, ty: TypeId) -> bool {
        let wide = types.size_of(ty).is_some_and(|size| size >= types.model().pointer_size());
        has_pointer(types, ty) || (self.numbers && wide && types.int_kind(ty).is_some())
    }

    /// What unknown code may get at is one class, as are its contents. A function whose address is there may
    /// be called with anything that is there.
    pub(super) fn unknown_code(&mut self, tree: &Program, targets: &[FunctionId]) {
        let mut linked = BTreeSet::new();
        self.calls_through_pointers(tree, &mut linked);
        if self.unknown_functions == UnknownFunctions::Nothing {
            return;
        }
        let anything = self.unknown_functions == UnknownFunctions::Anything;
        let mut named: BTreeSet<VarId> = BTreeSet::new();
        for expr in &tree.exprs {
            if let ExprKind::Variable(variable)
            | ExprKind::Address { base: AddressBase::Variable(variable), .. } = expr.kind
            {
                named.insert(variable);
            }
        }
        // A pointer that nothing in the program can point to is not among what pointers from unknown code
        // mean.
        let through =
            |expr: &Expr| matches!(expr.kind, ExprKind::Deref(_)) && tree.types.pointee(expr.ty).is_some();
        let pointed: BTreeSet<VarId> = if tree.exprs.iter().any(through) {
            named.clone()
        } else {
            let taken = tree.exprs.iter().filter_map(|expr| match expr.kind {
                ExprKind::AddressOf(place) => match tree.exprs[place].kind {
                    ExprKind::Variable(variable) => Some(variable),
                    _ => None,
                },
                ExprKind::Address { base: AddressBase::Variable(variable), .. } => Some(variable),
                _ => None,
            });
            taken.collect()
        };
        for variable in named {
            let declared = &tree.variables[variable];
            let external = declared.linkage == Linkage::External;
            if declared.duration != Duration::Automatic && external && (anything || !declared.defined) {
                if tree.types.pointee(declared.ty).is_some() && !anything && !pointed.contains(&variable) {
                    self.owned.push(variable);
                    let content = self.content(self.variable(variable));
                    self.unite(content, self.unknown);
                } else {
                    self.outside.push(variable);
                    self.unite(self.variable(variable), self.unknown);
                }
            }
        }
        if self.outside.is_empty() && self.owned.is_empty() && !self.calls_unknown {
            return;
        }
        self.origins[self.unknown as usize].external = true;
        let content = self.content(self.unknown);
        self.unite(content, self.unknown);
        let addresses = self.addresses.clone();
        let mut callbacks: BTreeSet<FunctionId> = BTreeSet::new();
        loop {
            let before = callbacks.len();
            let unknown = self.find(self.unknown);
            let public = |function: FunctionId| {
                let declared = &tree.functions[function];
                anything
                    && declared.body.is_some()
                    && declared.linkage == Linkage::External
                    && declared.name != "main"
            };
            let given = addresses.iter().filter(|&&(place, _)| self.class_of(place) == unknown);
            let found: Vec<FunctionId> = given
                .map(|&(_, function)| function)
                .filter(|&function| {
                    // A function of the library has effects, another one without body is unknown code, too.
                    let declared = &tree.functions[function];
                    declared.body.is_some() || catalogue::row(&declared.name).is_some()
                })
                .chain(tree.functions.enumerate().map(|(id, _)| id).filter(|&id| public(id)))
                .filter(|function| !callbacks.contains(function))
                .collect();
            for function in found {
                callbacks.insert(function);
                for &parameter in &tree.functions[function].parameters {
                    if self.may_hand_over(&tree.types, tree.variables[parameter].ty) {
                        let content = self.content(self.variable(parameter));
                        self.unite(content, self.unknown);
                    }
                }
                self.unite(self.result(function), self.unknown);
            }
            let more = self.calls_through_pointers(tree, &mut linked);
            if callbacks.len() == before && !more {
                break;
            }
        }
        let known = |function: &FunctionId| anything || targets.contains(function);
        self.callbacks = callbacks.into_iter().filter(known).collect();
    }

    /// A call of a function of which nothing is known.
    pub(super) fn unknown_call(
        &mut self,
        tree: &Program,
        call: ExprId,
        function: FunctionId,
        arguments: &[ExprId],
    ) {
        self.outside_result(tree, call);
        let pointers =
            arguments.iter().any(|&argument| tree.types.pointee(tree.exprs[argument].ty).is_some());
        let input = catalogue::is_input(&tree.functions[function].name) && !pointers;
        if self.unknown_functions == UnknownFunctions::Nothing || input {
            return;
        }
        self.calls_unknown = true;
        for &argument in arguments {
            if self.may_hand_over(&tree.types, tree.exprs[argument].ty) {
                self.unite(node(argument), self.unknown);
                self.handed.extend(tree.types.pointee(tree.exprs[bare(tree, argument)].ty));
            }
        }
        if has_pointer(&tree.types, tree.exprs[call].ty) {
            self.unite(node(call), self.unknown);
            self.handed.extend(tree.types.pointee(tree.exprs[call].ty));
        }
    }

    /// A number from outside is no pointer, until it is made one.
    pub(super) fn outside_result(&mut self, tree: &Program, call: ExprId) {
        if has_pointer(&tree.types, tree.exprs[call].ty) {
            self.origins[node(call) as usize].external = true;
        }
    }

    /// What an argument points to may hold pointers from outside after a call.
    pub(super) fn written_by_others(&mut self, tree: &Program, argument: ExprId) {
        if tree.types.pointee(tree.exprs[argument].ty).is_some() {
            let content = self.content(node(argument));
            self.origins[content as usize].external = true;
        }
    }
}
