//! What pointers may point to: Steensgaard's analysis, one class of objects per pointer, without regard to fields.
//!
//! Every expression has a node: for an lvalue the class of the object it is in, for a value the class of what it
//! points to. Assignments unite classes; each class knows the class of what its contents point to. The lowering
//! uses the classes only to leave out cases of a split: a case that is left out wrongly is *unmodelled*, never unsound.

use crate::index::Id;
use crate::library;
use crate::tree::{
    AddressBase, Callee, ExprId, ExprKind, FunctionId, InitValue, Program, StmtKind, StringId, VarId,
};

/// A class of objects.
pub(super) type Class = u32;

/// See the module's text.
pub(super) struct Points {
    parents: Vec<u32>,
    contents: Vec<Option<u32>>,
    variables: u32,
    strings: u32,
    results: u32,
    heap: u32,
}

const ALLOCATORS: &[&str] = &[
    "malloc",
    "calloc",
    "alloca",
    "valloc",
    "realloc",
    "__builtin_malloc",
    "__builtin_calloc",
    "__builtin_alloca",
];

impl Points {
    pub(super) fn new(tree: &Program) -> Points {
        let count = |length: usize| u32::try_from(length).unwrap_or(u32::MAX / 8);
        let exprs = count(tree.exprs.len());
        let variables = exprs;
        let strings = variables + count(tree.variables.len());
        let results = strings + count(tree.strings.len());
        let heap = results + count(tree.functions.len());
        let total = heap + exprs;
        let mut points = Points {
            parents: (0..total).collect(),
            contents: vec![None; total as usize],
            variables,
            strings,
            results,
            heap,
        };
        points.expressions(tree);
        for (id, variable) in tree.variables.enumerate() {
            let object = points.variable(id);
            for item in variable.init.iter().flat_map(|init| &init.items) {
                if let InitValue::Expr(expr) = item.value {
                    let content = points.content(object);
                    points.unite(content, node(expr));
                }
            }
        }
        for (id, function) in tree.functions.enumerate() {
            let Some(body) = function.body else { continue };
            let mut returned = Vec::new();
            tree.walk(
                body,
                |stmt| {
                    if let StmtKind::Return(Some(value)) = tree.stmts[stmt].kind {
                        returned.push(value);
                    }
                },
                |_| {},
            );
            for value in returned {
                let result = points.result(id);
                points.unite(result, node(value));
            }
        }
        // From here on every node knows its class directly.
        for index in 0..points.parents.len() {
            points.parents[index] = points.find(u32::try_from(index).unwrap_or(0));
        }
        points
    }

    fn variable(&self, variable: VarId) -> u32 {
        self.variables + u32::try_from(variable.index()).unwrap_or(0)
    }

    fn result(&self, function: FunctionId) -> u32 {
        self.results + u32::try_from(function.index()).unwrap_or(0)
    }

    /// The class that the value of a pointer expression points to.
    pub(super) fn of_expr(&self, expr: ExprId) -> Class {
        self.parents[node(expr) as usize]
    }

    /// The class of a variable.
    pub(super) fn of_variable(&self, variable: VarId) -> Class {
        self.parents[self.variable(variable) as usize]
    }

    /// The class of a string literal.
    pub(super) fn of_string(&self, string: StringId) -> Class {
        self.parents[self.strings as usize + string.index()]
    }

    /// The class of what a call allocates.
    pub(super) fn of_allocation(&self, call: ExprId) -> Class {
        self.parents[(self.heap + node(call)) as usize]
    }

    fn find(&mut self, mut class: u32) -> u32 {
        while self.parents[class as usize] != class {
            let above = self.parents[self.parents[class as usize] as usize];
            self.parents[class as usize] = above;
            class = above;
        }
        class
    }

    fn unite(&mut self, one: u32, other: u32) {
        let mut work = vec![(one, other)];
        while let Some((one, other)) = work.pop() {
            let (one, other) = (self.find(one), self.find(other));
            if one == other {
                continue;
            }
            let (keep, drop) = (one.min(other), one.max(other));
            self.parents[drop as usize] = keep;
            match (self.contents[keep as usize], self.contents[drop as usize]) {
                (Some(a), Some(b)) => work.push((a, b)),
                (None, content) => self.contents[keep as usize] = content,
                (Some(_), None) => {}
            }
        }
    }

    /// The class of what the contents of a class point to.
    fn content(&mut self, class: u32) -> u32 {
        let class = self.find(class);
        if let Some(content) = self.contents[class as usize] {
            return self.find(content);
        }
        let fresh = u32::try_from(self.parents.len()).unwrap_or(u32::MAX);
        self.parents.push(fresh);
        self.contents.push(None);
        self.contents[class as usize] = Some(fresh);
        fresh
    }

    fn expressions(&mut self, tree: &Program) {
        let targets: Vec<FunctionId> =
            tree.functions.ids().filter(|&id| tree.functions[id].body.is_some()).collect();
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
                | ExprKind::Convert { operand: same, .. }
                | ExprKind::Unary { operand: same, .. }
                | ExprKind::PointerOffset { pointer: same, .. }
                | ExprKind::Comma(_, same)
                | ExprKind::Statement { value: Some(same), .. } => self.unite(this, node(*same)),
                ExprKind::Load(place) => {
                    let content = self.content(node(*place));
                    self.unite(this, content);
                }
                ExprKind::Address { base, .. } => match *base {
                    AddressBase::Variable(variable) => self.unite(this, self.variable(variable)),
                    AddressBase::String(string) => {
                        self.unite(this, self.strings + u32::try_from(string.index()).unwrap_or(0));
                    }
                    AddressBase::Function(_) => {}
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
                    self.unite(content, node(*value));
                    self.unite(this, node(*value));
                }
                ExprKind::Update { target, old, value, .. } => {
                    let content = self.content(node(*target));
                    for part in [node(*old), node(*value), this] {
                        self.unite(content, part);
                    }
                }
                ExprKind::Call { callee: Callee::Function(function), arguments } => {
                    self.call(tree, id, *function, arguments);
                }
                ExprKind::Call { callee: Callee::Pointer(_), arguments } => {
                    for &target in &targets {
                        if tree.functions[target].parameters.len() == arguments.len() {
                            self.call(tree, id, target, arguments);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn call(&mut self, tree: &Program, call: ExprId, function: FunctionId, arguments: &[ExprId]) {
        let declared = &tree.functions[function];
        if declared.body.is_some() {
            for (&parameter, &argument) in declared.parameters.iter().zip(arguments) {
                let content = self.content(self.variable(parameter));
                self.unite(content, node(argument));
            }
            self.unite(node(call), self.result(function));
            return;
        }
        if ALLOCATORS.contains(&declared.name.as_str()) {
            self.unite(node(call), self.heap + node(call));
            if declared.name == "realloc"
                && let Some(&first) = arguments.first()
            {
                self.unite(node(call), node(first));
            }
            return;
        }
        let (plain, extra) = library::plain_name(&declared.name);
        let arguments = &arguments[..arguments.len().saturating_sub(extra)];
        // Moving a constant number of bytes needs no model, most of the time; its pointers would all be one class.
        let moves = matches!(plain, "memcpy" | "memmove" | "memset")
            && arguments.last().is_some_and(|&size| is_constant(tree, size));
        if library::has_model(plain)
            && !moves
            && let Some(model) = tree.function(&format!("{}{plain}", library::PREFIX))
        {
            self.call(tree, call, model, arguments);
        }
        if let Some(&first) = arguments.first() {
            // Functions of the library give back their first argument, and may copy between what they are given.
            self.unite(node(call), node(first));
            let copies = declared.name.contains("memcpy") || declared.name.contains("memmove");
            if copies && let Some(&second) = arguments.get(1) {
                let (to, from) = (self.content(node(first)), self.content(node(second)));
                self.unite(to, from);
            }
        }
    }
}

fn is_constant(tree: &Program, expr: ExprId) -> bool {
    match tree.exprs[expr].kind {
        ExprKind::Int(_) => true,
        ExprKind::Convert { operand, .. } => is_constant(tree, operand),
        ExprKind::Binary { lhs, rhs, .. } => is_constant(tree, lhs) && is_constant(tree, rhs),
        _ => false,
    }
}

fn node(expr: ExprId) -> u32 {
    u32::try_from(expr.index()).unwrap_or(u32::MAX)
}
