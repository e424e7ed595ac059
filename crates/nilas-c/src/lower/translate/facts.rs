//! What the lowering wants to know about the tree beforehand, from one look at every expression and
//! statement.

use crate::index::Id;
use crate::lower::calls::arguments::readers;
use crate::tree::{
    AddressBase, Callee, Conversion, ExprId, ExprKind, FunctionId, InitItem, InitValue, LabelId, Program,
    StmtId, StmtKind, VarId,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// See the module's text.
pub(in crate::lower) struct Facts {
    /// Per expression: evaluating it may write a variable or end the execution.
    effects: Vec<bool>,
    /// Per variable: its address is used in a way that is not an access of a part of it on the spot.
    escaped: Vec<bool>,
    /// Per variable: it is assigned, or its address escapes. (Initialisers do not count.)
    written: Vec<bool>,
    /// Per variable: it is set to the result of pointer arithmetic.
    moved: Vec<bool>,
    /// Per statement: a label stands in it.
    labels: Vec<bool>,
    /// Functions whose address is taken, in order.
    pub(in crate::lower) targets: Vec<FunctionId>,
    /// Labels whose address is taken, by function of the statement that has them.
    pub(in crate::lower) label_numbers: FxHashMap<LabelId, u64>,
    /// `errno`, if the program can look at it.
    pub(in crate::lower) errno: Option<VarId>,
    /// The program may change the rounding mode: it is program state.
    pub(in crate::lower) rounding: bool,
    /// Per expression, if so: the compiler computes it, and rounds to nearest.
    folded: Vec<bool>,
    /// Per function: it can be active twice.
    recursive: Vec<bool>,
    /// Per expression: nobody uses its value.
    dropped: Vec<bool>,
    /// Per function: some call of it may use its result.
    used: Vec<bool>,
    /// The numbers in the program that might be addresses, in order.
    pub(in crate::lower) literals: Vec<u64>,
    /// The type an allocation is converted to, by the call.
    pub(in crate::lower) allocations: FxHashMap<ExprId, crate::types::TypeId>,
    /// The functions in which lists of arguments are started or read; none if nothing is ever read.
    pub(in crate::lower) readers: BTreeSet<FunctionId>,
}

impl Facts {
    pub(in crate::lower) fn new(tree: &Program) -> Facts {
        let mut facts = Facts {
            effects: Vec::with_capacity(tree.exprs.len()),
            escaped: vec![false; tree.variables.len()],
            written: vec![false; tree.variables.len()],
            moved: vec![false; tree.variables.len()],
            labels: vec![false; tree.stmts.len()],
            targets: Vec::new(),
            label_numbers: FxHashMap::default(),
            rounding: tree.functions.iter().any(|f| f.name == "fesetround" && f.body.is_none()),
            folded: Vec::new(),
            errno: errno(tree),
            recursive: Vec::new(),
            dropped: Vec::new(),
            used: Vec::new(),
            literals: Vec::new(),
            allocations: FxHashMap::default(),
            readers: readers(tree),
        };
        if facts.rounding {
            facts.folded = tree.folded_floats();
        }
        facts.expressions(tree);
        facts.moves(tree);
        facts.statements(tree);
        facts.recursive = recursive(tree, &facts.targets);
        facts.dropped = dropped_values(tree);
        facts.used = used_results(tree, &facts.targets, &facts.dropped);
        for (number, (label, _)) in tree.labels.enumerate().filter(|(_, l)| l.address_taken).enumerate() {
            facts.label_numbers.insert(label, number as u64);
        }
        facts
    }

    pub(in crate::lower) fn has_effects(&self, expr: ExprId) -> bool {
        self.effects[expr.index()]
    }

    pub(in crate::lower) fn is_escaped(&self, variable: VarId) -> bool {
        self.escaped[variable.index()]
    }

    /// Whether the variable ever changes after its initialiser.
    pub(in crate::lower) fn is_written(&self, variable: VarId) -> bool {
        self.written[variable.index()] || self.escaped[variable.index()]
    }

    /// Whether a call of the function can lead to another call of it before it returns.
    pub(in crate::lower) fn is_recursive(&self, function: FunctionId) -> bool {
        self.recursive[function.index()]
    }

    /// Whether compilers compute the expression, rounding to nearest, in a program that sets other modes.
    pub(in crate::lower) fn is_folded(&self, expr: ExprId) -> bool {
        self.folded.get(expr.index()).is_some_and(|&folded| folded)
    }

    /// Whether nobody uses the value of an expression.
    pub(in crate::lower) fn is_dropped(&self, expr: ExprId) -> bool {
        self.dropped[expr.index()]
    }

    /// Whether some call of the function may use its result.
    pub(in crate::lower) fn uses_result_of(&self, function: FunctionId) -> bool {
        self.used[function.index()]
    }

    /// Whether the variable holds a pointer that was moved, as far as assignments, initialisers and arguments
    /// show.
    pub(in crate::lower) fn is_moved(&self, variable: VarId) -> bool {
        self.moved[variable.index()]
    }

    fn moves(&mut self, tree: &Program) {
        let is_move = |mut expr: ExprId| {
            while let ExprKind::Convert { operand, .. } = tree.exprs[expr].kind {
                expr = operand;
            }
            match tree.exprs[expr].kind {
                ExprKind::PointerOffset { .. } => true,
                ExprKind::Address { offset, .. } => offset != 0,
                _ => false,
            }
        };
        for expr in &tree.exprs {
            match &expr.kind {
                ExprKind::Assign { target, value } | ExprKind::Update { target, value, .. } => {
                    if let ExprKind::Variable(variable) = tree.exprs[*target].kind
                        && is_move(*value)
                    {
                        self.moved[variable.index()] = true;
                    }
                }
                ExprKind::Call { callee: Callee::Function(function), arguments } => {
                    for (&parameter, &argument) in tree.functions[*function].parameters.iter().zip(arguments)
                    {
                        self.moved[parameter.index()] |= is_move(argument);
                    }
                }
                _ => {}
            }
        }
        for (id, variable) in tree.variables.enumerate() {
            let items = variable.init.iter().flat_map(|init| &init.items);
            let moved = |item: &InitItem| matches!(item.value, InitValue::Expr(expr) if is_move(expr));
            self.moved[id.index()] |= items.clone().any(moved);
        }
    }

    pub(in crate::lower) fn has_label(&self, stmt: StmtId) -> bool {
        self.labels[stmt.index()]
    }

    fn expressions(&mut self, tree: &Program) {
        // Accesses of the form `a[i].b` take the address of `a` only to use it on the spot.
        let mut consumed = vec![false; tree.exprs.len()];
        for expr in &tree.exprs {
            if let ExprKind::Deref(pointer) = expr.kind
                && let Some((address, _)) = on_the_spot(tree, pointer)
            {
                consumed[address.index()] = true;
            }
        }
        let mut targets = vec![false; tree.functions.len()];
        for (id, expr) in tree.exprs.enumerate() {
            let mut effect = matches!(
                expr.kind,
                ExprKind::Assign { .. }
                    | ExprKind::Update { .. }
                    | ExprKind::Call { .. }
                    | ExprKind::Builtin { .. }
                    | ExprKind::Statement { .. }
                    | ExprKind::CompoundLiteral(_)
                    | ExprKind::Materialise { .. }
                    | ExprKind::VaArg(_)
            );
            expr.kind
                .for_each_operand(|operand| effect |= self.effects.get(operand.index()).is_none_or(|e| *e));
            self.effects.push(effect);
            match &expr.kind {
                ExprKind::Int(value) => {
                    self.literals.extend(u64::try_from(*value).ok().filter(|&value| value >= 4096));
                }
                ExprKind::Assign { target, .. } | ExprKind::Update { target, .. } => {
                    self.write(tree, *target);
                }
                ExprKind::Materialise { variable, .. } | ExprKind::CompoundLiteral(variable) => {
                    self.written[variable.index()] = true;
                }
                ExprKind::AddressOf(place) | ExprKind::ArrayDecay(place) if !consumed[id.index()] => {
                    if let Some(root) = root(tree, *place) {
                        self.escaped[root.index()] = true;
                    }
                }
                ExprKind::Address { base: AddressBase::Variable(variable), .. } => {
                    self.escaped[variable.index()] = true;
                }
                ExprKind::Address { base: AddressBase::Function(function), .. } => {
                    targets[function.index()] = true;
                }
                ExprKind::FunctionDecay(designator) => {
                    if let ExprKind::Function(function) = tree.exprs[*designator].kind {
                        targets[function.index()] = true;
                    }
                }
                ExprKind::Builtin { arguments, .. } => {
                    for &argument in arguments {
                        if tree.exprs[argument].kind.is_lvalue() {
                            self.write(tree, argument);
                        }
                    }
                }
                ExprKind::VaArg(list) => self.write(tree, *list),
                ExprKind::Convert { conversion: Conversion::PointerToPointer, operand } => {
                    if let ExprKind::Call { callee: Callee::Function(_), .. } = tree.exprs[*operand].kind
                        && let Some(pointee) = tree.types.pointee(expr.ty)
                    {
                        self.allocations.insert(*operand, pointee);
                    }
                }
                _ => {}
            }
        }
        self.literals.sort_unstable();
        self.literals.dedup();
        self.targets = tree.functions.ids().filter(|id| targets[id.index()]).collect();
    }

    fn write(&mut self, tree: &Program, target: ExprId) {
        if let Some(root) = root(tree, target) {
            self.written[root.index()] = true;
        }
    }

    fn statements(&mut self, tree: &Program) {
        // Children before parents: a parent is pushed again behind its children.
        for function in &tree.functions {
            let Some(body) = function.body else { continue };
            let mut bodies = vec![body];
            tree.walk(
                body,
                |_| {},
                |expr| {
                    if let ExprKind::Statement { block, .. } = tree.exprs[expr].kind {
                        bodies.push(block);
                    }
                },
            );
            for body in bodies {
                let mut work = vec![(body, false)];
                while let Some((stmt, done)) = work.pop() {
                    let kind = &tree.stmts[stmt].kind;
                    if done {
                        let mut label = matches!(kind, StmtKind::Label(_));
                        kind.for_each_statement(|child| label |= self.labels[child.index()]);
                        self.labels[stmt.index()] = label;
                        continue;
                    }
                    work.push((stmt, true));
                    kind.for_each_statement(|child| work.push((child, false)));
                    if let StmtKind::Asm(asm) = kind {
                        asm.outputs.iter().for_each(|operand| self.write(tree, operand.value));
                    }
                }
            }
        }
    }
}

/// The object that stands for `errno`, if the program has asked where it is.
fn errno(tree: &Program) -> Option<VarId> {
    tree.function("__nilas___errno_location")?;
    tree.variables.enumerate().find(|(_, variable)| variable.name == "__nilas_errno").map(|(id, _)| id)
}

/// Whose results are used. A call through a pointer may lead to any function whose address is taken.
/// Which expressions are evaluated for their effects alone.
fn dropped_values(tree: &Program) -> Vec<bool> {
    let mut dropped = vec![false; tree.exprs.len()];
    for expr in &tree.exprs {
        match expr.kind {
            ExprKind::Convert { conversion: Conversion::ToVoid, operand } => dropped[operand.index()] = true,
            ExprKind::Comma(first, _) => dropped[first.index()] = true,
            _ => {}
        }
    }
    for stmt in &tree.stmts {
        match stmt.kind {
            StmtKind::Expr(expr) | StmtKind::For { step: Some(expr), .. } => dropped[expr.index()] = true,
            _ => {}
        }
    }
    // What is dropped drops the value that it passes on; operands come before what they are operands of.
    for (id, expr) in tree.exprs.enumerate().collect::<Vec<_>>().into_iter().rev() {
        match expr.kind {
            ExprKind::Comma(_, last) if dropped[id.index()] => dropped[last.index()] = true,
            ExprKind::Conditional { then, otherwise, .. } if dropped[id.index()] => {
                dropped[then.index()] = true;
                dropped[otherwise.index()] = true;
            }
            _ => {}
        }
    }
    dropped
}

/// Which functions have a result that some call may use.
fn used_results(tree: &Program, targets: &[FunctionId], dropped: &[bool]) -> Vec<bool> {
    let mut used = vec![false; tree.functions.len()];
    for (id, expr) in tree.exprs.enumerate() {
        match &expr.kind {
            ExprKind::Call { .. } if dropped[id.index()] => {}
            ExprKind::Call { callee: Callee::Function(function), .. } => used[function.index()] = true,
            ExprKind::Call { callee: Callee::Pointer(_), .. } => {
                targets.iter().for_each(|target| used[target.index()] = true);
            }
            _ => {}
        }
    }
    used
}

/// Which functions lie on a cycle of calls. A call through a pointer may lead to any function whose address
/// is taken.
fn recursive(tree: &Program, targets: &[FunctionId]) -> Vec<bool> {
    let mut callees: Vec<Vec<usize>> = vec![Vec::new(); tree.functions.len()];
    for (id, function) in tree.functions.enumerate() {
        let Some(body) = function.body else { continue };
        let called = &mut callees[id.index()];
        tree.walk(
            body,
            |_| {},
            |expr| match &tree.exprs[expr].kind {
                ExprKind::Call { callee: Callee::Function(function), .. } => called.push(function.index()),
                ExprKind::Call { callee: Callee::Pointer(_), .. } => {
                    called.extend(targets.iter().map(|target| target.index()));
                }
                _ => {}
            },
        );
        called.sort_unstable();
        called.dedup();
    }
    let reaches_itself = |start: usize| {
        let mut seen = vec![false; callees.len()];
        let mut work = callees[start].clone();
        while let Some(next) = work.pop() {
            crate::work::poll();
            if next == start {
                return true;
            }
            if !std::mem::replace(&mut seen[next], true) {
                work.extend(&callees[next]);
            }
        }
        false
    };
    (0..callees.len()).map(|function| !callees[function].is_empty() && reaches_itself(function)).collect()
}

/// The variable an lvalue is a part of, if no pointer is followed on the way.
pub(in crate::lower) fn root(tree: &Program, mut place: ExprId) -> Option<VarId> {
    loop {
        match tree.exprs[place].kind {
            ExprKind::Variable(variable)
            | ExprKind::CompoundLiteral(variable)
            | ExprKind::Materialise { variable, .. } => return Some(variable),
            ExprKind::Member { base, .. } => place = base,
            ExprKind::Deref(pointer) => place = on_the_spot(tree, pointer)?.1,
            _ => return None,
        }
    }
}

/// For a pointer that is the address of an lvalue, or that plus an index: the node that takes it, and the
/// lvalue.
fn on_the_spot(tree: &Program, mut pointer: ExprId) -> Option<(ExprId, ExprId)> {
    loop {
        match tree.exprs[pointer].kind {
            ExprKind::PointerOffset { pointer: inner, .. } => pointer = inner,
            ExprKind::ArrayDecay(place) | ExprKind::AddressOf(place) => return Some((pointer, place)),
            _ => return None,
        }
    }
}
